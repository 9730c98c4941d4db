import type { MixInput, Ordinal, Slot } from '../plugin/index.ts';
import type { PageItem } from './page-item.ts';

/** An item of a page whose feed is told, and which promotion put it there. */
export interface SourcedItem extends PageItem {
  promotion_name?: string;
}

/** A promoted item, perhaps pinned to a 1-based slot. */
export interface PromotedItem extends SourcedItem {
  rank?: number;
}

export interface Promotion {
  id: string;
  mix(input: MixInput): Slot[];
}

/**
 * Step 4, spec 8: puts promoted items into the main list.
 * @throws Error when the strategy gives an item twice, one that it was not given, too many, or too few: a page is not
 * short while an item of the main list is left
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
    if (item === undefined) throw new Error('a slot holds an item that was not handed in');
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
