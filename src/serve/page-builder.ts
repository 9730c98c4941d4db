import { type Draft, draftAnswer } from '../answer/draft.ts';
import { explainItem } from '../answer/explain-item.ts';
import type { ExplainedItem } from '../answer/explained-item.ts';
import { explainItems, tracedSteps } from '../answer/explanation.ts';
import { FollowedActsReader } from '../answer/followed-acts.ts';
import type { AnswerTrace } from '../answer/page-answer.ts';
import { type Clock, monotonicMs } from '../clock.ts';
import type { FeedLearning } from '../feeds/compiled-feed.ts';
import { authorRepeats } from '../page/author-repeats.ts';
import { type ComposedPage, composePage } from '../page/compose-page.ts';
import type { Engine } from '../page/engine.ts';
import { type LoggedSignals, loggedSignals, modelFor } from '../page/learnt.ts';
import { buildLists } from '../page/lists.ts';
import { createContext, type PageContext } from '../page/page-context.ts';
import { originOf, type SourcedItem } from '../page/page-item.ts';
import { NO_TRACE, PageRecord, type Trace } from '../page/record.ts';
import { repeatedItems } from '../page/repeated-items.ts';
import { seenAgain } from '../page/seen-again.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { SeenReply } from '../seen/head.ts';
import type { Effort } from '../signals/effort.ts';
import { PageSeries, type SeriesPage } from './cursor.ts';
import type { FeedMeter, PageWatch } from './feed-meter.ts';
import { mayLog } from './logged-page.ts';
import type { PluginTiming } from './plugin-timing.ts';
import type { Prepared } from './prepare.ts';

export interface PageBuilderOptions {
  clock: Clock;
  overfetch_factor: number;
  cursor_secret: Uint8Array;
  effort(): Effort;
  /** Absent if pages of the community are not logged. */
  shown?: object;
  /** The trace of the request that a page is built for. Absent without tracing. */
  watchPage?(): PageWatch | undefined;
}

/** A page, and what remains to be done for the answer. */
export interface Built {
  draft: Draft;
  page: readonly SourcedItem[];
  is_short: boolean;
  cursor: string | undefined;
  trace: AnswerTrace | undefined;
  warnings: string[];
  /** Whether it depends on the follows of users other than the viewer. */
  uses_others_follows: boolean;
  /** Milliseconds that resolving the feed and building the page took. */
  page_ms: number;
  /** The signals of its items, if they are logged. */
  signals: LoggedSignals | undefined;
}

