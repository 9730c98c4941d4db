import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { Stage, Trace } from '../page/record.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Effort } from '../signals/effort.ts';

export const STAGES: readonly Stage[] = [
  'compile',
  'candidates',
  'ranking',
  'visibility',
  'mixing',
  'answer',
];

const INDEX = Object.fromEntries(STAGES.map((stage, index) => [stage, index])) as Record<Stage, number>;

/** Receives the stages of one page, for a trace of its request. Times are monotonic. */
export interface PageWatch {
  enter(stage: Stage, now_ms: number): void;
  finish(feed_type: FeedType, items: number, now_ms: number): void;
}

export interface PluginTotals {
  requests: number;
  /** For candidate sources and scoring functions only. Others run once per item, too often to measure. */
  milliseconds: number;
  /** For candidate sources: proposed new items that pass the feed's filters. */
  items: number;
}

export interface PageTotals {
  pages: number;
  items: number;
}

/**
 * Adds up the costs of feed requests with about ten clock readings per request.
 *
 * One instance serves all requests, because each page is built synchronously. A failed request counts only the
 * sources that it had read.
 *
 * Example: `meter.start(); … meter.enter('ranking'); … meter.finish(feed, page.length)`.
 */
export class FeedMeter implements Trace {
  readonly pages = new Map<FeedType, PageTotals>();
  /** Pages with fewer items than asked for, with items of fallback feeds, and of cold start feeds. */
  readonly kinds_of_pages = { short_pages: 0, fallback_pages: 0, cold_start_pages: 0 };
  readonly efforts = new Map<Effort, number>();
  readonly filters = new Map<string, PluginTotals>();
  readonly rules = new Map<string, PluginTotals>();
  readonly scoring = new Map<string, PluginTotals>();
  readonly sources = new Map<string, PluginTotals>();
  readonly promotions = new Map<string, PluginTotals>();
  private readonly total_ms = new Float64Array(STAGES.length);
  private readonly spent_ms = new Float64Array(STAGES.length);
  private stage = INDEX.compile;
  /** The start of the current stage, and the end of the last source. */
  private entered_ms = 0;
  private source_ms = 0;
  private watch: PageWatch | undefined;

  constructor(private readonly monotonicMs: () => number) {}

  milliseconds(stage: Stage): number {
    return this.total_ms[INDEX[stage]];
  }

  /** @param resolve_ms time that was spent on the request before */
  start(resolve_ms = 0, watch?: PageWatch): void {
    this.spent_ms.fill(0);
    this.stage = INDEX.compile;
    this.entered_ms = this.monotonicMs() - resolve_ms;
    this.watch = watch;
    watch?.enter('compile', this.entered_ms);
  }

  enter(stage: Stage): void {
    const now_ms = this.monotonicMs();
    this.spent_ms[this.stage] += now_ms - this.entered_ms;
    this.stage = INDEX[stage];
    this.entered_ms = now_ms;
    this.source_ms = now_ms;
    this.watch?.enter(stage, now_ms);
  }

  proposed(source_id: string, items: number): void {
    const now_ms = this.monotonicMs();
    count(this.sources, source_id, now_ms - this.source_ms, items);
    this.source_ms = now_ms;
  }

  noteKinds(is_short: boolean, has_fallback: boolean, is_cold_start: boolean): void {
    const { kinds_of_pages } = this;
    if (is_short) kinds_of_pages.short_pages++;
    if (has_fallback) kinds_of_pages.fallback_pages++;
    if (is_cold_start) kinds_of_pages.cold_start_pages++;
  }

  /** Ends a request. */
  finish(feed: CompiledFeed, items: number, effort: Effort, promotion_id?: string): number {
    const now_ms = this.monotonicMs();
    this.spent_ms[this.stage] += now_ms - this.entered_ms;
    this.watch?.finish(feed.feed_type, items, now_ms);
    this.watch = undefined;
    let page_ms = 0;
    for (let stage = 0; stage < this.total_ms.length; stage++) {
      this.total_ms[stage] += this.spent_ms[stage];
      page_ms += this.spent_ms[stage];
    }
    for (const { id } of feed.filters) count(this.filters, id, 0, 0);
    for (const { id } of feed.rules) count(this.rules, id, 0, 0);
    count(this.scoring, feed.scoring.id, this.spent_ms[INDEX.ranking], 0);
    if (promotion_id !== undefined) count(this.promotions, promotion_id, 0, 0);
    this.efforts.set(effort, (this.efforts.get(effort) ?? 0) + 1);
    const totals = this.pages.get(feed.feed_type);
    if (totals === undefined) this.pages.set(feed.feed_type, { pages: 1, items });
    else {
      totals.pages++;
      totals.items += items;
    }
    return page_ms;
  }
}

function count(of_kind: Map<string, PluginTotals>, id: string, milliseconds: number, items: number): void {
  const totals = of_kind.get(id);
  if (totals === undefined) {
    of_kind.set(id, { requests: 1, milliseconds, items });
    return;
  }
  totals.requests++;
  totals.milliseconds += milliseconds;
  totals.items += items;
}
