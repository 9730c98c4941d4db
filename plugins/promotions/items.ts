import { definePromotionStrategy, type MixInput, type Promoted, type Slot, Type } from 'feedloom/plugin';

/**
 * Places hand-picked items. Spec 8.1.
 *
 * An item with a rank is placed at that slot. Items without a rank are spread evenly: the k-th of N has the target
 * slot round(k · (page + 1) / (N + 1)). If that slot is taken, the item gets the next free slot after it, or else the
 * nearest free slot before it.
 */
export default definePromotionStrategy({
  summary: 'Hand-picked items, pinned to slots or spread evenly.',
  options: Type.Object({}, { additionalProperties: false }),
  within_page: true,
  compile: () => (input) => {
    const { shown, length } = fitToPage(input);
    const slots = new Array<Slot | undefined>(length).fill(undefined);
    for (const { item, rank } of shown) {
      if (rank !== undefined) slots[rank - 1] = { item, promoted: true };
    }
    const unranked = shown.filter(({ rank }) => rank === undefined);
    for (const [index, { item }] of unranked.entries()) {
      const aim = Math.round(((index + 1) * (length + 1)) / (unranked.length + 1));
      const free = freeSlot(slots, aim);
      if (free !== undefined) slots[free] = { item, promoted: true };
    }
    return fillUp(slots, input, shown);
  },
});

/** Selects the promoted items that fit and the page length. Each depends on the other, so it repeats until stable. */
function fitToPage({ main, promoted, page }: MixInput): { shown: Promoted[]; length: number } {
  let shown = [...promoted];
  for (;;) {
    const items = new Set(shown.map(({ item }) => item));
    const others = main.reduce((count, item) => (items.has(item) ? count : count + 1), 0);
    const length = Math.min(page, others + shown.length);
    const fits = shown.filter(({ rank }) => rank === undefined || rank <= length);
    if (fits.length === shown.length) return { shown, length };
    shown = fits;
  }
}

/** Finds a free index at the 1-based slot `aim`, after it, or else before it. Undefined if all slots are taken. */
function freeSlot(slots: readonly (Slot | undefined)[], aim: number): number | undefined {
  for (let index = Math.max(0, aim - 1); index < slots.length; index++)
    if (slots[index] === undefined) return index;
  for (let index = Math.min(aim, slots.length) - 1; index >= 0; index--)
    if (slots[index] === undefined) return index;
  return undefined;
}

/** Fills the free slots from the main list, in its order. */
function fillUp(slots: (Slot | undefined)[], { main }: MixInput, shown: readonly Promoted[]): Slot[] {
  const promoted = new Set(shown.map(({ item }) => item));
  const rest = main.filter((item) => !promoted.has(item));
  let next = 0;
  const page: Slot[] = [];
  for (const slot of slots) {
    if (slot !== undefined) page.push(slot);
    else if (next < rest.length) page.push({ item: rest[next++], promoted: false });
  }
  return page;
}
