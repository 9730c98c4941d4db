import type { Logger } from 'pino';
import { BUILT_IN } from '../plugins/index.ts';
import { freshSeed, type Random, seededRandom, systemClock, systemTimers } from './clock.ts';
import type { ClusterNode } from './cluster/node.ts';
import { openLease, openNode } from './cluster/open-node.ts';
import {
  type Community,
  type CommunityOptions,
  checkpointsOf,
  logOf,
  purgeCommunity,
  startCommunity,
  upgradeLog,
} from './community.ts';
import { type Connection, readConnections } from './connectors/connections.ts';
import { Connectors } from './connectors/connectors.ts';
import { type ConfiguredWebhook, readWebhooks, Webhooks } from './connectors/webhooks.ts';
import { reasonOf, rootReasonOf, StartupError } from './errors.ts';
import { currentRecords } from './interchange/current-records.ts';
import { limitedLog } from './limited-log.ts';
import { type LoadOptions, loadPlugins } from './registry/loader.ts';
import { pluginEntries } from './registry/plugin-files.ts';
import { PluginHosts } from './registry/plugin-hosts.ts';
import type { RefusedPlugin } from './registry/refused-plugin.ts';
import { Registry } from './registry/registry.ts';
import { slowly } from './registry/slowly.ts';
import { LoadGauge } from './serve/load-gauge.ts';
import type { Settings } from './settings.ts';
import { Fields } from './state/fields.ts';
import { State } from './state/state.ts';
import { foldOptions } from './store/fold-options.ts';
import { openStore } from './store/open-store.ts';
import type { Lease } from './store/postgres/database-lease.ts';
import { StillNeeded } from './store/purge-work.ts';
import type { Store } from './store/store.ts';
import { untilStopped } from './until-stopped.ts';
import { openWallets, type Wallets } from './wallets.ts';

/** The community of content, with everything that it was opened with. */
export interface Service extends Community {
  settings: Settings;
  /** The community of wallets beside it. */
  alpha: Wallets;
  plugin_hosts: PluginHosts;
  /** They run between `connectors.start` and `closeService`. */
  connectors: Connectors;
  webhooks: Webhooks;
  load: LoadGauge;
  /** Plugins that were rejected and left out (if `plugins_strict` is false). */
  refused_plugins: RefusedPlugin[];
  log: Logger;
}

export interface OpenOptions extends CommunityOptions {
  /** The command, which is shown to the next process that needs the data folder. */
  command: string;
  /** Replaces the data of the settings. Wallets are then kept in memory. */
  store?: Store;
  /** Where other nodes reach this process. Default: by the settings. */
  address?: string;
  random?: Random;
}

export interface RegistryOptions extends LoadOptions {
  /** Files, folders and packages that replace those of the settings. */
  entries?: readonly string[];
}

/**
 * Opens the registry with the built-in plugins and those of the settings.
 * @throws StartupError for a rejected plugin, if the settings are strict
 */
export async function openRegistry(
  { plugins = '', plugins_strict }: Settings,
  { entries = pluginEntries(plugins), ...options }: RegistryOptions = {},
): Promise<{ registry: Registry; refused_plugins: RefusedPlugin[] }> {
  const registry = new Registry();
  registry.addBuiltIn(BUILT_IN);
  const refused_plugins =
    entries.length === 0 ? [] : await loadPlugins(registry, entries, plugins_strict, options);
  return { registry, refused_plugins };
}

/**
 * Loads plugins, opens the store, sets up the plugins, loads stored changes into memory and starts the writer.
 * @throws StartupError for a rejected plugin, or data that is in use or unusable; the reason of `stopping`
 */
