import type { ExplainedItem } from '../answer/explained-item.ts';
import type { ServedPage } from '../answer/page-answer.ts';
import { monotonicMs as machineMs, systemTimers, type Timers } from '../clock.ts';
import { isStateFull, ServiceError } from '../errors.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { View } from '../ingest/views.ts';
import { createEngine, type Engine, type EngineSettings } from '../page/engine.ts';
import { rankedBy } from '../page/page-context.ts';
import { type SimilarItem, type SimilarQuestion, similarItems } from '../page/similar-items.ts';
import { type ViewerInterests, viewerInterests } from '../page/viewer-interests.ts';
import { HugePages } from '../platform/huge-pages.ts';
import type { Effort, FeedType, Ordinal, PluginLog } from '../plugin/index.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import type { Store } from '../store/store.ts';
import { FairTurns } from '../turns.ts';
import { AnswerCache } from './answer-cache.ts';
import { BuiltByLeader, type Consistency } from './consistency.ts';
import { FeedMeter, type PageWatch } from './feed-meter.ts';
import { IdleWork } from './idle-work.ts';
import type { LoadGauge } from './load-gauge.ts';
import { type Built, PageBuilder } from './page-builder.ts';
import { PageContents } from './page-contents.ts';
import { PluginTiming } from './plugin-timing.ts';
import { PagePreparer, type Prepared, type PreparerOptions } from './prepare.ts';
import { rehearse } from './rehearsal.ts';
import { RequestBatcher } from './request-batcher.ts';
import { StoredLists } from './stored-lists.ts';

export type { FeedRequest } from '../feeds/resolve-feed.ts';

export interface FeedServiceOptions extends EngineSettings, PreparerOptions {
  store: Store;
  ingest: Ingest;
  /** The timers of background work. Default: the machine's. */
  timers?: Timers;
  overfetch_factor: number;
  /** The secret that signs cursors. */
  cursor_secret: Uint8Array;
  /** The current load, which determines the effort. Absent: full effort. */
  load?: Pick<LoadGauge, 'effort'>;
  log: PluginLog;
  /** Absent if one process has the data to itself. */
  consistency?: Consistency;
  /** What a request gets from a node that follows. */
  consistency_default?: 'strong' | 'eventual';
  /** See `PageBuilderOptions`. */
  watchPage?(): PageWatch | undefined;
}

/** Maximum time for indexing embeddings before a service is ready. */
const INDEXED_WITHIN_MS = 2_000;
/** Seconds between refreshes of idle rankings. */
const LOOK_SECONDS = 5;

/** Maximum number of acts of hidden or unhidden users that are settled with the change itself: some milliseconds. */
const SETTLED_AT_ONCE = 8_000;
/** These acts are settled in slices of this number, because rankings must keep up with the changes. */
const SETTLED_AT_A_TIME = 1_000;
/** The number of acts that one step of background work settles. */
const SETTLED_IN_STEP = 256;

/** How often a page is built anew, because what it is built from changes, or its viewer acts at other nodes. */
const ATTEMPTS_MAX = 5;

/** Serves the feeds of one community. */
export class FeedService {
  /** Totals of the costs of feed requests. */
  readonly meter: FeedMeter;
  /** Answers to requests that may be repeated. */
  readonly answer_cache: AnswerCache;
  /** The time of plugins, measured on a sample. */
  readonly timing: PluginTiming;
  private readonly engine: Engine;
  private readonly idle: IdleWork;
  private readonly huge_pages: HugePages;
  /** Which lists are built ahead of requests: none, those that a start needs, or those that became outdated. */
  private ahead: 'none' | 'warm-up' | 'refresh' = 'none';
  private turn = 0;
  private readonly preparer: PagePreparer;
  private readonly builder: PageBuilder;
  private readonly batcher = new RequestBatcher();
  private readonly turns = new FairTurns('requests of this viewer');
  private readonly contents: PageContents;

