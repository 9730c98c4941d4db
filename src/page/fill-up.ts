import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Allowed } from './allowed.ts';
import { freeSlots } from './diversity.ts';
import type { PageContext } from './page-context.ts';
import type { PageItem } from './page-item.ts';
import { Tail } from './tail.ts';

/** Maximum number of items that pass the filters and are examined to fill a page. The viewer may not see the rest. */
const EXAMINED_MAX = 2_048;

/**
 * Fills a batch up to a page of visible items, in the order of the feed's signal for it.
 *
 * Sources only examine the first few hundred items, which may have another language or may all be seen.
 * @param list the items before this page
 * @returns whether the batch then has all items that the feed may show
 */
export function fillUp(
  batch: Ordinal[],
  feed: CompiledFeed,
  context: PageContext,
  { admission, listing }: Allowed,
  list: readonly PageItem[],
): boolean {
  if (feed.filled_by === undefined) return false;
  const before = batch.length;
  const has_slot = freeSlots(feed.diversity, context.page_length, context.grouping, list);
  let missing = context.page_length;
  for (const item of batch) {
    if (missing === 0) return false;
    if (admission.admits(item) && has_slot(item)) missing--;
  }
  const tail = new Tail(context, feed.filled_by, feed.half_life_hours, listing);
  // The tail may restart, so items can occur twice.
  const examined = new Set<Ordinal>();
  const examine = (item: Ordinal): boolean => {
    if (examined.has(item) || !admission.filtered(item)) return false;
    examined.add(item);
    if (admission.admits(item) && admission.offer(item)) {
      batch.push(item);
      if (has_slot(item)) missing--;
    }
    return true;
  };
  while (examined.size < EXAMINED_MAX && missing > 0 && !tail.complete) tail.read(1, examine);
  context.trace.record?.offered('tail', batch.slice(before), batch.length - before);
  context.trace.enter('candidates');
  return tail.complete;
}
