import type { Random } from '../../src/clock.ts';

/** What draws of a random generator decide. */
export class Draws {
  constructor(protected readonly random: Random) {}

  /** A random integer from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** @param probability 0 to 1 */
  chance(probability: number): boolean {
    return this.random() < probability;
  }
}
