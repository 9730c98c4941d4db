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

/**
 * Steps 1 and 2: how many of each list. Of items that are in both, the first that are to be promoted leave the main
 * list, and the others stay there. So when the main list is short, only what it does not have is promoted as well: more
 * would make the page no longer, only more of it promoted than was asked.
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

/** A list without the items of another, in its order. */
function without(list: readonly Ordinal[], others: readonly Ordinal[]): Ordinal[] {
  const left_out = new Set(others);
  return list.filter((item) => !left_out.has(item));
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
