import type { Ordinal } from '../plugin/index.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';

/** Step 2, spec 1.2: scores a batch of candidates into the queue. Scoring only orders, it drops nothing. */
export function rank(batch: readonly Ordinal[], score: (item: Ordinal) => number, queue: ScoredQueue): void {
  for (const item of batch) queue.add(item, score(item));
}
