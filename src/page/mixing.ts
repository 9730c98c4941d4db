import type { Promotion } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { PageItem } from './page-item.ts';

/** An item of a page with its source feed and the promotion that placed it. */
export interface SourcedItem extends PageItem {
  promotion_name?: string;
}

/** A promoted item, optionally pinned to a 1-based slot. */
export interface PromotedItem extends SourcedItem {
  rank?: number;
}

/**
 * Step 4: mixes promoted items into the main list. Spec 8.
 * @throws Error if the strategy returns an item twice, an item that is not in the input, too many slots, or too few
 * slots while items of the main list are left
 */
export function mix(
  main: readonly SourcedItem[],
  promoted: readonly PromotedItem[],
  promotion: Promotion,
  page: number,
  overfetch_factor: number,
  random: () => number,
): SourcedItem[] {
  const slots = promotion.mix({
    main: main.map(({ item }) => item),
    promoted: promoted.map(({ item, rank }) => ({ item, rank })),
    page,
    overfetch_factor,
    random,
  });
  if (slots.length > page) throw new Error(`${slots.length} slots for a page of ${page}`);
  const main_items = byOrdinal(main);
  const promoted_items = byOrdinal(promoted);
  const used = new Set<Ordinal>();
  const mixed = slots.map((slot) => {
    const item = (slot.promoted ? promoted_items : main_items).get(slot.item);
    if (item === undefined) throw new Error('a slot holds an item that is not in the input');
    if (used.has(slot.item)) throw new Error('two slots hold the same item');
    used.add(slot.item);
    return item;
  });
  if (mixed.length < page && main.some(({ item }) => !used.has(item)))
    throw new Error(`${mixed.length} slots for a page of ${page}, and items of the main list are left`);
  return mixed;
}

function byOrdinal<T extends PageItem>(items: readonly T[]): Map<Ordinal, T> {
  return new Map(items.map((item) => [item.item, item]));
}
