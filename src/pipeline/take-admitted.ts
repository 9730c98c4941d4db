import { NONE, type Ordinal, type Reached } from '../plugin/index.ts';
import { newerFirst } from '../signals/order.ts';
import { ScoredQueue } from '../signals/scored-queue.ts';
import type { State } from '../state/state.ts';
import type { Test } from './compiled-feed.ts';

/** The best `limit` items of a queue that are admitted; fewer when the queue has no more. */
export function takeAdmitted(queue: ScoredQueue, limit: number, state: State, admits: Test): Ordinal[] {
  const best: Ordinal[] = [];
  const { items, start, end } = queue.left;
  // Most records are not in the processor's cache; a loop that only reads them has many fetched at once.
  state.items.readAhead(items, start, end);
  for (let item = queue.pop(); item !== NONE && best.length < limit; item = queue.pop()) {
    if (admits(item)) best.push(item);
  }
  return best;
}

/**
 * A queue of everything that was reached and is admitted. The records are read ahead of testing.
 * O(reached): for filters that keep so few that looking for them best first would visit nearly all.
 */
export function admittedOf(reached: Reached, state: State, admits: Test): ScoredQueue {
  const visible: Ordinal[] = [];
  reached.forEach((item) => {
    if (state.live(item)) visible.push(item);
  });
  const admitted = new ScoredQueue(newerFirst(state));
  for (const item of visible) if (admits(item)) admitted.add(item, reached.weight(item));
  return admitted;
}
