import { seededRandom } from '../../src/clock.ts';

/** `FUZZ_SEED=1` draws other inputs. */
export const SEED = Number(process.env.FUZZ_SEED ?? '20260101');

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
