import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { Stage, Trace } from '../pipeline/trace.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Kind } from '../registry/registry.ts';

const STAGES: readonly Stage[] = ['compile', 'candidates', 'ranking', 'visibility', 'mixing', 'answer'];

/** Totals of one plugin since the start. */
export interface PluginTotals {
  /** Requests that used it. */
  requests: number;
  /** Kinds that the host can time without touching every item: candidate sources and scoring functions. */
  milliseconds: number;
  /** Items that a candidate source proposed (new ones that the feed's filters keep), or that were ranked. */
  items: number;
}

/**
 * Adds up what feed requests cost: a few clock readings and additions a request. One for all requests,
 * which is possible because each is built synchronously.
 *
 * Example: `meter.start(); … meter.enter('ranking'); … meter.finish(feed, page.length)`.
 */
export class FeedMeter implements Trace {
  /** Milliseconds by stage, of finished requests. */
  readonly stages = new Map<Stage, number>(STAGES.map((stage) => [stage, 0]));
  /** Finished pages, and the items on them, by feed type. */
  readonly pages = new Map<FeedType, { pages: number; items: number }>();
  readonly plugins = new Map<Kind, Map<string, PluginTotals>>();
  private readonly spent = new Map<Stage, number>();
  private stage: Stage = 'compile';
  /** When the running stage began, and when the last source ended. */
  private entered_ms = 0;
  private source_ms = 0;

  constructor(private readonly monotonicMs: () => number) {}

  /** A request begins. One that failed before it counts for nothing. */
  start(): void {
    this.spent.clear();
    this.stage = 'compile';
    this.entered_ms = this.monotonicMs();
  }

  enter(stage: Stage): void {
    const now_ms = this.monotonicMs();
    this.spend(now_ms);
    this.stage = stage;
    this.entered_ms = now_ms;
    this.source_ms = now_ms;
  }

  proposed(source_id: string, items: number): void {
    const now_ms = this.monotonicMs();
    this.count('candidate_sources', source_id, now_ms - this.source_ms, items);
    this.source_ms = now_ms;
  }

  /** The request is done, with so many items on its page. */
  finish(feed: CompiledFeed, items: number): void {
    this.spend(this.monotonicMs());
    for (const [stage, milliseconds] of this.spent) {
      this.stages.set(stage, (this.stages.get(stage) ?? 0) + milliseconds);
    }
    for (const { id } of feed.filters) this.count('filters', id, 0, 0);
    for (const { id } of feed.rules) this.count('visibility_rules', id, 0, 0);
    this.count('scoring_functions', feed.scoring.id, this.spent.get('ranking') ?? 0, 0);
    const totals = this.pages.get(feed.feed_type);
    if (totals === undefined) this.pages.set(feed.feed_type, { pages: 1, items });
    else {
      totals.pages++;
      totals.items += items;
    }
  }

  private spend(now_ms: number): void {
    this.spent.set(this.stage, (this.spent.get(this.stage) ?? 0) + now_ms - this.entered_ms);
  }

  private count(kind: Kind, id: string, milliseconds: number, items: number): void {
    let of_kind = this.plugins.get(kind);
    if (of_kind === undefined) {
      of_kind = new Map();
      this.plugins.set(kind, of_kind);
    }
    const totals = of_kind.get(id);
    if (totals === undefined) of_kind.set(id, { requests: 1, milliseconds, items });
    else {
      totals.requests++;
      totals.milliseconds += milliseconds;
      totals.items += items;
    }
  }
}
