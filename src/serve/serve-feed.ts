import type { ExplainedItem } from '../answer/explained-item.ts';
import type { ServedPage } from '../answer/page-answer.ts';
import { monotonicMs as machineMs, type Timers } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { createEngine, type Engine, type EngineSettings } from '../page/engine.ts';
import { type SimilarItem, type SimilarQuestion, similarItems } from '../page/similar-items.ts';
import type { FeedType, Ordinal, PluginLog } from '../plugin/index.ts';
import { shortHash } from '../seen/head.ts';
import type { Effort } from '../signals/effort.ts';
import { type Interests, interestsOf } from '../signals/interests.ts';
import type { Store } from '../store/store.ts';
import { FairTurns } from '../turns.ts';
import { AnswerCache, type RequestName, requestName, requireSame } from './answer-cache.ts';
import type { Consistency } from './consistency.ts';
import { EngineUpkeep } from './engine-upkeep.ts';
import { FeedMeter, type PageWatch } from './feed-meter.ts';
import type { LoadGauge } from './load-gauge.ts';
import { type Built, PageBuilder } from './page-builder.ts';
import { PageContents } from './page-contents.ts';
import { type NewRow, type NotedPage, PageRecorder, type PageRecorderOptions } from './page-recorder.ts';
import { PluginTiming } from './plugin-timing.ts';
import { PagePreparer, type Prepared, type PreparerOptions } from './prepare.ts';
import { rehearse } from './rehearsal.ts';
import { RequestBatcher } from './request-batcher.ts';
import { WordFilling } from './word-filling.ts';

export type { FeedRequest } from '../feeds/resolve-feed.ts';

export interface FeedServiceOptions
  extends EngineSettings,
    Omit<PreparerOptions, 'seen'>,
    PageRecorderOptions {
  store: Store;
  ingest: Ingest;
  timers?: Timers;
  overfetch_factor: number;
  /** The current load, which determines the effort. Absent: full effort. */
  load?: Pick<LoadGauge, 'effort'>;
  log: PluginLog;
  /** Absent if one process has the data to itself. */
  consistency?: Consistency;
  /** What a request gets from a node that follows. */
  consistency_default?: 'strong' | 'eventual';
  watchPage?(): PageWatch | undefined;
}

/** How often a page is built, because what it is built from changes. */
const BUILDS_MAX = 5;
/**
 * How often a page may fail to be recorded because another node recorded one of the same viewer. Each time, one page was
 * recorded, so this costs at most a page for each node.
 */
const CONFLICTS_MAX = 50;

