import { expect, test } from 'bun:test';
import {
  type Plan,
  requiredViewers,
  spreadOfRate,
  spreadOfShare,
} from '../../../src/experiments/statistics/power.ts';
import { rateOf } from '../../../src/experiments/statistics/sums.ts';

const PLAN: Plan = { lift: 0.05, spread: spreadOfShare(0.05), control_share: 0.5, treatment_share: 0.5 };

/**
 * Kohavi, Longbotham, Sommerfield and Henne, "Controlled experiments on the web: survey and practical guide" (2009),
 * section 3.2: 16 · variance / difference² viewers in each variant for one look with a power of 80 %.
 */
test.each([
  ['5 % of visitors buy, and 5 % more should', spreadOfShare(0.05), 121_600],
  ['visitors spend $3.75 with a standard deviation of $30, and 5 % more should', (30 / 3.75) ** 2, 409_600],
])('an experiment costs about twice the viewers of one look: %s', (_, spread, viewers_of_one_look) => {
  const viewers = requiredViewers({ ...PLAN, spread });
  expect(viewers / (2 * viewers_of_one_look)).toBeGreaterThan(1.9);
  expect(viewers / (2 * viewers_of_one_look)).toBeLessThan(2.4);
});

test('the required viewers grow with power, confidence, treatments, spread, and smaller lifts and shares', () => {
  const viewers = requiredViewers(PLAN);
  for (const more of [
    { power: 0.9 },
    { confidence: 0.99 },
    { treatments_count: 3 },
    { spread: 2 * PLAN.spread },
    { lift: 0.04 },
    { control_share: 0.1 },
    { treatment_share: 0.1 },
  ]) {
    expect(requiredViewers({ ...PLAN, ...more })).toBeGreaterThan(viewers);
  }
});

test('the required viewers are defined for very small and very large lifts', () => {
  expect(requiredViewers({ ...PLAN, lift: 0.0001 })).toBeGreaterThan(1e10);
  expect(requiredViewers({ ...PLAN, lift: 0.0001 })).toBeLessThan(1e14);
  const viewers = requiredViewers({ ...PLAN, lift: 10 });
  expect(viewers).toBeGreaterThan(10);
  expect(viewers).toBeLessThan(10_000);
  expect(requiredViewers({ ...PLAN, lift: -0.5 })).toBeGreaterThan(10);
});

test('the spread of a measured share is that of the share', () => {
  const rate = rateOf({ viewers: 2_000, sum: 500, sum_squares: 500 }, 0.95);
  expect(spreadOfRate(rate, 2_000)).toBeCloseTo(spreadOfShare(0.25), 2);
  for (const sum of [0, 1]) {
    expect(spreadOfRate(rateOf({ viewers: 1, sum, sum_squares: sum }, 0.95), 1)).toBeUndefined();
  }
});
