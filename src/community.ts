import { setImmediate as nextTurn } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { Checkpoints } from './checkpoint/checkpoints.ts';
import { fold } from './checkpoint/fold.ts';
import { type Clock, clockOf, SteadyClock, systemTimers, type Timers } from './clock.ts';
import type { ClusterNode } from './cluster/node.ts';
import { shownSender } from './cluster/shown-at-leader.ts';
import { rootReasonOf } from './errors.ts';
import { Experiments } from './experiments/experiments.ts';
import { Exposure } from './exposure/exposure.ts';
import { SavedFeeds } from './feeds/saved-feeds.ts';
import { createLanguageDetector } from './ingest/detect-language.ts';
import { Ingest } from './ingest/ingest.ts';
import { Retention } from './ingest/retention.ts';
import { saveShownCounts } from './ingest/shown-counts.ts';
import type { ShownLog } from './ingest/shown-log.ts';
import { LIMITS } from './limits.ts';
import { People } from './people/people.ts';
import type { Read } from './plugin/index.ts';
import type { Registry } from './registry/registry.ts';
import { KnownViewers } from './seen/known-viewers.ts';
import { SeenBook } from './seen/seen-book.ts';
import { sweepSeen } from './seen/sweep.ts';
import type { Consistency } from './serve/consistency.ts';
import type { LoadGauge } from './serve/load-gauge.ts';
import { SeenReports } from './serve/seen-reports.ts';
import { FeedService, type FeedServiceOptions } from './serve/serve-feed.ts';
import type { Settings } from './settings.ts';
import type { StateLimits } from './state/limits.ts';
import { MissedChanges } from './state/missed-changes.ts';
import type { State } from './state/state.ts';
import type { CommunityName } from './store/connection.ts';
import { cannotBeRead } from './store/refusals.ts';
import type { Store } from './store/store.ts';
import type { OnUpgrade } from './store/upgrade.ts';

/** One running community: its state, its store, and the feeds made from it. */
export interface Community {
  state: State;
  store: Store;
  registry: Registry;
  /** The real time. */
  clock: Clock;
  /**
   * The clock that changes are stamped with.
   *
   * Never behind stored changes, so that new changes are later than these.
   */
  stamps: Clock;
  ingest: Ingest;
  feeds: FeedService;
  people: People;
  /** What clients report as seen. */
  seen_reports: SeenReports;
  saved_feeds: SavedFeeds;
  experiments: Experiments;
  /** What was shown to viewers, as numbers. */
  exposure: Exposure;
  /** What viewers have seen. */
  seen: SeenBook;
  /** Absent if the data ends with the process. */
  checkpoints?: Checkpoints;
  /** Absent if items are not retired. */
  retention?: Retention;
  /**
   * The node that this process is. Absent if one process has the data to itself, and for wallets: a node that is behind
   * with wallets loads them again, so nothing waits for what it has applied of them.
   */
  cluster?: ClusterNode;
  /** What the start loaded: a checkpoint up to `checkpoint_seq`, then later changes. */
  loaded: { checkpoint_seq: number; changes: number; milliseconds: number };
}

export interface CommunityOptions {
  clock?: Clock;
  /** Milliseconds since an arbitrary start, for the start-up report. */
  monotonicMs: () => number;
  /** The log of the community and of plugins. Absent: nothing is logged. */
  log?: Logger;
  /** When aborted, opening ends soon with the signal's reason, and everything is closed. */
  stopping?: AbortSignal;
  /** Write checkpoints when they are due, and remove useless ones. */
  writes_checkpoints?: boolean;
  /** Log shown pages for learning. */
  logs_shown?: boolean;
  /** Gets shown pages instead of the log. */
  shown?: Pick<ShownLog, 'add'>;
  /** Retire items beyond the retention period of the settings, and purge them from the tables. */
  retires_items?: boolean;
  cluster?: ClusterNode;
  timers?: Timers;
  /** The current load, which determines the effort. Absent: full effort. */
  load?: LoadGauge;
  /** Smaller limits of memory, for tests. */
  limits?: Partial<StateLimits>;
  watchPage?: FeedServiceOptions['watchPage'];
  watchCommit?(engine: string, changes: number): ((error?: unknown) => void) | undefined;
}

/** The log of the options, or one that drops every line. */
export function logOf({ log }: CommunityOptions): Logger {
  return log ?? pino({ enabled: false });
}

/** What a node adds to the feeds of one of its communities. */
function consistencyOf(cluster: ClusterNode | undefined, name: CommunityName): Consistency | undefined {
  return cluster && { current: (given_up) => cluster.current(name, given_up) };
}

/** Logs an upgrade of older data, a line per percent. */
export function upgradeLog(options: CommunityOptions): OnUpgrade {
  let logged = -1;
  return ({ pages_done, pages_total }) => {
    const percent = Math.floor((100 * pages_done) / pages_total);
    if (percent === logged) return;
    logged = percent;
    logOf(options).info({ percent, pages_done, pages_total }, 'moving recorded pages to rows of viewers');
  };
}

