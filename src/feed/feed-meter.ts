import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { Stage, Trace } from '../pipeline/trace.ts';
import type { Effort, FeedType } from '../plugin/index.ts';

export const STAGES: readonly Stage[] = [
  'compile',
  'candidates',
  'ranking',
  'visibility',
  'mixing',
  'answer',
];

const INDEX = Object.fromEntries(STAGES.map((stage, index) => [stage, index])) as Record<Stage, number>;

/** Totals of one plugin since the start. */
export interface PluginTotals {
  /** Requests that used it. */
  requests: number;
  /** Of candidate sources and scoring functions: the others are called once per item, too often to time. */
  milliseconds: number;
  /** Of candidate sources: new items that they proposed and the feed's filters keep. */
  items: number;
}

export interface PageTotals {
  pages: number;
  /** Items on these pages. */
  items: number;
}

/**
 * Adds up what feed requests cost: some ten clock readings and as many additions a request. One for all
 * requests, which is possible because each is built synchronously. What failed half-way counts nothing but
 * the sources that had been read.
 *
 * Example: `meter.start(); … meter.enter('ranking'); … meter.finish(feed, page.length)`.
 */
export class FeedMeter implements Trace {
  readonly pages = new Map<FeedType, PageTotals>();
  /** Pages by the effort with which they were built. */
  readonly efforts = new Map<Effort, number>();
  readonly filters = new Map<string, PluginTotals>();
  readonly rules = new Map<string, PluginTotals>();
  readonly scoring = new Map<string, PluginTotals>();
  readonly sources = new Map<string, PluginTotals>();
  readonly promotions = new Map<string, PluginTotals>();
  private readonly total_ms = new Float64Array(STAGES.length);
  private readonly spent_ms = new Float64Array(STAGES.length);
  private stage = INDEX.compile;
  /** When the running stage began, and when the last source ended. */
  private entered_ms = 0;
  private source_ms = 0;

  constructor(private readonly monotonicMs: () => number) {}

  /** Milliseconds spent in a stage, of finished requests. */
  milliseconds(stage: Stage): number {
    return this.total_ms[INDEX[stage]];
  }

  start(): void {
    this.spent_ms.fill(0);
    this.stage = INDEX.compile;
    this.entered_ms = this.monotonicMs();
  }

  enter(stage: Stage): void {
    const now_ms = this.monotonicMs();
    this.spent_ms[this.stage] += now_ms - this.entered_ms;
    this.stage = INDEX[stage];
    this.entered_ms = now_ms;
    this.source_ms = now_ms;
  }

  proposed(source_id: string, items: number): void {
    const now_ms = this.monotonicMs();
    count(this.sources, source_id, now_ms - this.source_ms, items);
    this.source_ms = now_ms;
  }

  /**
   * The request is done, with so many items on its page.
   * @param effort with which it was built
   * @param promotion_id the strategy that mixed it
   * @returns milliseconds that it took
   */
  finish(feed: CompiledFeed, items: number, effort: Effort, promotion_id?: string): number {
    this.spent_ms[this.stage] += this.monotonicMs() - this.entered_ms;
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