export async function openService(settings: Settings, given: OpenOptions): Promise<Service> {
  const { timers = systemTimers, monotonicMs, stopping, command, address } = given;
  const load = new LoadGauge({ monotonicMs, timers, threshold_ms: settings.lag_ms });
  const options = { ...given, load };
  const watched = (source: string, loading: Promise<void>) =>
    slowly(loading, timers, () => logOf(given).warn({ source }, 'the plugin is still being loaded'));
  const opening = openRegistry(settings, { watched });
  const { registry, refused_plugins } = await untilStopped(opening, stopping);
  // Logged immediately, because a later failure of the start may be caused by a missing plugin.
  warnAboutRefused(refused_plugins, logOf(given));
  const sources = {
    connections: readConnections(settings.connect ?? [], registry),
    webhooks: readWebhooks(settings.webhook ?? [], registry),
  };
  const lease = options.store === undefined ? openLease(settings, timers) : undefined;
  const role = lease === undefined ? 'serve' : 'node';
  const opening_by = {
    command,
    address,
    timers,
    monotonicMs,
    stopping,
    table_changes: lease,
    onUpgrade: upgradeLog(given),
  };
  const opened = { ...settings, role, ...opening_by } as const;
  let store: Store | undefined;
  try {
    store = options.store ?? (await openStore(opened));
    return await startService({ store, registry, refused_plugins }, sources, settings, { ...options, lease });
  } catch (error) {
    await store?.close();
    lease?.close();
    throw error;
  }
}

interface ConfiguredSources {
  connections: readonly Connection[];
  webhooks: readonly ConfiguredWebhook[];
}

/** Sets up the plugins and loads the store's data. After a failure everything except the store is closed. */
async function startService(
  { store, registry, refused_plugins }: Pick<Service, 'store' | 'registry' | 'refused_plugins'>,
  sources: ConfiguredSources,
  settings: Settings,
  options: OpenOptions & Pick<Service, 'load'> & { lease: Lease | undefined },
): Promise<Service> {
  const fields = new Fields(registry.reads());
  const state = new State({ fields, ...(await foldOptions(store)), limits: options.limits });
  const plugin_hosts = hostsFor(registry, state, options);
  const reads = [...registry.reads()];
  let checkpoints: Community['checkpoints'];
  let community: Community | undefined;
  let cluster: ClusterNode | undefined;
  try {
    // Before loading, which may take long, so that a failing plugin is reported immediately.
    const not_set_up = await plugin_hosts.setUp(settings.plugins_strict, options.stopping);
    warnAboutRefused(not_set_up, logOf(options));
    refused_plugins.push(...not_set_up);
    const {
      timers = systemTimers,
      clock = systemClock,
      monotonicMs,
      address = `http://${settings.host}:${settings.port}`,
    } = options;
    const { lease } = options;
    const joining = { registry, state, address, timers, clock, monotonicMs, log: logOf(options) };
    if (lease !== undefined) cluster = await openNode(settings, { ...joining, lease });
    checkpoints = checkpointsOf(store, settings, 'content', { ...options, cluster, reads, state });
    const parts = { store, state, registry, checkpoints, name: 'content' } as const;
    community = await startCommunity(parts, settings, { ...options, cluster });
    const alpha = await openWallets(settings, registry, {
      ...options,
      cluster,
      in_memory: options.store !== undefined,
      is_stopped: () => store.is_stopped,
    });
    await warnAboutWallets(store, logOf(options));
    const { connectors, webhooks } = networksOf(sources, community, options);
    if (cluster !== undefined) await follow(cluster, alpha);
    const { load } = options;
    const log = logOf(options);
    // The same object, because a community changes when its node begins to lead.
    return Object.assign(community, {
      settings,
      alpha,
      plugin_hosts,
      connectors,
      webhooks,
      load,
      refused_plugins,
      log,
    });
  } catch (error) {
    await cluster?.stop();
    await cluster?.leave();
    await community?.retention?.stop();
    await checkpoints?.pause();
    await plugin_hosts.close();
    throw error;
  }
}

/** What brings records of other networks into the community. */
function networksOf(
  sources: ConfiguredSources,
  community: Community,
  options: OpenOptions,
): Pick<Service, 'connectors' | 'webhooks'> {
  const { timers = systemTimers, random = seededRandom(freshSeed()), monotonicMs } = options;
  return {
    connectors: new Connectors(sources.connections, {
      ...community,
      timers,
      random,
      monotonicMs,
      current: (kind) => currentRecords(community, kind),
      logOf: (connector) => limitedLog(logOf(options).child({ connector }), monotonicMs),
    }),
    webhooks: new Webhooks(sources.webhooks, {
      ...community,
      logOf: (webhook) => limitedLog(logOf(options).child({ webhook }), monotonicMs),
    }),
  };
}