/** The checkpoints of a community's data. Undefined if the data ends with the process. */
export function checkpointsOf(
  { checkpoints: checkpoint_store }: Store,
  { data, database_url, checkpoint_changes, checkpoint_seconds }: Settings,
  community: CommunityName,
  options: CommunityOptions & { reads: Read[]; state: State },
): Checkpoints | undefined {
  if (checkpoint_store === undefined) return undefined;
  // The wallets are small enough to be read from the log.
  const transfer = community === 'content' ? options.cluster?.checkpoints : undefined;
  return new Checkpoints({
    place: { data, database_url, community },
    checkpoint_store,
    reads: options.reads,
    hasWords: () => options.state.words.is_complete,
    log: logOf(options),
    changes: checkpoint_changes,
    every_seconds: checkpoint_seconds,
    obtain: transfer && ((...wanted) => transfer.obtain(...wanted)),
  });
}

export interface Parts extends Pick<Community, 'store' | 'state' | 'registry' | 'checkpoints'> {
  name: CommunityName;
}

/**
 * Loads the checkpoint, if there is one, and all later changes into an empty state, and starts the writer, unless this
 * process is a node that may follow another.
 * @throws StartupError for unusable data; the reason of `stopping`
 */
export async function startCommunity(
  { store, state, registry, checkpoints, name }: Parts,
  settings: Settings,
  options: CommunityOptions,
): Promise<Community> {
  const start_ms = options.monotonicMs();
  const { clock = clockOf(settings), load, timers, monotonicMs, cluster, watchPage, watchCommit } = options;
  const slice = async (): Promise<void> => {
    await nextTurn();
    options.stopping?.throwIfAborted();
  };
  const purged_seq = cluster === undefined ? 0 : await purgedSeqOf(store);
  const checkpoint_seq = (await checkpoints?.load(state, slice)) ?? 0;
  const missed = new MissedChanges(state);
  const { changes, highest_seq } = await fold(store, state, checkpoint_seq, slice);
  missed.end();
  state.reports.arrange();
  const loaded = { checkpoint_seq, changes, milliseconds: options.monotonicMs() - start_ms };
  const log = logOf(options);
  const onAhead = (ahead_seconds: number) => warnAhead(ahead_seconds, log);
  const stamps = new SteadyClock(clock, () => state.applied_at, onAhead);
  const seen = await seenBook(store, stamps, settings, cluster);
  const logs = { timers: timers ?? systemTimers, sender: cluster && (() => shownSender(cluster)) };
  const ingest = new Ingest(state, store, stamps, createLanguageDetector(), seen, settings.write_queue, logs);
  let feeds: FeedService | undefined;
  const startWriter = () =>
    store.startWriter({
      onCommitted: (committed) => followed(ingest.committed(committed), () => feeds?.upkeep.keepUp()),
      onFailed: () => ingest.failed(),
      onSubmitted: watchCommit && ((changes) => watchCommit(store.engine, changes)),
      onStopped: ({ message }) => writingStopped(message, cluster, log),
      last_applied_at: state.applied_at,
    });
  if (cluster === undefined) await startWriter();
  const saved_feeds = new SavedFeeds(registry, store.feeds, clock, settings, state);
  await saved_feeds.keepUp().catch((error) => Promise.reject(cannotBeRead(error)));
  options.stopping?.throwIfAborted();
  if (registry.reads_words || state.preferences.name_words) state.words.want();
  const experiments = new Experiments({ state, store, saved_feeds, stamps, seen });
  const exposure = new Exposure({ state, store, clock, monotonicMs });
  const stores = { state, store, ingest, registry, saved_feeds, experiments, exposure };
  const log_shown = options.shown ?? (options.logs_shown ? ingest.shown : undefined);
  const shown = name === 'content' ? log_shown : undefined;
  const consistency = consistencyOf(cluster, name);
  const of_node = { consistency, consistency_default: settings.consistency };
  const recording = { seen, shown, cursor_secret: await store.cursorSecret() };
  const from_options = { clock, timers, log, load, monotonicMs, watchPage };
  const serving = { ...settings, ...stores, ...from_options, ...of_node, ...recording };
  feeds = new FeedService(serving);
  const people = new People(serving);
  const seen_reports = new SeenReports({ state, clock: stamps, ...recording });
  const lists = feeds.upkeep.storedLists(missed);
  if (lists !== undefined) await checkpoints?.loadLists(lists, slice);
  warnAboutLimits(ingest, log);
  stamps.warnIfAhead();
  const parts = { ...stores, seen, clock, stamps, feeds, seen_reports, people, checkpoints, loaded };
  const community: Community = { ...parts, cluster: name === 'content' ? cluster : undefined };
  const beginUpkeep = async (): Promise<void> => {
    if (options.writes_checkpoints) await checkpoints?.begin(options.timers ?? systemTimers, () => state.seq);
    if (options.retires_items) community.retention = beginRetention(community, settings, options);
  };
  if (cluster === undefined) await beginUpkeep();
  else {
    const beginWriting = () => startWriter().then(beginUpkeep);
    checkpoints?.follow(options.timers ?? systemTimers);
    await cluster.add(name, { ...parts, beginWriting }, { applied_seq: highest_seq, purged_seq });
  }
  return community;
}

