import { type Draft, draftAnswer } from '../answer/draft.ts';
import { explainItem } from '../answer/explain-item.ts';
import type { ExplainedItem } from '../answer/explained-item.ts';
import { explainItems, tracedSteps } from '../answer/explanation.ts';
import { FollowedActsReader } from '../answer/followed-acts-reader.ts';
import type { AnswerTrace } from '../answer/page-answer.ts';
import { type Clock, monotonicMs } from '../clock.ts';
import { coldStartReason } from '../feeds/cold-start.ts';
import { FeedCompiler } from '../feeds/feed-compiler.ts';
import type { FeedPlan, UsedFeed } from '../feeds/plan.ts';
import {
  type ColdStartDefaults,
  type FeedRequest,
  type ResolvedFeed,
  resolveFeed,
} from '../feeds/resolve-feed.ts';
import type { SavedFeeds } from '../feeds/saved-feeds.ts';
import { unseenInPlan } from '../feeds/unseen-values.ts';
import { authorRepeats } from '../page/author-repeats.ts';
import { type ComposedPage, composePage } from '../page/compose-page.ts';
import type { Engine } from '../page/engine.ts';
import { buildLists } from '../page/lists.ts';
import type { SourcedItem } from '../page/page-item.ts';
import { PageRecord } from '../page/record.ts';
import { createRequest, type Request } from '../page/request.ts';
import { NO_TRACE, type Trace } from '../page/trace.ts';
import { type Effort, type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import type { ImpressionChange } from '../state/change.ts';
import type { FeedMeter, PageWatch } from './feed-meter.ts';
import { PageSeries, type SeriesPage } from './page-series.ts';
import type { PluginTiming } from './plugin-timing.ts';

export interface PageBuilderOptions extends ColdStartDefaults {
  saved_feeds: SavedFeeds;
  clock: Clock;
  overfetch_factor: number;
  /** The secret that signs cursors. */
  cursor_secret: Uint8Array;
  /** The current effort. */
  effort(): Effort;
  /** The trace of the request that a page is built for. Absent without tracing. */
  watchPage?(): PageWatch | undefined;
}

/** A page, and what remains to be done for the answer. */
export interface Built {
  draft: Draft;
  page: readonly SourcedItem[];
  /** A plain page, for which nothing is recorded. */
  plain: boolean;
  /** Whether the page has fewer items than requested. */
  is_short: boolean;
  /** For the next page. */
  cursor: string | undefined;
  return_metadata: boolean;
  /** Only for explained requests. */
  trace: AnswerTrace | undefined;
  warnings: string[];
  /** Whether it depends on the follows of users other than the viewer. */
  uses_others_follows: boolean;
  /** Saved feeds that the page may contain items of. */
  feeds: readonly UsedFeed[];
}

/** A request with its resolved feed. */
interface Prepared {
  resolved: ResolvedFeed;
  context: Request;
  plan: FeedPlan;
  /** Why the viewer gets the cold start feed. Null if not. */
  cold_start_reason: string | null;
  series: SeriesPage;
}

/** Builds pages. It is synchronous, so a page and its explanation see one state. */
export class PageBuilder {
  private readonly compiler: FeedCompiler;
  private readonly followed: FollowedActsReader;
  private readonly series: PageSeries;

  /** @param done called at the end of each request, also after errors */
  constructor(
    private readonly engine: Engine,
    private readonly options: PageBuilderOptions,
    private readonly meter: FeedMeter,
    private readonly timing: PluginTiming,
    private readonly done: () => void,
  ) {
    this.compiler = new FeedCompiler(engine.registry);
    this.followed = new FollowedActsReader(engine.state);
    this.series = new PageSeries(engine.state, options.cursor_secret);
  }

  /**
   * Whether the scores of a page depend on the impressions of the last day, which must then be read.
   * @throws ServiceError as `resolveFeed`
   */
  needsImpressions(feed_type: FeedType, request: FeedRequest): boolean {
    const { feed_id, unsaved, feed_diversity_config, cold_start, cold_start_feed } = request;
    // A shortcut, since most requests name no feed and no diversity.
    if (!(feed_id ?? unsaved ?? feed_diversity_config ?? cold_start ?? cold_start_feed)) return false;
    const resolved = resolveFeed(this.compiler, this.options.saved_feeds, feed_type, request, this.options);
    if (resolved.offset !== undefined) return false;
    return decaysAuthors(resolved.plan) || decaysAuthors(resolved.cold_start?.plan());
  }

  /**
   * @param impressions those of the viewer in the last day, if `needsImpressions`
   * @throws ServiceError as `resolveFeed`
   */
  build(
    feed_type: FeedType,
    request: FeedRequest,
    viewer_id: string | undefined,
    impressions: readonly ImpressionChange[],
  ): Built {
    const { meter } = this;
    meter.start(this.options.watchPage?.());
    return this.preparing(feed_type, request, viewer_id, impressions, meter, (prepared) => {
      const { resolved, context, plan, cold_start_reason } = prepared;
      const { return_metadata, warnings, feeds, offset, revision: config_revision = null } = resolved;
      const { effort } = context;
      const record = request.explain ? new PageRecord(meter, monotonicMs) : undefined;
      if (record === undefined) this.timing.begin();
      const { page, shown_before } = this.compose(prepared, record);
      meter.enter('answer');
      const main = record?.main;
      const trace = record &&
        main && {
          stages: tracedSteps(record),
          candidates: { proposed: main.proposed_count, scored: main.scored_count, limit: main.limit },
          cold_start: cold_start_reason !== null,
          cold_start_reason,
          config_revision,
          effort,
        };
      const draft = draftAnswer(context, feed_type, page, this.followed, {
        with_metadata: return_metadata,
        explanations: record && explainItems(record, page, context),
      });
      const has_fallback = plan.fallbacks.length > 0 && page.some(isFromFallback);
      const is_short = page.length < resolved.top_k;
      meter.noteKinds(is_short, has_fallback, cold_start_reason !== null);
      const page_ms = meter.finish(plan.compiled, page.length, effort, plan.promotion?.id);
      if (record === undefined) this.timing.end(page_ms);
      const { uses_others_follows } = context.page;
      const plain = offset !== undefined;
      const cursor = request.unsaved === undefined ? cursorAfter(page, shown_before, prepared) : undefined;
      const texts = { return_metadata, trace, warnings };
      return { draft, page, cursor, plain, is_short, ...texts, uses_others_follows, feeds };
    });
  }

  /**
   * Explains the place of an item on the page of a request, or why it is not there.
   * @throws ServiceError as `resolveFeed`, and `not_found` for an unknown item
   */
  explain(
    feed_type: FeedType,
    request: FeedRequest,
    viewer_id: string | undefined,
    impressions: readonly ImpressionChange[],
    item_id: string,
  ): { item: ExplainedItem; warnings: string[] } {
    return this.preparing(feed_type, request, viewer_id, impressions, NO_TRACE, (prepared) => {
      const { resolved, context, plan, cold_start_reason } = prepared;
      const { top_k: length, offset = 0, warnings } = resolved;
      const record = new PageRecord(NO_TRACE, monotonicMs);
      const { page } = this.compose(prepared, record);
      const question = { feed_type, item_id, request: context, plan, page, length, offset, record };
      const cold_start = cold_start_reason !== null;
      const item = { ...explainItem(question), cold_start, cold_start_reason, effort: context.effort };
      return { item, warnings };
    });
  }

  private preparing<T>(
    feed_type: FeedType,
    request: FeedRequest,
    viewer_id: string | undefined,
    impressions: readonly ImpressionChange[],
    trace: Trace,
    run: (prepared: Prepared) => T,
  ): T {
    const { saved_feeds, clock, effort } = this.options;
    const { state } = this.engine;
    const resolved = resolveFeed(this.compiler, saved_feeds, feed_type, request, this.options);
    const viewer: Ordinal = viewer_id === undefined ? NONE : state.users.names.find(viewer_id);
    const now = clock.now();
    const series = this.series.pageFor(feed_type, request, viewer_id, now);
    const { shown, random } = series;
    const author_repeats = impressions.length === 0 ? undefined : authorRepeats(state, viewer, impressions);
    const page_length = resolved.top_k;
    const start = { viewer, now, page_length, effort: effort(), shown, random, author_repeats, trace };
    const context = createRequest(this.engine, start);
    try {
      const cold_start_reason = this.coldStartReason(resolved, request, context);
      const plan = (cold_start_reason !== null && resolved.cold_start?.plan()) || resolved.plan;
      resolved.warnings.push(...unseenInPlan(plan, state));
      return run({ resolved, context, plan, cold_start_reason, series });
    } finally {
      context.page.ended = true;
      this.engine.scratch.takeBack();
      this.engine.pools.takeBack();
      this.timing.leave();
      this.done();
    }
  }

  private compose({ resolved, context, plan }: Prepared, record?: PageRecord): ComposedPage {
    const { top_k: length, offset } = resolved;
    const { overfetch_factor } = this.options;
    const warnings = plan.shows('promotion_filters') ? resolved.warnings : [];
    const building = { request: context, length, offset, overfetch_factor, warnings, record };
    return composePage(buildLists(plan, building), plan.promotion, building);
  }

  /**
   * Why the cold start feed is built instead.
   *
   * Null if there is no such feed, no viewer, or the viewer is not cold.
   */
  private coldStartReason(
    { cold_start }: ResolvedFeed,
    { user_id, wallet_address }: FeedRequest,
    { viewer, now }: Request,
  ): string | null {
    if (cold_start === undefined || (user_id === undefined && wallet_address === undefined)) return null;
    return coldStartReason(this.engine.state, viewer, now, cold_start, cold_start.shows_rules) ?? null;
  }
}

function decaysAuthors(plan: FeedPlan | undefined): boolean {
  return plan?.compiled.diversity?.repeat_author_decay !== undefined;
}

function isFromFallback({ source_feed }: SourcedItem): boolean {
  return source_feed.startsWith('fallback_');
}

/**
 * The cursor of the page after this one. Undefined if no items are left.
 *
 * A short page is the last one, unless diversity made it short: the next page has further items of the same authors.
 */
function cursorAfter(
  page: readonly SourcedItem[],
  before: ReadonlySet<Ordinal>,
  { resolved, plan, series }: Prepared,
): string | undefined {
  const may_be_short = plan.compiled.diversity !== undefined;
  if (page.length === 0 || (page.length < resolved.top_k && !may_be_short)) return undefined;
  return series.cursorAfter([...before, ...page.map(({ item }) => item)]);
}
