import { setImmediate as nextTurn } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { Checkpoints } from './checkpoint/checkpoints.ts';
import { fold } from './checkpoint/fold.ts';
import { type Clock, clockStartingAt, SteadyClock, systemClock, systemTimers, type Timers } from './clock.ts';
import { rootReasonOf } from './errors.ts';
import type { LoadGauge } from './feed/load-gauge.ts';
import { SavedFeeds } from './feed/saved-feeds.ts';
import { FeedService } from './feed/serve-feed.ts';
import { Ingest } from './ingest/ingest.ts';
import { createLanguageDetector } from './ingest/records/index.ts';
import { Retention } from './ingest/retention.ts';
import { LIMITS } from './limits.ts';
import type { Read } from './plugin/index.ts';
import type { Registry } from './registry/registry.ts';
import type { Settings } from './settings.ts';
import type { StateLimits } from './state/limits.ts';
import type { State } from './state/state.ts';
import type { CommunityName } from './store/connection.ts';
import { cannotBeRead } from './store/refusals.ts';
import type { Store } from './store/store.ts';

/** One community at work: who is in it, what they did, and the feeds that are made of it. */
export interface Community {
  state: State;
  store: Store;
  registry: Registry;
  /** The time as the outside has it. */
  clock: Clock;
  /** What changes are stamped with: never behind what is stored, so what happens now is later than that, and news. */
  stamps: Clock;
  ingest: Ingest;
  feeds: FeedService;
  saved_feeds: SavedFeeds;
  /** Absent where nothing outlasts the process. */
  checkpoints?: Checkpoints;
  /** Absent where nothing is retired. */
  retention?: Retention;
  /** What the start took: a checkpoint that holds every change up to `checkpoint_seq`, and changes folded. */
  loaded: { checkpoint_seq: number; changes: number; milliseconds: number };
}

export interface CommunityOptions {
  /** Replaces the clock that the settings ask for. */
  clock?: Clock;
  /** Milliseconds from an arbitrary start, for the start-up report. */
  monotonicMs: () => number;
  /** Where plugins write to, and what is said of them; absent: nowhere. */
  log?: Logger;
  /** Aborted: opening ends soon, with the signal's reason, and everything is let go of. */
  stopping?: AbortSignal;
  /** Checkpoints are written now and then, and what is left of useless ones is removed. */
  writes_checkpoints?: boolean;
  /** Items that are too old are retired, if the settings say when they are, and the tables purged of them. */
  retires_items?: boolean;
  /** What periodic work waits for; default the machine's. */
  timers?: Timers;
  /** Tells how much effort requests are worth; absent: all of it. */
  load?: LoadGauge;
  /** As of `StoreOptions`: what is learnt, the import itself stores. */
  imports?: boolean;
  /** How much memory is to hold, where that is less than it can: for tests. */
  limits?: Partial<StateLimits>;
}

export function logOf({ log }: CommunityOptions): Logger {
  return log ?? pino({ enabled: false });
}

/** The checkpoints of a community's data; undefined where it ends with the process. */
export function checkpointsOf(
  { checkpoints: book }: Store,
  { data, database_url, checkpoint_changes, checkpoint_seconds }: Settings,
  community: CommunityName,
  options: CommunityOptions & { reads: Read[] },
): Checkpoints | undefined {
  if (book === undefined) return undefined;
  return new Checkpoints({
    place: { data, database_url, community },
    book,
    reads: options.reads,
    log: logOf(options),
    changes: checkpoint_changes,
    every_seconds: checkpoint_seconds,
  });
}

/**
 * Brings an empty state up to what is stored, by way of the checkpoint if there is one, and starts the writer.
 * @throws StartupError for data that cannot be used; what `stopping` is aborted with
 */
