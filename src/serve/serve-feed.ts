import type { ExplainedItem } from '../answer/explained-item.ts';
import type { ServedPage } from '../answer/page-answer.ts';
import { monotonicMs as machineMs, type Timers } from '../clock.ts';
import { isStateFull, ServiceError } from '../errors.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { View } from '../ingest/views.ts';
import { createEngine, type Engine, type EngineSettings } from '../page/engine.ts';
import { type SimilarItem, type SimilarQuestion, similarItems } from '../page/similar-items.ts';
import { type ViewerInterests, viewerInterests } from '../page/viewer-interests.ts';
import type { Effort, FeedType, Ordinal, PluginLog } from '../plugin/index.ts';
import type { Store } from '../store/store.ts';
import { FairTurns } from '../turns.ts';
import { AnswerCache } from './answer-cache.ts';
import { BuiltByLeader, type Consistency } from './consistency.ts';
import { EngineUpkeep } from './engine-upkeep.ts';
import { FeedMeter, type PageWatch } from './feed-meter.ts';
import type { LoadGauge } from './load-gauge.ts';
import { type Built, PageBuilder } from './page-builder.ts';
import { PageContents } from './page-contents.ts';
import { PluginTiming } from './plugin-timing.ts';
import { PagePreparer, type Prepared, type PreparerOptions } from './prepare.ts';
import { rehearse } from './rehearsal.ts';
import { RequestBatcher } from './request-batcher.ts';

export type { FeedRequest } from '../feeds/resolve-feed.ts';

export interface FeedServiceOptions extends EngineSettings, PreparerOptions {
  store: Store;
  ingest: Ingest;
  timers?: Timers;
  overfetch_factor: number;
  cursor_secret: Uint8Array;
  /** The current load, which determines the effort. Absent: full effort. */
  load?: Pick<LoadGauge, 'effort'>;
  log: PluginLog;
  /** Absent if one process has the data to itself. */
  consistency?: Consistency;
  /** What a request gets from a node that follows. */
  consistency_default?: 'strong' | 'eventual';
  watchPage?(): PageWatch | undefined;
}

/** How often a page is built anew, because what it is built from changes, or its viewer acts at other nodes. */
const ATTEMPTS_MAX = 5;

export class FeedService {
  readonly meter: FeedMeter;
  readonly answer_cache: AnswerCache;
  readonly timing: PluginTiming;
  readonly upkeep: EngineUpkeep;
  private readonly engine: Engine;
  private readonly preparer: PagePreparer;
  private readonly builder: PageBuilder;
  private readonly batcher = new RequestBatcher();
  private readonly turns = new FairTurns('requests of this viewer');
  private readonly contents: PageContents;

  constructor(private readonly options: FeedServiceOptions) {
    const { state, store, registry, clock, derived_lag_ms, monotonicMs = machineMs } = options;
    this.meter = new FeedMeter(monotonicMs);
    const engine = createEngine(state, registry, options);
    // With a lag of 0, pages must be repeatable, so they do not depend on the load.
    const effort = (): Effort => (derived_lag_ms === 0 ? 1 : (options.load?.effort ?? 1));
    this.engine = engine;
    this.upkeep = new EngineUpkeep(engine, { ...options, effort });
    this.timing = new PluginTiming(registry, monotonicMs, options.log);
    this.preparer = new PagePreparer(options);
    const done = () => this.upkeep.wake();
    this.builder = new PageBuilder(engine, { ...options, effort }, this.meter, this.timing, done);
    this.answer_cache = new AnswerCache(state, clock, options.saved_feeds);
    this.contents = new PageContents(store, options.ai_label_threshold);
  }

  /** Builds some pages without requests, see `rehearse`. Does nothing if pages must be repeatable. */
  async rehearse(slice: () => Promise<void>): Promise<void> {
    if (this.options.derived_lag_ms === 0) return;
    await rehearse(this.engine, this.preparer, { ...this.options, effort: () => 1 }, slice);
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
    this.upkeep.settleIfExact();
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
      this.upkeep.settleIfExact();
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
    this.upkeep.settleIfExact();
    try {
      return similarItems(this.engine, question);
    } finally {
      this.upkeep.wake();
    }
  }

  ownerOf(wallet_address: string): string | undefined {
    return this.preparer.ownerOf(wallet_address);
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
