import { FOR_WALLETS } from '../plugins/index.ts';
import { Alpha, type WalletCommunity } from './alpha/alpha.ts';
import { catalogProvider } from './alpha/catalog.ts';
import { MetadataFetcher } from './alpha/metadata-fetcher.ts';
import { openProvider } from './alpha/provider.ts';
import { systemTimers } from './clock.ts';
import {
  type CommunityOptions,
  checkpointsOf,
  logOf,
  purgeCommunity,
  startCommunity,
  upgradeLog,
} from './community.ts';
import { rootReasonOf, ServiceError, StartupError } from './errors.ts';
import { limitedLog } from './limited-log.ts';
import { Registry } from './registry/registry.ts';
import type { Settings } from './settings.ts';
import { State } from './state/state.ts';
import { WALLETS } from './state/vocabulary.ts';
import { openStore } from './store/open-store.ts';
import { takenOver, writtenElsewhere } from './store/refusals.ts';
import type { Store } from './store/store.ts';
import { VolatileStore } from './store/volatile.ts';

export interface WalletsOptions extends CommunityOptions {
  /** As in `StoreOptions`. */
  command: string;
  /** Keeps the community in memory, whatever the settings are. */
  in_memory: boolean;
  /** Whether another process has taken over the data. Then this one must not open the wallets. */
  is_stopped: () => boolean;
}

const NOT_TIDIED =
  'what was learnt about wallets could not be stored, or erased data not removed; the next start does it';

/**
 * As `purgeCommunity`, for the wallets. It waits for no other node, since nodes tell only what they applied of the content:
 * one that is behind loads its wallets again.
 */
export function purgeWallets({
  ingest,
  store,
  state,
  checkpoints,
}: Pick<WalletCommunity, 'ingest' | 'store' | 'state' | 'checkpoints'>): Promise<void> {
  return purgeCommunity({ ingest, store, state, checkpoints });
}

export function walletRegistry(): Registry {
  const registry = new Registry();
  registry.addBuiltIn(FOR_WALLETS);
  return registry;
}

/**
 * Opens the community of wallets beside a community of content, whose lock covers both.
 * @param plugins contains metadata providers; `catalog` is added
 * @throws StartupError for unusable data and an unknown metadata provider
 */
export async function openWallets(
  settings: Settings,
  plugins: Registry,
  options: WalletsOptions,
): Promise<Alpha> {
  const registry = walletRegistry();
  const log = logOf(options);
  const alpha = new Alpha({
    chain: settings.chain,
    registry,
    // A community that is created while the service runs is not part of the start, so the start's signal does not
    // apply.
    open: (create) =>
      openCommunity(settings, registry, create, create ? { ...options, stopping: undefined } : options),
    close: async ({ ingest, store, state, checkpoints, retention }) => {
      store.stopWaiting();
      await retention?.stop();
      await checkpoints?.pause();
      const { is_lost, has_peers } = options.cluster ?? {};
      // Among nodes, the next leader purges.
      if (store.writes && is_lost !== true && has_peers !== true) {
        await purgeWallets({ ingest, store, state, checkpoints }).catch((error) =>
          log.warn({ cause: rootReasonOf(error) }, NOT_TIDIED),
        );
      }
      await store.close();
    },
  });
  plugins.addBuiltIn({ metadata_providers: { catalog: catalogProvider(alpha.catalogued) } });
  const id = settings.metadata_provider;
  const provide = openProvider(plugins, settings);
  if (id !== 'catalog') {
    const { monotonicMs, timers = systemTimers } = options;
    const parts = { monotonicMs, timers, log: limitedLog(log, monotonicMs) };
    alpha.fetcher = new MetadataFetcher({ id, provide, ...parts });
  }
  await alpha.load();
  return alpha;
}

async function openCommunity(
  settings: Settings,
  registry: Registry,
  create: boolean,
  options: WalletsOptions,
): Promise<WalletCommunity | undefined> {
  const store = await storeOf(settings, create, options);
  if (store === undefined) return undefined;
  try {
    const learns_from = await store.latestTrend();
    const state = new State({
      vocabulary: WALLETS,
      learns_from,
      hash_key: await store.hashKey(),
      limits: options.limits,
    });
    const checkpoints = checkpointsOf(store, settings, 'wallets', { ...options, reads: [] });
    return await startCommunity({ store, state, registry, checkpoints, name: 'wallets' }, settings, options);
  } catch (error) {
    await store.close();
    throw create ? notCreated(error) : error;
  }
}

/** Opens the store. Undefined if there is no data and none is to be created. */
async function storeOf(
  settings: Settings,
  create: boolean,
  options: WalletsOptions,
): Promise<Store | undefined> {
  const { command, in_memory, is_stopped, stopping, cluster } = options;
  if (in_memory) return create ? new VolatileStore() : undefined;
  // Only the node that leads may create a schema.
  if (create && cluster?.role === 'follower') throw writtenElsewhere();
  if (is_stopped()) {
    if (!create) throw takenOver();
    const detail = 'writes are rejected until the service is restarted';
    throw new ServiceError('store_unavailable', detail, undefined, 5);
  }
  try {
    const role = cluster === undefined ? 'serve' : 'node';
    const place = {
      ...settings,
      community: 'wallets',
      role,
      command,
      stopping,
      onUpgrade: upgradeLog(options),
    } as const;
    return await openStore({ ...place, must_exist: !create });
  } catch (error) {
    if (create) throw notCreated(error);
    if (error instanceof StartupError && error.code === 'no_data') return undefined;
    throw error;
  }
}

/** The error for the sender of the first event, if the wallets' store cannot be created. The log gets the reason. */
function notCreated(error: unknown): unknown {
  if (!(error instanceof StartupError)) return error;
  const detail = 'the store of wallet events cannot be created; the log says why';
  return new ServiceError('store_unavailable', detail, undefined, 5, { cause: error });
}
