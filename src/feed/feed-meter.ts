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

/** What a meter has counted. */
export interface MeterReading {
  pages: Map<FeedType, PageTotals>;
  efforts: Map<Effort, number>;
  /** By kind: filters, rules, scoring functions, sources, promotion strategies. */
  plugins: Map<string, PluginTotals>[];
  /** By stage, in the order of `STAGES`. */
  stages_ms: Float64Array;
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

  /** Everything so far, as it travels from another thread; from here on counted from nothing. */
  take(): MeterReading {
    const { pages, efforts, filters, rules, scoring, sources, promotions } = this;
    const reading = {
      pages: new Map(pages),
      efforts: new Map(efforts),
      plugins: [filters, rules, scoring, sources, promotions].map((totals) => new Map(totals)),
      stages_ms: Float64Array.from(this.total_ms),
    };
    for (const totals of [pages, efforts, filters, rules, scoring, sources, promotions]) totals.clear();
    this.total_ms.fill(0);
    return reading;
  }

  /** Counts what another meter has read. */
  add({ pages, efforts, plugins, stages_ms }: MeterReading): void {
    for (const [feed_type, read] of pages) this.addPages(feed_type, read);
    for (const [effort, read] of efforts) this.efforts.set(effort, (this.efforts.get(effort) ?? 0) + read);
    const of_kinds = [this.filters, this.rules, this.scoring, this.sources, this.promotions];
    for (const [kind, totals] of plugins.entries()) {
      for (const [id, { requests, milliseconds, items }] of totals)
        count(of_kinds[kind], id, milliseconds, items, requests);
    }
    for (const [stage, ms] of stages_ms.entries()) this.total_ms[stage] += ms;
  }

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
    this.addPages(feed.feed_type, { pages: 1, items });
    return page_ms;
  }

  private addPages(feed_type: FeedType, { pages, items }: PageTotals): void {
    const totals = this.pages.get(feed_type);
    if (totals === undefined) this.pages.set(feed_type, { pages, items });
    else {
      totals.pages += pages;
      totals.items += items;
    }
  }
}

function count(
  of_kind: Map<string, PluginTotals>,
  id: string,
  milliseconds: number,
  items: number,
  requests = 1,
): void {
  const totals = of_kind.get(id);
  if (totals === undefined) {
    of_kind.set(id, { requests, milliseconds, items });
    return;
  }
  totals.requests += requests;
  totals.milliseconds += milliseconds;
  totals.items += items;
}
