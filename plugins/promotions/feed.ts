import { definePromotionStrategy, type MixInput, type Ordinal, type Slot, Type } from 'feedloom/plugin';

/** Slot n has the weight 1 / n^0.35, which moves promoted items slightly towards the top. */
const TOP_BIAS = 0.35;

/**
 * Fills a share of the page from another feed, at random slots biased to the top. Spec 8.2.
 *
 * If one of the two lists is too short, the other fills the page.
 */
export default definePromotionStrategy({
  summary: 'A share of the page from another feed, at random slots biased to the top.',
  options: Type.Object(
    { percent: Type.Integer({ minimum: 0, maximum: 100, description: 'an integer from 0 to 100' }) },
    { additionalProperties: false },
  ),
  compile:
    ({ percent }) =>
    (input) => {
      const { main, promoted } = shares(input, percent);
      const chosen = drawSlots(promoted.length, promoted.length + main.length, input.random);
      return interleave(main, promoted, chosen).slice(0, input.page);
    },
});

/**
 * Steps 1 and 2: selects the items that each list contributes.
 *
 * An item in both lists leaves the main list only if it is among the first `promo_count` promoted items. If the page
 * is still short, only items outside the main list are added. Promoting items of the main list as well would raise
 * the promoted share without making the page longer.
 */
function shares(
  { main, promoted, page, overfetch_factor }: MixInput,
  percent: number,
): { main: Ordinal[]; promoted: Ordinal[] } {
  const desired = Math.ceil(page * overfetch_factor);
  const promo_count = Math.min(Math.ceil((desired * percent) / 100), promoted.length);
  const items = promoted.map(({ item }) => item);
  const kept = items.slice(0, promo_count);
  const rest = without(main, kept).slice(0, desired - promo_count);
  const missing = page - kept.length - rest.length;
  if (missing <= 0) return { main: rest, promoted: kept };
  const grown = without(items.slice(promo_count), main).slice(0, missing);
  return { main: rest, promoted: [...kept, ...grown] };
}

/** Returns the items of `list` that are not in `others`, in the same order. */
function without(list: readonly Ordinal[], others: readonly Ordinal[]): Ordinal[] {
  const left_out = new Set(others);
  return list.filter((item) => !left_out.has(item));
}

/**
 * Step 3: draws `count` distinct slots from 1 to `slots` by weighted sampling without replacement.
 *
 * Each slot draws u^(1/weight) and the largest values win. This has the same distribution as drawing one slot after
 * another (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
 */
function drawSlots(count: number, slots: number, random: () => number): Set<number> {
  const drawn: { slot: number; key: number }[] = [];
  for (let slot = 1; slot <= slots; slot++) {
    // log(u) / weight has the order of u^(1/weight); 1 - u is never 0.
    drawn.push({ slot, key: Math.log(1 - random()) * slot ** TOP_BIAS });
  }
  drawn.sort((one, other) => other.key - one.key);
  return new Set(drawn.slice(0, count).map(({ slot }) => slot));
}

/** Step 4: puts the next promoted item at each chosen slot, and the next item of the main list elsewhere. */
function interleave(
  main: readonly Ordinal[],
  promoted: readonly Ordinal[],
  chosen: ReadonlySet<number>,
): Slot[] {
  const mixed: Slot[] = [];
  let next_main = 0;
  let next_promoted = 0;
  for (let slot = 1; slot <= main.length + promoted.length; slot++) {
    if (chosen.has(slot)) mixed.push({ item: promoted[next_promoted++], promoted: true });
    else mixed.push({ item: main[next_main++], promoted: false });
  }
  return mixed;
}
