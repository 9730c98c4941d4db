import { BUILT_IN } from '../plugins/index.ts';
import { type Clock, clockStartingAt, systemClock } from './clock.ts';
import type { StartupError } from './errors.ts';
import { SavedFeeds } from './feed/saved-feeds.ts';
import { FeedService } from './feed/serve-feed.ts';
import { Ingest } from './ingest/ingest.ts';
import { createLanguageDetector } from './ingest/records/index.ts';
import { loadPlugins } from './registry/loader.ts';
import { Registry } from './registry/registry.ts';
import type { Settings } from './settings.ts';
import { State } from './state/state.ts';
import { openStore, type Store } from './store/store.ts';

/** Everything that one running community consists of. */
export interface Service {
  settings: Settings;
  clock: Clock;
  state: State;
  store: Store;
  registry: Registry;
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
 * Opens the store, loads plugins, folds the stored changes into memory and starts the writer.
 * @throws StartupError for a refused plugin, or data that is in use or unusable
 */
export async function openService(settings: Settings, options: OpenOptions): Promise<Service> {
  const { registry, refused_plugins } = await openRegistry(settings);
  const store = await openStore({ ...settings, role: 'serve', command: options.command });
  try {
    return await startOn(store, registry, refused_plugins, settings, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startOn(
  store: Store,
  registry: Registry,
  refused_plugins: StartupError[],
  settings: Settings,
  options: OpenOptions,
): Promise<Service> {
  const clock = options.clock ?? (settings.now === undefined ? systemClock : clockStartingAt(settings.now));
  const state = new State();
  const start_ms = options.monotonicMs();
  const { changes, highest_applied_at } = await store.replay((change) => state.apply(change));
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
  const feeds = new FeedService({ ...settings, state, store, ingest, registry, saved_feeds, clock });
  return { settings, clock, state, store, registry, ingest, feeds, saved_feeds, refused_plugins, loaded };
}

/**
 * The clock that changes are stamped with. When the machine's is set back, what happens now is still later
 * than what is stored: an act without a time of its own is news.
 */
function neverBehind(state: State, clock: Clock): Clock {
  return { now: () => Math.max(clock.now(), state.applied_at) };
}

/**
 * Lets the queue drain, removes what erasures left in the tables, and lets go of the store.
 * @throws Error when what erasures left could not be removed; the store is closed all the same
 */
export async function closeService(service: Service): Promise<void> {
  const [purged] = await Promise.allSettled([service.store.purge()]);
  await service.store.close();
  if (purged.status === 'fulfilled') return;
  const message =
    'stopped, but what erasures left in the store could not be removed; the next clean stop will';
  throw new Error(message, { cause: purged.reason });
}
