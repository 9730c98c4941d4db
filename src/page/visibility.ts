import type { Test } from '../feeds/compiled-feed.ts';
import { NONE } from '../plugin/index.ts';
import { pluginFailed } from '../registry/plugin-failed.ts';
import { type PageItem, pageItem, sortPageItems } from './page-item.ts';
import type { Ranked } from './ranking.ts';

/**
 * Step 3: moves the best candidates that pass every rule to the end of `visible`. Spec 1.3.
 *
 * Stops when there are `wanted` items or no candidates. A candidate that was queued by its upper bound is queued again
 * with its score.
 */
export function takeVisible(visible: PageItem[], ranked: Ranked, passes: Test, wanted: number): void {
  const { queue, score, decay, exact, scoring_id, engine, trace } = ranked;
  trace.enter('visibility');
  const before = visible.length;
  while (visible.length < wanted) {
    const item = queue.pop();
    if (item === NONE) break;
    if (!passes(item)) continue;
    if (exact) {
      visible.push(pageItem(item, queue.score, queue.score));
      continue;
    }
    const value = score(item);
    const adjusted_score = value * decay(item);
    if (adjusted_score > queue.score)
      throw pluginFailed(scoring_id, new Error('a score is above its ceiling'));
    if (adjusted_score < queue.score) queue.add(item, adjusted_score);
    else visible.push(pageItem(item, value, adjusted_score));
  }
  // Later candidates may have higher scores than earlier ones.
  if (before > 0 && visible.length > before) sortPageItems(visible, engine.state);
}
