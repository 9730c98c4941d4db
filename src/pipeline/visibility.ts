import { NONE, type Ordinal } from '../plugin/index.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import type { Test } from './compiled-feed.ts';
import type { PageItem } from './pipeline.ts';

/**
 * Step 3, spec 1.3: takes items best first and keeps what every rule lets through, until `ranked` has
 * `wanted` items or the queue is empty.
 */
export function takeVisible(
  ranked: PageItem[],
  queue: ScoredQueue,
  visible: Test,
  score: (item: Ordinal) => number,
  wanted: number,
): void {
  while (ranked.length < wanted) {
    const item = queue.pop();
    if (item === NONE) return;
    if (visible(item)) ranked.push({ item, score: score(item), adjusted_score: queue.score });
  }
}

/** One test out of many: all must pass, in order. */
export function allOf(tests: readonly Test[]): Test {
  if (tests.length === 0) return () => true;
  if (tests.length === 1) return tests[0];
  return (item) => {
    for (const test of tests) if (!test(item)) return false;
    return true;
  };
}
