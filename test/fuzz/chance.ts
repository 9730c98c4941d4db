import { seededRandom } from '../../src/clock.ts';

/** How many inputs each door gets in the usual run; `FUZZ_CASES=20000` runs longer, `FUZZ_SEED=1` another way. */
const { FUZZ_CASES = '100', FUZZ_SEED = '20260101' } = process.env;
export const CASES = Number(FUZZ_CASES);
export const SEED = Number(FUZZ_SEED);

/** Draws by a seed, so that a run can be repeated. */
export class Chance {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** An integer from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.random() * 100 < share;
  }
}
