import type { FeedPlan } from '../feeds/plan.ts';
import { NONE } from '../plugin/index.ts';
import { adjustmentOf } from './decay.ts';
import type { PageContext } from './page-context.ts';
import type { SourcedItem } from './page-item.ts';

/**
 * The items of an earlier page in their order, as items of the feed itself, with the scores that they have now. Those
 * that were deleted or hidden since, or whose author and viewer blocked each other, are left out.
 */
export function repeatedItems(
  { compiled, source_feed }: FeedPlan,
  context: PageContext,
  keys: Uint32Array,
): SourcedItem[] {
  const { state } = context.engine;
  const score = compiled.scoring.bind(context);
  const adjustment = adjustmentOf(compiled, context);
  const page: SourcedItem[] = [];
  for (const key of keys) {
    const item = state.items.names.ordinal(key);
    if (item === NONE || !state.live(item) || context.has_hidden(item)) continue;
    if (context.is_blocked(state.items.author(item))) continue;
    const value = score(item);
    page.push({ item, score: value, adjusted_score: value * (adjustment?.(item) ?? 1), source_feed });
  }
  return page;
}
