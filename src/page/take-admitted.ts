import type { Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal, type Reached } from '../plugin/index.ts';
import { newerFirst } from '../signals/order.ts';
import { ScoredQueue } from '../signals/scored-queue.ts';
import type { State } from '../state/state.ts';

/** The `limit` best admitted items of a queue. Fewer if the queue ends. */
export function takeAdmitted(queue: ScoredQueue, limit: number, state: State, admits: Test): Ordinal[] {
  const best: Ordinal[] = [];
  const { items, start, end } = queue.left;
  // Most records are not in the processor's cache. A loop that only reads them lets the processor fetch many at once.
  state.items.readAhead(items, start, end);
  for (let item = queue.pop(); item !== NONE && best.length < limit; item = queue.pop()) {
    if (admits(item)) best.push(item);
  }
  return best;
}

/**
 * A queue of all reached and admitted items. Reads the records ahead of the tests. O(reached).
 *
 * It is for filters that keep few items, where a search from the strongest down would visit nearly all.
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
