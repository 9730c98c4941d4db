import type { Random } from '../../../src/clock.ts';
import { type Comparison, compareVariants } from '../../../src/experiments/statistics/compare.ts';
import { compareCredit } from '../../../src/experiments/statistics/credit.ts';
import type { VariantSums } from '../../../src/experiments/statistics/sums.ts';
import { teamDraft } from '../../../src/page/team-draft.ts';

/** Made viewers who read pages of two feeds, under either method of an experiment. */

const PAGE_ITEMS = 10;
/** Items of a page that both feeds choose. */
const SHARED_ITEMS = 3;
/** The median probability that a viewer acts on an item. Among ten viewers, one has more than three times as much. */
const LIKELY = 0.08;
const LIKELY_MAX = 0.7;
const TASTE_SD = 1;
/** The probability that a known viewer comes back on a day. */
const RETURNS = 0.25;

type Item = { item: number };
const OWN_ITEMS = PAGE_ITEMS - SHARED_ITEMS;
const CONTROL: readonly Item[] = Array.from({ length: PAGE_ITEMS }, (_, item) => ({ item }));
/** The shared items are those below `SHARED_ITEMS`, at other places. */
const TREATMENT: readonly Item[] = [...CONTROL.keys()].map((at) => ({
  item: at < OWN_ITEMS ? PAGE_ITEMS + at : at - OWN_ITEMS,
}));

interface Reader {
  likely: number;
  /** Acts on items of the control and of the treatment. */
  acts: [number, number];
}

/**
 * Viewers who come day by day, of whom some come back.
 * @param lift by which pages of the treatment alone get more acts than those of the control
 */
export class Readers {
  readonly all: Reader[] = [];

  constructor(
    private readonly random: Random,
    private readonly lift: number,
    private readonly method: 'split' | 'interleaving',
  ) {}

  day(new_count: number): void {
    for (const [at, reader] of this.all.entries()) if (this.random() < RETURNS) this.visit(reader, at);
    for (let one = 0; one < new_count; one++) {
      const normal = Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
      const reader: Reader = {
        likely: Math.min(LIKELY_MAX, LIKELY * Math.exp(TASTE_SD * normal)),
        acts: [0, 0],
      };
      this.visit(reader, this.all.push(reader) - 1);
    }
  }

  /** What the service would answer now. */
  compared(): Comparison {
    const { all, method } = this;
    if (method === 'split') {
      const [control, treatment] = [0, 1].map((team) =>
        sumsOf(
          all.filter((_, at) => at % 2 === team),
          team,
        ),
      );
      return compareVariants(control, treatment);
    }
    const products = all.reduce((sum, { acts }) => sum + acts[0] * acts[1], 0);
    return compareCredit(sumsOf(all, 0), sumsOf(all, 1), products);
  }

  private visit({ likely, acts }: Reader, at: number): void {
    const { random, method } = this;
    const team = at % 2;
    const page =
      method === 'split'
        ? (team === 0 ? CONTROL : TREATMENT).map((item) => ({ item, team }))
        : teamDraft([CONTROL, TREATMENT], random).slice(0, PAGE_ITEMS);
    const lift = 1 + (this.lift * PAGE_ITEMS) / OWN_ITEMS;
    for (const { item, team: chosen } of page) {
      const is_better = item.item >= PAGE_ITEMS;
      if (chosen !== undefined && random() < likely * (is_better ? lift : 1)) acts[chosen]++;
    }
  }
}

function sumsOf(readers: readonly Reader[], team: number): VariantSums {
  let [sum, sum_squares] = [0, 0];
  for (const { acts } of readers) {
    sum += acts[team];
    sum_squares += acts[team] ** 2;
  }
  return { viewers: readers.length, sum, sum_squares };
}

/** Whether a look on one of some days decides, and which way it does first. */
export function decidedWithin(days: number, new_a_day: number, readers: Readers): Comparison | undefined {
  for (let day = 0; day < days; day++) {
    readers.day(new_a_day);
    const compared = readers.compared();
    if (compared.decided) return compared;
  }
  return undefined;
}
