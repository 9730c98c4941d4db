import { seededRandom } from '../../src/clock.ts';

/** Seed of the inputs; set `FUZZ_SEED` for others. */
export const SEED = Number(process.env.FUZZ_SEED ?? '20260101');

/** A random generator with a seed, so that a run can be repeated. */
export class Chance {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** A random integer from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** True with this probability in percent. */
  percent(share: number): boolean {
    return this.random() * 100 < share;
  }
}