  constructor(private readonly options: FeedServiceOptions) {
    const { state, store, registry, clock, derived_lag_ms, timers = systemTimers } = options;
    const { monotonicMs = machineMs } = options;
    this.meter = new FeedMeter(monotonicMs);
    const engine = createEngine(state, registry, options);
    // With a lag of 0, pages must be repeatable, so they do not depend on the load.
    const effort = (): Effort => (derived_lag_ms === 0 ? 1 : (options.load?.effort ?? 1));
    this.engine = engine;
    this.huge_pages = new HugePages(
      [state, engine.walk, engine.trend_rates, engine.latest_acts],
      monotonicMs,
    );
    this.idle = new IdleWork(() => this.workAhead(), {
      monotonicMs,
      timers,
      effort,
      crowded: () => options.ingest.throttle.crowded,
      spare: () => this.ahead === 'refresh' && engine.walk.refresh(),
    });
    state.recycler.watch(() => this.idle.wake());
    this.timing = new PluginTiming(registry, monotonicMs, options.log);
    this.preparer = new PagePreparer(options);
    const done = () => this.idle.wake();
    this.builder = new PageBuilder(engine, { ...options, effort }, this.meter, this.timing, done);
    this.answer_cache = new AnswerCache(state, clock, options.saved_feeds);
    this.contents = new PageContents(store, options.ai_label_threshold);
  }

  /**
   * Builds the rankings of some signals and, for up to two seconds, the index of embeddings, so that the first requests
   * need not. Does nothing if rankings may not lag.
   * @param slice awaited at intervals
   */
  async buildRankings(signals: readonly string[], slice: () => Promise<void>): Promise<void> {
    const { clock, derived_lag_ms } = this.options;
    if (derived_lag_ms === 0) return;
    const { rankings, meanings } = this.engine;
    for (const signal of signals) rankings.expect(rankedBy(this.engine, signal));
    while (rankings.buildStep(clock.now()) || rankings.renew(clock.now())) await slice();
    const until_ms = this.engine.monotonicMs() + INDEXED_WITHIN_MS;
    while (meanings.is_building && this.engine.monotonicMs() < until_ms) {
      meanings.step();
      await slice();
    }
  }

  /** Builds some pages without requests, see `rehearse`. Does nothing if pages must be repeatable. */
  async rehearse(slice: () => Promise<void>): Promise<void> {
    if (this.options.derived_lag_ms === 0) return;
    await rehearse(this.engine, this.preparer, { ...this.options, effort: () => 1 }, slice);
  }

  /**
   * Builds the rankings of some signals and neighbour lists in idle time, before they are requested.
   *
   * It also refreshes rankings and lists while there are no requests. @returns a function that stops these refreshes
   */
  warmUp(signals: readonly string[]): () => void {
    for (const signal of signals) this.engine.rankings.expect(rankedBy(this.engine, signal));
    this.ahead = 'warm-up';
    this.idle.wake();
    return this.idle.lookEvery(LOOK_SECONDS);
  }

  /**
   * The neighbour lists, to be stored and loaded. Undefined if lists may not lag (`derived_lag_ms` 0), so that stored
   * lists are useless.
   */
  storedLists(missed: MissedChanges): StoredLists | undefined {
    const { state, derived_lag_ms } = this.options;
    return derived_lag_ms === 0
      ? undefined
      : new StoredLists(state, this.engine.walk, this.engine.meanings, missed);
  }

  /** Updates data that is derived from the state. Call it after changes were applied. */
  keepUp(): void {
    const { clock, state } = this.options;
    const now = clock.now();
    this.idle.changed();
    this.engine.rankings.keepUp(now);
    for (let acts = 0; acts < SETTLED_AT_ONCE && state.is_settling; acts += SETTLED_AT_A_TIME) {
      this.settleSome(SETTLED_AT_A_TIME, now);
    }
    if (state.is_settling) this.idle.wake();
  }

  /** The number of cached and queued neighbour lists, and whether they or the index of embeddings are still being built. */
  get lists(): { kept: number; waiting: number; warming: boolean } {
    const { walk, meanings } = this.engine;
    return { ...walk.lists, warming: this.ahead === 'warm-up' || meanings.is_building };
  }

  /** The number of embeddings in the index, and of those that wait to be indexed. */
  get embeddings(): { indexed: number; waiting: number } {
    return this.engine.meanings.figures;
  }

  /** Figures of the filter pools. */
  get pools(): { kept: number; waiting: number; bytes: number } {
    return this.engine.pools.figures;
  }