/** A request while its page is built, possibly several times. */
interface Serving {
  feed_type: FeedType;
  asked: FeedRequest;
  given_up: AbortSignal | undefined;
  is_eventual: boolean;
  /** The state had all changes up to this one when the request had arrived. Undefined before. */
  arrived_seq?: number;
  builds: number;
  conflicts: number;
  /** Pages whose recording has an unknown outcome, by page id. */
  unsure: Map<number, ServedPage>;
  newRow: NewRow;
}

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
  private readonly recorder: PageRecorder;
  private readonly words: WordFilling;

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
    this.answer_cache = new AnswerCache(state, clock, options.saved_feeds, options.ai_label_threshold);
    this.contents = new PageContents(store, options.ai_label_threshold);
    this.recorder = new PageRecorder(options);
    this.words = new WordFilling(state, store, options.log);
  }

  /** Builds some pages without requests, see `rehearse`. Does nothing if pages must be repeatable. */
  async rehearse(slice: () => Promise<void>): Promise<void> {
    if (this.options.derived_lag_ms === 0) return;
    // Rows of viewers are read when they come.
    const preparer = new PagePreparer({ ...this.options, seen: undefined });
    await rehearse(this.engine, preparer, { ...this.options, effort: () => 1 }, slice);
  }

  /**
   * Serves one page: prepares it, builds it, and records what its viewer sees. Spec 4.1.
   *
   * A page is recorded only if the viewer's row is the one that the page was built from, so two concurrent requests
   * never show the same item, at whatever nodes. Requests of one viewer at this node run one after another, so that they
   * do not conflict. A page whose viewer finds no room for a row is sent with a warning.
   * @param given_up when aborted, nothing more is built, and only pages that were already sent to the store are recorded
   * @throws ServiceError as `FeedResolver.resolve`, `store_unavailable`, and `overloaded` if too much changes
   * meanwhile; the reason of `given_up`
   */
  async serve(
    feed_type: FeedType,
    asked: FeedRequest,
    given_up?: AbortSignal,
    newRow: NewRow = (record) => record(),
  ): Promise<ServedPage> {
    this.options.ingest.throttle.reading();
    const is_eventual = this.wantedConsistency(asked) === 'eventual';
    const request = { feed_type, asked, given_up, is_eventual, newRow };
    const serving: Serving = { ...request, builds: 0, conflicts: 0, unsure: new Map() };
    // The owner of a wallet is in the state.
    if (asked.user_id === undefined) await this.arrivedOnce(serving);
    for (;;) {
      const viewer_id = this.preparer.viewerOf(asked);
      const records =
        viewer_id !== undefined && (asked.impression_count > 0 || asked.request_id !== undefined);
      const serve = () => this.serveTo(serving, viewer_id);
      const page = records
        ? await this.turns.take(asked.account ?? '', serve, given_up, viewer_id)
        : await serve();
      if (page !== undefined) return page;
    }
  }

  /** Builds the page until it is current and recorded. Returns undefined if the wallet has got another owner. */
  private async serveTo(serving: Serving, viewer_id: string | undefined): Promise<ServedPage | undefined> {
    while (serving.builds - serving.conflicts < BUILDS_MAX && serving.conflicts <= CONFLICTS_MAX) {
      serving.builds++;
      const page = await this.words.around(() => this.serveOnce(serving, viewer_id), serving.given_up);
      if (page !== undefined) return page;
      if (this.preparer.viewerOf(serving.asked) !== viewer_id) return undefined;
    }
    throw changedMeanwhile();
  }

  /** Returns undefined if the page is outdated or may not be recorded: then it has to be built again. */
  private async serveOnce(serving: Serving, viewer_id: string | undefined): Promise<ServedPage | undefined> {
    const { feed_type, asked, given_up, is_eventual, unsure } = serving;
    const arrived_seq = await this.arrivedOnce(serving);
    const prepared = await this.preparer.prepare(feed_type, asked, viewer_id, is_eventual);
    given_up?.throwIfAborted();
    for (const [page_id, page] of unsure) if (prepared.seen?.has(page_id)) return page;
    if (!this.preparer.isCurrent(prepared)) return undefined;
    this.upkeep.settleIfExact();
    const name = requestName(feed_type, asked);
    const repeated = name && this.repeatedPage(prepared, name);
    if (repeated !== undefined) {
      const noted = this.recorder.note(prepared, repeated.built, { page_id: repeated.page_id });
      return this.complete(prepared, repeated.built, noted, given_up);
    }
    const built = this.builder.build(prepared);
    const { assigned } = prepared;
    if (assigned !== undefined) this.options.experiments?.times.note(assigned.variant.arm, built.page_ms);
    // Ordinals are reused later, so what is recorded is noted in the step that built the page.
    const noted = this.recorder.note(prepared, built, { applied_seq: arrived_seq, name });
    // All that can fail comes first: a page is only recorded if it is delivered.
    const page = await this.complete(prepared, built, noted, given_up);
    return this.recorded(page, prepared, noted, serving);
  }

  /**
   * The page that another node has sent for this request. Undefined if there is none, or if a user was erased since, who
   * may have contributed to it.
   * @throws ServiceError `invalid_value` if the `request_id` stands for another request
   */
  private repeatedPage(
    prepared: Prepared,
    { key, digest }: RequestName,
  ): { built: Built; page_id: number } | undefined {
    const { clock, state } = this.options;
    const reply = prepared.seen?.reply(shortHash(key), clock.now());
    if (reply === undefined) return undefined;
    requireSame(reply.digest, shortHash(digest));
    if (reply.time <= state.erased_at) return undefined;
    return { built: this.builder.repeat(prepared, reply), page_id: reply.page_id };
  }

  /** Records a page. Returns undefined if it was not, or maybe not. */
  private async recorded(
    page: ServedPage,
    { seen: row }: Prepared,
    noted: NotedPage,
    serving: Serving,
  ): Promise<ServedPage | undefined> {
    const outcome = await this.recorder.record(row, noted, serving.newRow);
    if (outcome === 'done') return page;
    if (outcome === 'conflict') serving.conflicts++;
    // Reading the row again settles it.
    else if (outcome === 'unknown') serving.unsure.set(noted.page_id, page);
    else return { ...page, warnings: [...page.warnings, outcome.warning] };
    return undefined;
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
    for (let attempt = 0; attempt < BUILDS_MAX; attempt++) {
      const viewer_id = this.preparer.viewerOf(asked);
      const is_eventual = this.wantedConsistency(asked) === 'eventual';
      const prepared = await this.preparer.prepare(feed_type, asked, viewer_id, is_eventual);
      given_up?.throwIfAborted();
      if (!this.preparer.isCurrent(prepared)) continue;
      this.upkeep.settleIfExact();
      const explain = async () => this.builder.explain(prepared, item_id);
      const explained = await this.words.around(explain, given_up);
      if (explained !== undefined) return explained;
    }
    throw changedMeanwhile();
  }

  /** The strongest interests of a viewer. @param most the maximum number of entries per list */
  interestsOf(viewer: Ordinal, most: number): Interests {
    const { state, scratch } = this.engine;
    try {
      return interestsOf(state, viewer, most, scratch);
    } finally {
      scratch.takeBack();
    }
  }

  /** Items that are similar to one, see `similarItems`. @param question called again if the answer has to wait for words */
  async similarItems(
    question: () => SimilarQuestion,
    given_up?: AbortSignal,
  ): Promise<SimilarItem[] | undefined> {
    for (;;) {
      this.upkeep.settleIfExact();
      const find = async () => ({ similar: similarItems(this.engine, question()) });
      const found = await this.words.around(find, given_up).finally(() => this.upkeep.wake());
      if (found !== undefined) return found.similar;
    }
  }

  ownerOf(wallet_address: string): string | undefined {
    return this.preparer.ownerOf(wallet_address);
  }

  /**
   * Waits as `arrived` before the page is built for the first time. In turn with the viewer's other requests here: a
   * page that another node has just made outdated is then built again before the next one begins.
   */
  private async arrivedOnce(serving: Serving): Promise<number> {
    if (serving.arrived_seq === undefined) {
      await this.arrived(serving.asked, serving.given_up);
      serving.arrived_seq = this.options.state.seq;
    }
    return serving.arrived_seq;
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

  /** @throws the reason of `given_up`, also if it was aborted while the store was read */
  private async complete(
    { return_metadata, feeds, assigned }: Prepared,
    { draft, warnings, ...built }: Built,
    noted: NotedPage,
    given_up: AbortSignal | undefined,
  ): Promise<ServedPage> {
    const warning = return_metadata ? await this.contents.addTo(draft, given_up) : undefined;
    given_up?.throwIfAborted();
    if (warning !== undefined) warnings.push(warning);
    const { cursor, trace, uses_others_follows } = built;
    const experiment = assigned && {
      id: assigned.experiment_id,
      variant: assigned.teams === undefined ? assigned.variant.name : undefined,
    };
    const page_id = this.recorder.pageIdOf(noted);
    return { items: draft.items, page_id, cursor, trace, warnings, uses_others_follows, feeds, experiment };
  }
}

function changedMeanwhile(): ServiceError {
  const detail = `what this page is built from changed ${BUILDS_MAX} times meanwhile; send the request again`;
  return new ServiceError('overloaded', detail, undefined, 1);
}
