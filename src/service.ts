import pino, { type Logger } from 'pino';
import { BUILT_IN } from '../plugins/index.ts';
import { type Clock, clockStartingAt, systemClock, systemTimers, type Timers } from './clock.ts';
import type { StartupError } from './errors.ts';
import { SavedFeeds } from './feed/saved-feeds.ts';
import { FeedService } from './feed/serve-feed.ts';
import { Ingest } from './ingest/ingest.ts';
import { createLanguageDetector } from './ingest/records/index.ts';
import { loadPlugins } from './registry/loader.ts';
import { PluginHosts } from './registry/plugin-hosts.ts';
import { Registry } from './registry/registry.ts';
import type { Settings } from './settings.ts';
import { Fields } from './state/fields.ts';
import { State } from './state/state.ts';
import { openStore, type Store } from './store/store.ts';

/** Everything that one running community consists of. */
export interface Service {
  settings: Settings;
  clock: Clock;
  state: State;
  store: Store;
  registry: Registry;
  plugin_hosts: PluginHosts;
  ingest: Ingest;
  feeds: FeedService;
  saved_feeds: SavedFeeds;
  /** Plugins that were refused and left out (`plugins_strict` false). */
  refused_plugins: StartupError[];
  /** What the start-up fold took. */
  loaded: { changes: number; milliseconds: number };
}

export interface OpenOptions {
  /** The command, as the next process that wants the data folder is told. */
  command: string;
  /** Replaces the clock that the settings ask for. */
  clock?: Clock;
  /** Milliseconds from an arbitrary start, for the start-up report. */
  monotonicMs: () => number;
  /** Where plugins write to; absent: nowhere. */
  log?: Logger;
  /** What plugins' periodic work waits for; default the machine's. */
  timers?: Timers;
  /** Aborted: opening ends soon, with the signal's reason, and everything is let go of. */
  stopping?: AbortSignal;
}

/**
 * The built-in plugins and those that the settings name.
 * @throws StartupError for a refused plugin, when the settings are strict
 */
export async function openRegistry({
  plugins,
  plugins_strict,
}: Settings): Promise<{ registry: Registry; refused_plugins: StartupError[] }> {
  const registry = new Registry();
  registry.addBuiltIn(BUILT_IN);
  const refused_plugins = plugins === undefined ? [] : await loadPlugins(registry, plugins, plugins_strict);
  return { registry, refused_plugins };
}

/**
 * Loads plugins, opens the store, sets the plugins up, folds the stored changes into memory and starts the
 * writer.
 * @throws StartupError for a refused plugin, or data that is in use or unusable; what `stopping` is aborted with
 */
export async function openService(settings: Settings, options: OpenOptions): Promise<Service> {
  const { registry, refused_plugins } = await openRegistry(settings);
  const store = await openStore({ ...settings, role: 'serve', command: options.command });
  const state = new State({ fields: new Fields(registry.reads()) });
  const plugin_hosts = hostsFor(registry, state, options);
  try {
    // Before the fold, which may take long: a plugin that cannot start is known at once.
    refused_plugins.push(...(await plugin_hosts.setUp(settings.plugins_strict)));
    const started = await startOn(store, state, registry, settings, options);
    return { ...started, settings, state, store, registry, plugin_hosts, refused_plugins };
  } catch (error) {
    await plugin_hosts.close();
    await store.close();
    throw error;
  }
}

function hostsFor(registry: Registry, { users, items }: State, options: OpenOptions): PluginHosts {
  const log = options.log ?? pino({ enabled: false });
  return new PluginHosts(registry, {
    users: users.names,
    items: items.names,
    timers: options.timers ?? systemTimers,
    logOf: (plugin) => log.child({ plugin }),
  });
}

async function startOn(
  store: Store,
  state: State,
  registry: Registry,
  settings: Settings,
  options: OpenOptions,
): Promise<Pick<Service, 'clock' | 'ingest' | 'feeds' | 'saved_feeds' | 'loaded'>> {
  const clock = options.clock ?? (settings.now === undefined ? systemClock : clockStartingAt(settings.now));
  const start_ms = options.monotonicMs();
  const { changes, highest_applied_at, keys_from } = await store.replay((change) => state.apply(change), {
    slice: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      options.stopping?.throwIfAborted();
    },
  });
  state.users.names.skipTo(keys_from.user);
  state.items.names.skipTo(keys_from.item);
  const loaded = { changes, milliseconds: options.monotonicMs() - start_ms };
  const stamps = neverBehind(state, clock);
  const ingest = new Ingest(state, store, stamps, createLanguageDetector(), settings.write_queue);
  await store.startWriter({
    onCommitted: (committed) => ingest.committed(committed),
    onFailed: () => ingest.failed(),
    last_applied_at: highest_applied_at,
  });
  const saved_feeds = new SavedFeeds(registry, store.feeds, clock);
  await saved_feeds.load();
  options.stopping?.throwIfAborted();
  const feeds = new FeedService({ ...settings, state, store, ingest, registry, saved_feeds, clock });
  return { clock, ingest, feeds, saved_feeds, loaded };
}

/**
 * The clock that changes are stamped with. When the machine's is set back, what happens now is still later
 * than what is stored: an act without a time of its own is news.
 */
function neverBehind(state: State, clock: Clock): Clock {
  return { now: () => Math.max(clock.now(), state.applied_at) };
}

/**
 * Lets the queue drain, removes what erasures left in the tables, lets go of the store, and ends the plugins.
 * @throws Error when what erasures left could not be removed; the store is closed all the same
 */
export async function closeService(service: Service): Promise<void> {
  const [purged] = await Promise.allSettled([service.store.purge()]);
  await service.store.close().finally(() => service.plugin_hosts.close());
  if (purged.status === 'fulfilled') return;
  const message = 'stopped, but what erasures left in the store could not be removed; the next start will';
  throw new Error(message, { cause: purged.reason });
}