/** Leads or follows. Wallets that another node creates are followed as well. */
async function follow(cluster: ClusterNode, alpha: Wallets): Promise<void> {
  let former = Promise.resolve();
  // One at a time, so that the wallets are not opened twice.
  cluster.checkWallets = () => {
    const check = former.then(async () => {
      if (alpha.community === undefined && (await cluster.hasWallets())) await alpha.load();
    });
    former = check.catch(() => {});
    return check;
  };
  await cluster.begin();
}

function warnAboutRefused(refusals: readonly RefusedPlugin[], log: Logger): void {
  for (const { code, message } of refusals) log.warn({ code }, message);
}

/** Warns if wallet events cannot be stored. A failure of the check does not prevent the start. */
async function warnAboutWallets(store: Store, log: Logger): Promise<void> {
  try {
    const refusal = await store.walletsRefusal();
    if (refusal === undefined) return;
    const { code, remedy, message } = refusal;
    log.warn({ code, remedy }, `${message}: all of them will be rejected`);
  } catch (error) {
    log.warn({ cause: rootReasonOf(error) }, 'could not check whether wallet events can be stored');
  }
}

function hostsFor(registry: Registry, { users, items }: State, options: OpenOptions): PluginHosts {
  const log = logOf(options);
  return new PluginHosts(registry, {
    users: users.names,
    items: items.names,
    timers: options.timers ?? systemTimers,
    logOf: (plugin) => limitedLog(log.child({ plugin }), options.monotonicMs),
  });
}

/**
 * Lets another node lead, before this process has answered its last requests: they are served to their end, but nothing
 * is stored any more. Only a leader with followers does anything.
 *
 * Connectors, checkpoints and retention get no time to end. What they still write is refused, and the next leader does
 * that work.
 */
export async function handOver({ cluster, store, alpha, ...background }: Service): Promise<void> {
  if (!cluster?.leads_others) return;
  void background.connectors.stop();
  void background.retention?.stop();
  void background.checkpoints?.pause();
  await cluster.stop();
  await Promise.all([store.endWriting(), alpha.endWriting()]);
  await cluster.leave();
}

/**
 * Drains the queue, removes erased data from the tables, closes the store, and ends the plugins.
 *
 * Data that a reader still needs is left to the next start.
 * @throws StartupError `purge_failed` if erased data could not be removed; the store is closed nevertheless
 */
export async function closeService(service: Service): Promise<void> {
  service.store.stopWaiting();
  await service.connectors.stop();
  // A promotion that is under way starts retention and checkpoints, so it ends first.
  await service.cluster?.stop();
  await service.retention?.stop();
  await service.checkpoints?.pause();
  const { log } = service;
  const { is_stopped, writes } = service.store;
  if (is_stopped) log.warn('the store is read-only: the next start removes erased data');
  // The next leader purges.
  const { is_lost, has_peers } = service.cluster ?? {};
  const follows = !writes || is_lost === true || has_peers === true;
  const purging = is_stopped || follows ? undefined : purgeCommunity(service);
  const [purged, wallets] = await Promise.allSettled([purging, service.alpha.close()]);
  try {
    await service.store.close();
  } finally {
    // First of all the lease, unless `handOver` gave it up: other nodes cannot write until they have it.
    await service.cluster?.leave();
    await service.plugin_hosts.close();
  }
  if (wallets.status === 'rejected')
    log.error({ cause: reasonOf(wallets.reason) }, 'the store of wallet events could not be closed');
  if (purged.status === 'fulfilled') return;
  if (purged.reason instanceof StillNeeded) {
    const { message: cause } = purged.reason;
    log.warn({ cause }, 'erased data cannot be removed from the files yet; the next start continues');
    return;
  }
  const reason = rootReasonOf(purged.reason);
  if (service.cluster !== undefined) {
    log.warn({ cause: reason }, 'erased data could not be removed; the next leader removes it');
    return;
  }
  throw new StartupError(
    'purge_failed',
    `stopped, but erased data could not be removed from the store (${reason}); the next start removes it`,
    'start the service again once the store can be written',
  );
}
