import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { estimateOf, rateOf } from '../../../src/experiments/statistics/sums.ts';
import { Viewers } from './viewers.ts';

const UNKNOWN = { value: null, ci_low: null, ci_high: null };

/** The sums of viewers, each with its y and w. */
function ratios(pairs: readonly (readonly [y: number, w: number])[]) {
  const sumOf = (of: (y: number, w: number) => number): number =>
    pairs.reduce((sum, [y, w]) => sum + of(y, w), 0);
  return {
    viewers: pairs.length,
    sum: sumOf((y) => y),
    sum_squares: sumOf((y) => y * y),
    weight_sum: sumOf((_, w) => w),
    weight_squares: sumOf((_, w) => w * w),
    cross_sum: sumOf((y, w) => y * w),
  };
}

describe('the rate of a variant', () => {
  test('of a mean has the interval of the textbook: 100 viewers, 20 with one interaction', () => {
    // 0.2 ± 1.96 · √(0.2 · 0.8 / 99).
    const rate = rateOf({ viewers: 100, sum: 20, sum_squares: 20 }, 0.95);
    expect(rate.value).toBe(0.2);
    expect(rate.ci_low).toBeCloseTo(0.12120648, 7);
    expect(rate.ci_high).toBeCloseTo(0.27879352, 7);
  });

  test('of a ratio is the sum over the sum, and equals the mean when all weights are 1', () => {
    const plain = rateOf({ viewers: 4, sum: 5, sum_squares: 11 }, 0.9);
    const weighted = ratios([
      [0, 1],
      [1, 1],
      [1, 1],
      [3, 1],
    ]);
    expect(rateOf(weighted, 0.9)).toEqual(plain);
    expect(rateOf({ ...weighted, weight_sum: 8, weight_squares: 16, cross_sum: 10 }, 0.9).value).toBe(5 / 8);
  });

  test('has no interval that reaches below zero', () => {
    expect(rateOf({ viewers: 50, sum: 1, sum_squares: 1 }, 0.95).ci_low).toBe(0);
  });

  test.each([
    ['no viewers', { viewers: 0, sum: 0, sum_squares: 0 }, UNKNOWN],
    ['no impressions', ratios([[0, 0]]), UNKNOWN],
    ['one viewer', { viewers: 1, sum: 3, sum_squares: 9 }, { ...UNKNOWN, value: 3 }],
    ['viewers who all did nothing', { viewers: 90, sum: 0, sum_squares: 0 }, { ...UNKNOWN, value: 0 }],
    [
      'viewers who are all alike',
      { viewers: 3, sum: 0.3, sum_squares: 0.03 },
      { ...UNKNOWN, value: 0.3 / 3 },
    ],
    [
      'a ratio that is the same for all',
      ratios([
        [1, 10],
        [2, 20],
        [3, 30],
      ]),
      { ...UNKNOWN, value: 0.1 },
    ],
  ])('of %s says what is not known by null', (_, sums, expected) => {
    expect(rateOf(sums, 0.95)).toEqual(expected);
  });
});

test('the variance of a ratio by the delta method is that of viewers drawn again and again', () => {
  const viewers = new Viewers(seededRandom(7));
  for (let day = 0; day < 10; day++) viewers.day(40);
  const draws = Array.from({ length: 2_000 }, () => viewers.drawnAgain());
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / (draws.length - 1);
  const { value, variance: by_formula = 0 } = estimateOf([{ sums: viewers.ratios, weight: 1 }]) ?? {
    value: 0,
  };
  expect(value / mean).toBeCloseTo(1, 2);
  // 2,000 draws know a variance to about 3 %.
  expect(by_formula / variance).toBeGreaterThan(0.91);
  expect(by_formula / variance).toBeLessThan(1.09);
  // Impressions of one viewer are alike, so a variance over impressions would be far too small.
  const { viewers: _, weight_sum = 0 } = viewers.ratios;
  expect(by_formula / ((value * (1 - value)) / weight_sum)).toBeGreaterThan(2);
});
