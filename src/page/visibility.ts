import type { Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import { pluginFailed } from '../registry/plugin-failed.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import type { PageItem } from './page-item.ts';

/** A feed's scoring function for one request. */
export interface Scorer {
  id: string;
  score(item: Ordinal): number;
  /** The age factor of an item. */
  decay(item: Ordinal): number;
  /** Whether the queue contains final scores: no upper bounds and no decay. */
  queued: boolean;
}

/**
 * Step 3: takes items in order and keeps those that pass every rule. Spec 1.3.
 *
 * Stops when `ranked` has `wanted` items or the queue is empty. An item that was queued by its upper bound is queued
 * again with its score.
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

/** Creates all fields at once, so that the object's layout does not change later. */
function pageItem(item: Ordinal, score: number, adjusted_score: number): PageItem {
  return { item, score, adjusted_score, explored: undefined, source_feed: '' };
}

const pass: Test = () => true;

/**
 * Combines tests: all must pass, in order.
 *
 * Each test has its own call site. The engine can then inline the test of the last page, which it cannot do in a
 * loop.
 */
export function allOf(tests: readonly Test[]): Test {
  if (tests.length <= 1) return tests[0] ?? pass;
  const [a = pass, b = pass, c = pass, d = pass, e = pass, f = pass, ...others] = tests;
  const first: Test = (item) => a(item) && b(item) && c(item) && d(item) && e(item) && f(item);
  if (others.length === 0) return first;
  const rest = allOf(others);
  return (item) => first(item) && rest(item);
}