export async function startCommunity(
  { store, state, registry, checkpoints }: Pick<Community, 'store' | 'state' | 'registry' | 'checkpoints'>,
  settings: Settings,
  options: CommunityOptions,
): Promise<Community> {
  const clock = options.clock ?? (settings.now === undefined ? systemClock : clockStartingAt(settings.now));
  const start_ms = options.monotonicMs();
  const slice = async (): Promise<void> => {
    await nextTurn();
    options.stopping?.throwIfAborted();
  };
  const checkpoint_seq = (await checkpoints?.load(state, slice)) ?? 0;
  const { changes } = await fold(store, state, checkpoint_seq, slice);
  state.reports.arrange();
  const loaded = { checkpoint_seq, changes, milliseconds: options.monotonicMs() - start_ms };
  const log = logOf(options);
  const stamps = new SteadyClock(
    clock,
    () => state.applied_at,
    (ahead_seconds) => tellOfAhead(ahead_seconds, log),
  );
  const ingest = new Ingest(state, store, stamps, createLanguageDetector(), settings.write_queue);
  let feeds: FeedService | undefined;
  await store.startWriter({
    onCommitted: (committed) => {
      ingest.committed(committed);
      feeds?.keepUp();
    },
    onFailed: () => ingest.failed(),
    onStopped: ({ message }) =>
      log.error(
        { cause: message },
        'nothing is written any more, and pages are no longer up to date; start the service again',
      ),
    last_applied_at: state.applied_at,
  });
  const saved_feeds = new SavedFeeds(registry, store.feeds, clock, settings, state);
  await saved_feeds.load().catch((error) => Promise.reject(cannotBeRead(error)));
  options.stopping?.throwIfAborted();
  if (options.writes_checkpoints) await checkpoints?.begin(options.timers ?? systemTimers, () => state.seq);
  tellOfLimits(ingest, log);
  stamps.tell();
  const { load, monotonicMs } = options;
  const given = { ...settings, state, store, ingest, registry, saved_feeds, clock, log, load, monotonicMs };
  feeds = new FeedService(given);
  const parts = { state, store, registry, clock, stamps, ingest, feeds, saved_feeds, checkpoints, loaded };
  return {
    ...parts,
    retention: options.retires_items ? beginRetention(parts, settings, options) : undefined,
  };
}

/** Warns that the clock was, or is, wrong by so much: what is new counts as old until it has been caught up. */
function tellOfAhead(ahead_seconds: number, log: Logger): void {
  const remedy =
    'if the clock is right, export the data and import it into an empty folder: what lies ahead is then dated to the present';
  log.warn(
    { ahead_seconds, remedy },
    'what is stored last is dated ahead of the clock: until that is reached, what happens is dated after it, and trending pages show what is new too low',
  );
}

/** Warns of limits of the state that are nearly reached. */
function tellOfLimits({ room }: Ingest, log: Logger): void {
  const near = Object.entries(room.shares()).filter(([, share]) => share > LIMITS.state_limit_told_share);
  if (near.length === 0) return;
  const remedy =
    'delete what is not needed, or let old items retire; where names run out (user_keys, item_keys), export the data and import it into an empty folder';
  log.warn(
    { shares: Object.fromEntries(near), remedy },
    'limits of the state are nearly reached: what exceeds one of them will be refused',
  );
}

function beginRetention(community: Community, settings: Settings, options: CommunityOptions): Retention {
  const { state, ingest, clock, stamps, store, checkpoints } = community;
  const log = logOf(options);
  const retention = new Retention({
    state,
    ingest,
    clock,
    stamps,
    timers: options.timers ?? systemTimers,
    days: settings.retention_days,
    purge: async (stopping) => {
      if (!(await store.hasRetired())) return;
      await ingest.trend.save();
      const purge = () => store.purgeRetired(stopping);
      await (checkpoints === undefined ? purge() : checkpoints.around(purge));
    },
    onRetired: (items) => log.info({ items }, 'items retired'),
    onFailed: (error) =>
      log.warn(
        { cause: rootReasonOf(error) },
        'old items could not be retired or purged now; it will be tried again',
      ),
  });
  retention.begin();
  return retention;
}

/**
 * Stores what has been learnt, then removes what erasures left in the tables, from which it was learnt.
 * @throws ServiceError `store_unavailable`, `shutting_down`; StillNeeded as `Store.purge`
 */
export async function purgeCommunity({
  ingest,
  store,
  checkpoints,
}: Pick<Community, 'ingest' | 'store' | 'checkpoints'>): Promise<void> {
  await ingest.trend.save();
  if (checkpoints === undefined) await store.purge();
  else await checkpoints.around(() => store.purge());
}
