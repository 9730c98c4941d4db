/**
 * How many viewers each method of an experiment needs to find 20 % more acts, and how often interleaving decides without a
 * difference. Made viewers, looked at daily for two weeks. Run: `bun workloads/programs/interleaving.ts`, some minutes.
 */

import { seededRandom } from '../../src/clock.ts';
import { decidedWithin, Readers } from '../../test/experiments/statistics/readers.ts';

const DAYS = 14;
const LIFT = 0.2;
const POWER = 0.8;
const RUNS = 200;
const RUNS_WITHOUT = 1_000;
/** Numbers of viewers that are tried grow by this factor. */
const STEP = 1.15;

/** The share of runs that decide for the treatment. */
function foundWith(viewers: number, method: 'split' | 'interleaving'): number {
  let found = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const readers = new Readers(seededRandom(seed), LIFT, method);
    if ((decidedWithin(DAYS, Math.ceil(viewers / DAYS), readers)?.lift ?? 0) > 0) found++;
  }
  return found / RUNS;
}

function neededBy(method: 'split' | 'interleaving'): number {
  for (let viewers = 100; ; viewers *= STEP)
    if (foundWith(viewers, method) >= POWER) return Math.round(viewers);
}

const [interleaving, split] = [neededBy('interleaving'), neededBy('split')];
console.log(`20 % more acts are found in ${100 * POWER} of 100 experiments`);
console.log(
  `  with ${split} viewers of a split, and with ${interleaving} of interleaved pages: 1 / ${(split / interleaving).toFixed(1)}`,
);
for (const new_a_day of [10, 40]) {
  let decided = 0;
  for (let seed = 1; seed <= RUNS_WITHOUT; seed++)
    if (decidedWithin(2 * DAYS, new_a_day, new Readers(seededRandom(seed), 0, 'interleaving'))) decided++;
  const share = ((100 * decided) / RUNS_WITHOUT).toFixed(1);
  console.log(
    `without a difference, ${share} % of ${RUNS_WITHOUT} experiments with ${new_a_day} new viewers a day decide in four weeks`,
  );
}