  /**
   * Serves one page: prepares it, builds it, and records what its viewer sees. Spec 4.1.
   *
   * Requests of one viewer that record impressions run one after another, from preparing the page to the durable
   * impression. So two concurrent requests never show the same item.
   * @param given_up when aborted, nothing more is built, and only impressions that were already sent to the store are
   * recorded
   * @throws ServiceError as `FeedResolver.resolve`, `store_unavailable`, and `overloaded` if too much changes
   * meanwhile; the reason of `given_up`
   */
  async serve(feed_type: FeedType, asked: FeedRequest, given_up?: AbortSignal): Promise<ServedPage> {
    this.options.ingest.throttle.reading();
    await this.arrived(asked, given_up);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const viewer_id = this.preparer.viewerOf(asked);
      const records = viewer_id !== undefined && asked.impression_count > 0;
      const serve = () => this.serveOnce(feed_type, asked, viewer_id, given_up);
      const page = records
        ? await this.turns.take(asked.account ?? '', serve, given_up, viewer_id)
        : await serve();
      if (page !== undefined) return page;
    }
    throw this.options.consistency?.recorder === undefined ? changedMeanwhile() : new BuiltByLeader();
  }

  /** Returns undefined if the page is outdated: then nothing is recorded. */
  private async serveOnce(
    feed_type: FeedType,
    asked: FeedRequest,
    viewer_id: string | undefined,
    given_up: AbortSignal | undefined,
  ): Promise<ServedPage | undefined> {
    const prepared = await this.preparer.prepare(feed_type, asked, viewer_id, given_up);
    if (!this.preparer.isCurrent(prepared)) return undefined;
    this.settleIfExact();
    const built = this.builder.build(prepared);
    const { assigned } = prepared;
    if (assigned !== undefined) this.options.experiments?.times.note(assigned.variant.arm, built.page_ms);
    // Ordinals are reused later, so what is recorded is noted in the step that built the page.
    const view = this.viewOf(prepared, built);
    const { consistency, ingest } = this.options;
    const recorder = consistency?.recorder;
    const built_seq = recorder?.applied_seq ?? 0;
    // All that can fail comes first: an impression is only recorded if the page is delivered.
    const page = await this.complete(prepared, built, given_up);
    if (view === undefined) return page;
    return recorded(
      page,
      recorder ? recorder.record(view, built_seq, asked.account) : ingest.impressions(view),
    );
  }

  /**
   * Records a page that another node built, in turn with the requests of its viewer.
   * @param account that requested the page
   * @param isCurrent whether the page reflects every stored change about its viewer
   * @returns false if it does not, and then nothing is recorded
   * @throws ServiceError `write_queue_full`, `store_unavailable`, `state_full`
   */
  recordView(view: View, account: string, isCurrent: () => boolean): Promise<boolean> {
    const record = async () => {
      if (!isCurrent()) return false;
      await this.options.ingest.impressions(view);
      return true;
    };
    return this.turns.take(account, record, undefined, view.user_id);
  }

  /**
   * Explains the place of an item on the page of a request, or why it is not there. Records nothing.
   * @param given_up as in `serve`
   * @throws ServiceError as `resolveFeed`, and `not_found` for an unknown item; the reason of `given_up`
   */
  async explain(
    feed_type: FeedType,
    asked: FeedRequest,
    item_id: string,
    given_up?: AbortSignal,
  ): Promise<{ item: ExplainedItem; warnings: string[] }> {
    await this.arrived(asked, given_up);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const viewer_id = this.preparer.viewerOf(asked);
      const prepared = await this.preparer.prepare(feed_type, asked, viewer_id, given_up);
      if (!this.preparer.isCurrent(prepared)) continue;
      this.settleIfExact();
      return this.builder.explain(prepared, item_id);
    }
    throw changedMeanwhile();
  }

  /** The strongest interests of a viewer. @param most the maximum number of entries per list */
  interestsOf(viewer: Ordinal, most: number): ViewerInterests {
    return viewerInterests(this.engine, viewer, most);
  }

  /** Items that are similar to one, see `similarItems`. */
  similarItems(question: SimilarQuestion): SimilarItem[] | undefined {
    this.settleIfExact();
    try {
      return similarItems(this.engine, question);
    } finally {
      this.idle.wake();
    }
  }

  /** Performs one step of background work. Returns false if there is none. */
  private workAhead(): boolean {
    const { walk, meanings, rankings, pools } = this.engine;
    const now = this.options.clock.now();
    if (this.options.state.is_settling) {
      this.settleSome(SETTLED_IN_STEP, now);
      return true;
    }
    if (walk.forgetSome() || rankings.buildStep(now) || rankings.renew(now)) return true;
    // In turns, so that no kind of work starves.
    this.turn = (this.turn + 1) % 3;
    if (this.turn === 0 && pools.buildStep()) return true;
    if (this.turn === 1 && meanings.step()) return true;
    if (walk.buildQueued() || pools.buildStep() || meanings.step()) return true;
    if (this.ahead !== 'warm-up') return false;
    // A huge page step takes milliseconds, so it only runs while warming up, after the lists are built.
    if (walk.warmUp() || this.huge_pages.step()) return true;
    this.ahead = 'refresh';
    return false;
  }

  /** See `PagePreparer.ownerOf`. */
  ownerOf(wallet_address: string): string | undefined {
    return this.preparer.ownerOf(wallet_address);
  }

  /** Suspends or resumes some interactions of users who were hidden or unhidden, and updates caches. */
  private settleSome(acts: number, now: number): void {
    this.options.state.settle(acts);
    this.engine.rankings.keepUp(now);
  }

  /** Waits until the state has every acknowledged write, unless the request accepts less, and for its batch. */
  private async arrived(asked: FeedRequest, given_up: AbortSignal | undefined): Promise<void> {
    const { consistency } = this.options;
    if (consistency !== undefined && this.wantedConsistency(asked) === 'strong')
      await consistency.current(given_up);
    await this.batcher.wait(given_up);
  }

  private wantedConsistency({ consistency, unsaved, feed_id, account }: FeedRequest): 'strong' | 'eventual' {
    const { saved_feeds, consistency_default = 'strong' } = this.options;
    if (consistency !== undefined) return consistency;
    if (feed_id === undefined) return unsaved?.parameters.consistency ?? consistency_default;
    // An unknown feed may have been saved at another node.
    const saved = saved_feeds.find(feed_id, account);
    return saved === undefined ? 'strong' : (saved.parameters.consistency ?? consistency_default);
  }

  /** The items of a page that its viewer sees. Undefined if nothing is recorded. */
  private viewOf(
    { viewer_id, asked, offset, assigned }: Prepared,
    { page, is_short }: Built,
  ): View | undefined {
    const shown = offset === undefined ? page.slice(0, asked.impression_count).map(({ item }) => item) : [];
    if (viewer_id === undefined || shown.length === 0) return undefined;
    const view = this.options.ingest.views.of(viewer_id, shown);
    return assigned ? { ...view, counted: { arm: assigned.variant.arm, is_short: Number(is_short) } } : view;
  }

  /** Repeatable pages need a settled state. */
  private settleIfExact(): void {
    if (this.options.derived_lag_ms === 0) this.options.state.settle(Number.POSITIVE_INFINITY);
  }

  /** @throws the reason of `given_up`, also if it was aborted while the store was read */
  private async complete(
    { return_metadata, feeds, assigned }: Prepared,
    { draft, warnings, ...built }: Built,
    given_up: AbortSignal | undefined,
  ): Promise<ServedPage> {
    const warning = return_metadata ? await this.contents.addTo(draft, given_up) : undefined;
    given_up?.throwIfAborted();
    if (warning !== undefined) warnings.push(warning);
    const { cursor, trace, uses_others_follows } = built;
    const experiment = assigned && { id: assigned.experiment_id, variant: assigned.variant.name };
    return { items: draft.items, cursor, trace, warnings, uses_others_follows, feeds, experiment };
  }
}

function changedMeanwhile(): ServiceError {
  const detail = `what this page is built from changed ${ATTEMPTS_MAX} times meanwhile; send the request again`;
  return new ServiceError('overloaded', detail, undefined, 1);
}

/**
 * Returns the page when its impressions are recorded, or undefined if they were not because the page is outdated. If
 * the state has no room for them, adds a warning.
 */
async function recorded(page: ServedPage, recording: Promise<unknown>): Promise<ServedPage | undefined> {
  try {
    return (await recording) === false ? undefined : page;
  } catch (error) {
    if (!isStateFull(error)) throw error;
    const warning = `these items are not recorded as seen and may be shown again: ${error.detail}`;
    return { ...page, warnings: [...page.warnings, warning] };
  }
}
