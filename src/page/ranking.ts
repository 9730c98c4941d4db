import type { BoundScoring, CompiledFeed } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import { isThirdParty } from '../registry/registry.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import { adjustmentOf } from './decay.ts';
import type { Engine } from './engine.ts';
import type { PageContext } from './page-context.ts';
import { type PageItem, pageItem } from './page-item.ts';
import type { Trace } from './record.ts';

type Score = (item: Ordinal) => number;

/** The candidates that were scored and are not yet on the page, best first. */
export interface Ranked {
  /** Ordered by adjusted scores, or by their upper bounds. */
  queue: ScoredQueue;
  scoring_id: string;
  score: Score;
  decay: Score;
  bound: Score;
  /** Whether the bound is the score: the scoring function is cheap, and nothing adjusts it. */
  exact: boolean;
  engine: Engine;
  trace: Trace;
}

/** Binds a feed's scoring function. The queue is empty. */
export function ranking(feed: CompiledFeed, context: PageContext, trace: Trace): Ranked {
  const { scoring } = feed;
  const { record } = trace;
  const bound_score = scoring.bind(context);
  const score = record?.scored(bound_score) ?? bound_score;
  // Without an upper bound every candidate is scored and counted.
  const ceiling = (record ? undefined : scoring.ceiling?.(context)) ?? score;
  const adjustment = adjustmentOf(feed, context);
  const decay = adjustment ?? (() => 1);
  const count = countedScores(context, scoring);
  const bound = (item: Ordinal): number => {
    count();
    return ceiling(item) * decay(item);
  };
  const exact = ceiling === score && adjustment === undefined;
  const { engine } = context;
  const queue = engine.scratch.queues.take();
  return { queue, scoring_id: scoring.id, score, decay, bound, exact, engine, trace };
}

/** Step 2: puts a batch of candidates in order. Scoring never drops items. Spec 1.2. */
export function rank({ queue, bound, engine, trace }: Ranked, batch: readonly Ordinal[]): void {
  trace.enter('ranking');
  engine.trend_rates.readAhead(batch);
  for (const item of batch) queue.add(item, bound(item));
}

/** Counts each item that is scored. @throws ServiceError `request_too_costly` */
export function countedScores({ page: { budget } }: PageContext, { id }: BoundScoring): () => void {
  const calls = isThirdParty(id) ? 1 : 0;
  const on = () => `too many items were scored by ${id}`;
  return () => budget.spendOnPlugins(1, calls, on);
}

/** Scores items that are on a page for another reason than their rank. */
export function itemScorer(feed: CompiledFeed, context: PageContext): (item: Ordinal) => PageItem {
  const score = feed.scoring.bind(context);
  const adjustment = adjustmentOf(feed, context);
  const count = countedScores(context, feed.scoring);
  return (item) => {
    count();
    const value = score(item);
    return pageItem(item, value, value * (adjustment?.(item) ?? 1));
  };
}
