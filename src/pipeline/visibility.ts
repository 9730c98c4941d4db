import { NONE, type Ordinal } from '../plugin/index.ts';
import { pluginFailed } from '../registry/plugin-failed.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import type { Test } from './compiled-feed.ts';
import type { PageItem } from './page-item.ts';

/** A feed's scoring function for one request. */
export interface Scorer {
  id: string;
  score(item: Ordinal): number;
  /** The factor of an item's age. */
  decay(item: Ordinal): number;
  /** The queue has the scores themselves, not what they do not exceed, and nothing decays. */
  queued: boolean;
}

/**
 * Step 3, spec 1.3: takes items best first and keeps what every rule lets through, until `ranked` has
 * `wanted` items or the queue is empty. What the queue had by its ceiling goes back to where its score puts it.
 */
export function takeVisible(
  ranked: PageItem[],
  queue: ScoredQueue,
  visible: Test,
  { id, score, decay, queued }: Scorer,
  wanted: number,
): void {
  while (ranked.length < wanted) {
    const item = queue.pop();
    if (item === NONE) return;
    if (!visible(item)) continue;
    if (queued) {
      ranked.push(pageItem(item, queue.score, queue.score));
      continue;
    }
    const exact = score(item);
    const adjusted_score = exact * decay(item);
    if (adjusted_score > queue.score) throw pluginFailed(id, new Error('a score is above its ceiling'));
    if (adjusted_score < queue.score) queue.add(item, adjusted_score);
    else ranked.push(pageItem(item, exact, adjusted_score));
  }
}

/** With all that is going to be in it, so that the engine need not make room for that later. */
function pageItem(item: Ordinal, score: number, adjusted_score: number): PageItem {
  return { item, score, adjusted_score, explored: undefined, source_feed: '' };
}

const pass: Test = () => true;

/**
 * One test out of many: all must pass, in order. Each is called from a place of its own, where the engine mostly finds
 * the same test as on the last page and can make its code part of the caller's, which it cannot in a loop over them.
 */
export function allOf(tests: readonly Test[]): Test {
  if (tests.length <= 1) return tests[0] ?? pass;
  const [a = pass, b = pass, c = pass, d = pass, e = pass, f = pass, ...others] = tests;
  const first: Test = (item) => a(item) && b(item) && c(item) && d(item) && e(item) && f(item);
  if (others.length === 0) return first;
  const rest = allOf(others);
  return (item) => first(item) && rest(item);
}