/** Calls `keepUp` after changes. @param applying if they are not applied yet @returns what the next changes wait for */
function followed(applying: Promise<void> | undefined, keepUp: () => void): Promise<void> | undefined {
  keepUp();
  return applying?.then(keepUp);
}

async function seenBook(
  store: Store,
  clock: Clock,
  { seen_cache_mb, seen_days }: Settings,
  cluster: ClusterNode | undefined,
): Promise<SeenBook> {
  return new SeenBook({
    store: store.seen,
    key: await store.seenKey(),
    clock,
    is_shared: cluster !== undefined,
    cache_bytes_max: seen_cache_mb * 2 ** 20,
    days_kept: seen_days,
  });
}

/** Rows up to this `seq` may be missing, because they were purged. @throws StartupError */
async function purgedSeqOf({ log }: Store): Promise<number> {
  const head = await log?.head().catch((error) => Promise.reject(cannotBeRead(error)));
  return head?.purged_seq ?? 0;
}

/** A node loads its state again, and then follows the node that writes. Any other process must be restarted. */
function writingStopped(cause: string, cluster: ClusterNode | undefined, log: Logger): void {
  if (cluster !== undefined) cluster.fail(`its writes have stopped (${cause})`);
  else log.error({ cause }, 'writes have stopped, and pages are no longer up to date; restart the service');
}

/** Warns that stored changes are ahead of the clock. Until the clock has caught up, new items count as old. */
function warnAhead(ahead_seconds: number, log: Logger): void {
  const remedy =
    'if the clock is right, export the data and import it into an empty folder: the import moves future times to the present';
  log.warn(
    { ahead_seconds, remedy },
    'the latest stored change is ahead of the clock: until the clock has caught up, new changes are dated after it, and trending pages rank new items too low',
  );
}

/** Warns about limits of the state that are nearly reached. */
function warnAboutLimits({ capacity }: Ingest, log: Logger): void {
  const near = Object.entries(capacity.shares()).filter(
    ([, share]) => share > LIMITS.state_limit_warned_share,
  );
  if (near.length === 0) return;
  const remedy =
    'delete unneeded data, or set a retention period; for user_keys and item_keys, export the data and import it into an empty folder';
  log.warn(
    { shares: Object.fromEntries(near), remedy },
    'limits of the state are nearly reached: records that exceed a limit will be rejected',
  );
}

function beginRetention(community: Community, settings: Settings, options: CommunityOptions): Retention {
  const { state, ingest, clock, store, checkpoints } = community;
  const log = logOf(options);
  const retention = new Retention({
    state,
    ingest,
    clock,
    timers: options.timers ?? systemTimers,
    days: settings.retention_days,
    purge: async (stopping) => {
      if (!(await store.hasRetired())) return;
      await ingest.trend.save();
      await community.cluster?.followersReached(state.seq);
      const purge = () => store.purgeRetired(stopping);
      await (checkpoints === undefined ? purge() : checkpoints.around(purge));
    },
    onRetired: (items) => log.info({ items }, 'items retired'),
    onFailed: (error) =>
      log.warn(
        { cause: rootReasonOf(error) },
        'old items could not be retired or purged; the service will try again',
      ),
  });
  retention.begin();
  return retention;
}

/**
 * Stores what has been learnt, then removes erased data from the tables.
 *
 * The order matters, since the erased data was used for learning.
 * @throws ServiceError `store_unavailable`, `shutting_down`; StillNeeded as `Store.purge`
 */
export async function purgeCommunity({
  ingest,
  store,
  state,
  checkpoints,
  cluster,
}: Pick<Community, 'ingest' | 'store' | 'state' | 'cluster'> & {
  checkpoints?: Pick<Checkpoints, 'around'>;
}): Promise<void> {
  await ingest.trend.save();
  await saveShownCounts(state, store);
  await cluster?.followersReached(state.seq);
  if (checkpoints === undefined) await store.purge();
  else await checkpoints.around(() => store.purge());
}

/**
 * Removes what viewers saw, as far as it is older than the settings allow. For the process that writes.
 * @throws ServiceError `store_unavailable`, `shutting_down`
 */
export async function sweepSeenOf(
  { store, seen, state, clock }: Pick<Community, 'store' | 'seen' | 'state' | 'clock'>,
  { seen_days, seen_strangers_days }: Settings,
): Promise<void> {
  const { names } = state.users;
  const viewers = function* (): Generator<string> {
    for (let user = 0; user < names.size; user++) if (names.holds(user)) yield seen.viewerOf(names.id(user));
  };
  const known = seen_strangers_days === undefined ? undefined : await KnownViewers.of(viewers(), nextTurn);
  await sweepSeen(store.seen, {
    now: clock.now(),
    days_kept: seen_days,
    strangers_days_kept: seen_strangers_days,
    isKnown: (viewer) => known?.has(viewer) !== false,
    onRemoved: (viewer) => seen.forget(viewer),
  });
}