/** Builds pages. It is synchronous, so a page and its explanation see one state. */
export class PageBuilder {
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
    this.followed = new FollowedActsReader(engine.state);
    this.series = new PageSeries(engine.state, options.cursor_secret);
  }

  /** @throws ServiceError `cursor_invalid`, `request_too_costly`, `plugin_failed` */
  build(prepared: Prepared): Built {
    const { meter, timing } = this;
    const { asked, plan, cold_start_reason, feed_type, top_k, return_metadata, reasons } = prepared;
    meter.start(prepared.resolve_ms, this.options.watchPage?.());
    const series = this.seriesOf(prepared);
    const context = this.begin(prepared, series, meter);
    try {
      const record = asked.explain ? new PageRecord(meter, monotonicMs) : undefined;
      if (record === undefined) timing.begin();
      const warnings = [...prepared.warnings];
      const { page, shown_before } = this.compose(prepared, context, warnings, record);
      meter.enter('answer');
      const draft = draftAnswer(context, feed_type, page, this.followed, {
        with_metadata: return_metadata,
        reasons_of: reasons ? plan : undefined,
        explanations: record && explainItems(record, page, context),
      });
      const is_short = page.length < top_k;
      const has_fallback = plan.fallbacks.length > 0 && page.some((item) => originOf(item) === 'fallback');
      meter.noteKinds(is_short, has_fallback, cold_start_reason !== null);
      const { effort } = context;
      const page_ms = meter.finish(plan.compiled, page.length, effort, plan.promotion?.id);
      if (record === undefined) timing.end(page_ms);
      const cursor = asked.unsaved ? undefined : cursorAfter(page, shown_before, prepared, series);
      const trace = record && traceOf(record, prepared, effort);
      const { uses_others_follows } = context.page;
      const signals = this.signalsOf(page, prepared, context);
      return { draft, page, cursor, is_short, trace, warnings, uses_others_follows, page_ms, signals };
    } finally {
      this.end(context);
    }
  }

  /**
   * Builds the page of an earlier answer again, with the same items, without those that may not be shown any more.
   * @param reply the items in their order
   */
  repeat(prepared: Prepared, { keys, teams }: Pick<SeenReply, 'keys' | 'teams'>): Built {
    const { asked, plan, feed_type, top_k, return_metadata, reasons, assigned } = prepared;
    const series = this.seriesOf(prepared);
    const context = this.begin(prepared, series, NO_TRACE);
    const record = asked.explain ? new PageRecord(NO_TRACE, monotonicMs) : undefined;
    try {
      const page = repeatedItems(plan, context, keys, (at) => assigned?.teams?.[(teams?.[at] ?? 0) - 1]);
      const draft = draftAnswer(context, feed_type, page, this.followed, {
        with_metadata: return_metadata,
        reasons_of: reasons ? plan : undefined,
        explanations: record && explainItems(record, page, context),
      });
      const ended = keys.length < top_k && plan.compiled.diversity === undefined;
      const cursor = asked.unsaved || ended ? undefined : series.cursorAfter(page.map(({ item }) => item));
      const trace = record && traceOf(record, prepared, context.effort);
      const { uses_others_follows } = context.page;
      const warnings = [...prepared.warnings];
      const signals = this.signalsOf(page, prepared, context);
      const built = { draft, page, cursor, trace, warnings, uses_others_follows, signals };
      return { ...built, is_short: false, page_ms: 0 };
    } finally {
      this.end(context);
    }
  }

  /**
   * Explains the place of an item on a page, or why it is not there.
   * @throws ServiceError as `build`, and `not_found` for an unknown item
   */
  explain(prepared: Prepared, item_id: string): { item: ExplainedItem; warnings: string[] } {
    const { feed_type, plan, top_k: length, offset = 0, cold_start_reason, reasons } = prepared;
    const { followed } = this;
    const context = this.begin(prepared, this.seriesOf(prepared), NO_TRACE);
    try {
      const record = new PageRecord(NO_TRACE, monotonicMs);
      const warnings = [...prepared.warnings];
      const { page } = this.compose(prepared, context, warnings, record);
      const explained = explainItem({
        ...{ feed_type, item_id, context, plan, page, length, offset, record },
        followed: reasons ? followed : undefined,
      });
      const cold_start = cold_start_reason !== null;
      return { item: { ...explained, cold_start, cold_start_reason, effort: context.effort }, warnings };
    } finally {
      this.end(context);
    }
  }

  /** Undefined if the page is not logged, or without signals. */
  private signalsOf(
    page: readonly SourcedItem[],
    { learning: { logged }, viewer_id, asked }: Prepared,
    context: PageContext,
  ): LoggedSignals | undefined {
    if (logged === undefined || viewer_id === undefined || asked.unsaved) return undefined;
    if (this.options.shown === undefined || !mayLog(this.engine.state, viewer_id)) return undefined;
    return loggedSignals(logged, context, page);
  }

  private seriesOf({ feed_type, asked, viewer_id }: Prepared): SeriesPage {
    return this.series.pageFor(feed_type, asked, viewer_id, this.options.clock.now());
  }

  private begin(
    { viewer_id, top_k, offset, seen: row, plan, learning: { page_of } }: Prepared,
    series: SeriesPage,
    trace: Trace,
  ): PageContext {
    const { clock, effort } = this.options;
    const { state } = this.engine;
    const viewer: Ordinal = viewer_id === undefined ? NONE : state.users.names.find(viewer_id);
    const now = clock.now();
    const seen = offset === undefined ? row : undefined;
    const decays_authors = [plan, plan.rival].some(
      (each) => each?.compiled.diversity?.repeat_author_decay !== undefined,
    );
    const author_repeats = seen && decays_authors ? authorRepeats(state, seen, now) : undefined;
    const { shown, random } = series;
    const { after_seconds: seen_for_seconds } = plan.compiled.seen;
    const of_viewer = { viewer, seen, seen_for_seconds, author_repeats };
    const learntBy = (of_feed: FeedLearning) => modelFor(state, of_feed, page_of);
    const of_page = { modelFor: learntBy, page_length: top_k, effort: effort(), shown, random, trace };
    return createContext(this.engine, { now, ...of_viewer, ...of_page });
  }

  private compose(
    { plan, top_k: length, offset }: Prepared,
    context: PageContext,
    all_warnings: string[],
    record: PageRecord | undefined,
  ): ComposedPage {
    const { overfetch_factor } = this.options;
    const warnings = plan.shows('promotion_filters') ? all_warnings : [];
    const building = { context, length, offset, overfetch_factor, warnings, record };
    const { page, shown_before } = composePage(buildLists(plan, building), plan.promotion, building);
    const again = seenAgain(plan, page, { ...building, warnings: all_warnings });
    return { page: again.length === 0 ? page : [...page, ...again], shown_before };
  }

  private end(context: PageContext): void {
    context.page.ended = true;
    this.engine.scratch.takeBack();
    this.engine.pools.takeBack();
    this.timing.leave();
    this.done();
  }
}

function traceOf(
  record: PageRecord,
  { cold_start_reason, revision, learning: { mode } }: Prepared,
  effort: Effort,
): AnswerTrace {
  const { proposed_count: proposed, scored_count: scored, limit } = record.main;
  return {
    stages: tracedSteps(record),
    candidates: { proposed, scored, limit },
    cold_start: cold_start_reason !== null,
    cold_start_reason,
    config_revision: revision ?? null,
    learning: mode ?? null,
    effort,
  };
}

/**
 * The cursor of the page after this one. Undefined if no items are left.
 *
 * A short page is the last one, unless diversity made it short: the next page has further items of the same authors.
 */
function cursorAfter(
  page: readonly SourcedItem[],
  before: ReadonlySet<Ordinal>,
  { top_k, plan }: Prepared,
  series: SeriesPage,
): string | undefined {
  const may_be_short = plan.compiled.diversity !== undefined;
  if (page.length === 0 || (page.length < top_k && !may_be_short)) return undefined;
  return series.cursorAfter([...before, ...page.map(({ item }) => item)]);
}
