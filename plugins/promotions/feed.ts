import { definePromotionStrategy, type MixInput, type Ordinal, type Slot, Type } from 'feedloom/plugin';

/** A slot n is chosen with a weight of 1 / n^0.35: promoted items stand a little nearer to the top. */
const TOP_BIAS = 0.35;

/**
 * Spec 8.2: a share of the page from another feed, at random slots biased to the top. When the promoted feed
 * runs out, the main list fills up, and the other way round.
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

/** Steps 1 and 2: how many of each list, without items that are in both. */
function shares(
  { main, promoted, page, overfetch_factor }: MixInput,
  percent: number,
): { main: Ordinal[]; promoted: Ordinal[] } {
  const desired = Math.ceil(page * overfetch_factor);
  let promo_count = Math.min(Math.ceil((desired * percent) / 100), promoted.length);
  for (;;) {
    const kept = promoted.slice(0, promo_count).map(({ item }) => item);
    const promoted_items = new Set(kept);
    const rest = main.filter((item) => !promoted_items.has(item)).slice(0, desired - promo_count);
    const grown = Math.min(page - rest.length, promoted.length);
    if (grown <= promo_count) return { main: rest, promoted: kept };
    promo_count = grown;
  }
}

/**
 * Step 3: `count` distinct slots of 1 to `slots` by weighted sampling without replacement, ascending. Each
 * slot draws u^(1/weight) and the largest win (Efraimidis and Spirakis, "Weighted random sampling with a
 * reservoir", 2006), which gives the same distribution as drawing one after another.
 */
function drawSlots(count: number, slots: number, random: () => number): Set<number> {
  const drawn: { slot: number; key: number }[] = [];
  for (let slot = 1; slot <= slots; slot++) {
    // log(u) / weight orders like u^(1/weight); 1 - u is never 0.
    drawn.push({ slot, key: Math.log(1 - random()) * slot ** TOP_BIAS });
  }
  drawn.sort((one, other) => other.key - one.key);
  return new Set(drawn.slice(0, count).map(({ slot }) => slot));
}

/** Step 4: at a chosen slot the next promoted item, otherwise the next of the main list. */
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
