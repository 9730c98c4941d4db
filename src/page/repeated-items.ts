import type { FeedPlan } from '../feeds/plan.ts';
import { NONE } from '../plugin/index.ts';
import type { PageContext } from './page-context.ts';
import type { SourcedItem } from './page-item.ts';
import { itemScorer } from './ranking.ts';

/**
 * The items of an earlier page in their order, as items of the feed itself, with the scores that they have now. Those
 * that were deleted, hidden or muted since, or whose author and viewer blocked each other, are left out.
 * @param teamAt the interleaved variant that chose the item at a place
 */
export function repeatedItems(
  { compiled, source_feed }: FeedPlan,
  context: PageContext,
  keys: Uint32Array,
  teamAt: (place: number) => string | undefined,
): SourcedItem[] {
  const { state } = context.engine;
  const scored = itemScorer(compiled, context);
  const page: SourcedItem[] = [];
  for (const [at, key] of keys.entries()) {
    const item = state.items.names.ordinal(key);
    if (item === NONE || !state.live(item) || context.viewer.has_hidden(item)) continue;
    if (context.viewer.is_blocked(state.items.author(item)) || context.viewer.is_muted(item)) continue;
    page.push({ ...scored(item), source_feed, team: teamAt(at) });
  }
  return page;
}
