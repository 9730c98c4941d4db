import { seededRandom } from '../../src/clock.ts';
import { Draws } from '../support/draws.ts';

/** Seed of the inputs; set `FUZZ_SEED` for others. */
export const SEED = Number(process.env.FUZZ_SEED ?? '20260101');

/** A random generator with a seed, so that a run can be repeated. */
export class Chance extends Draws {
  constructor(seed: number) {
    super(seededRandom(seed));
  }

  /** True with this probability in percent. */
  percent(share: number): boolean {
    return this.chance(share / 100);
  }
}
