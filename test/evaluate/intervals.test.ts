import { describe, expect, test } from 'bun:test';
import { type Random, seededRandom } from '../../src/clock.ts';
import { bootstrapped } from '../../src/evaluate/intervals.ts';

const CONFIDENCE = 0.95;

function intervalOf(sums: number[], pages: number[], seed = 1) {
  return bootstrapped([{ sums, confidence: CONFIDENCE }], pages, seed)[0];
}

/** Users with pages that hit at a rate of their own. The rate of all pages is `rate`. */
function users(count: number, rate: number, pagesOf: (random: Random) => number, random: Random) {
  const pages = Array.from({ length: count }, () => pagesOf(random));
  const sums = pages.map((length) => {
    const own = rate * 2 * random();
    return Array.from({ length }, () => (random() < own ? 1 : 0)).reduce<number>((sum, hit) => sum + hit, 0);
  });
  return { pages, sums };
}

describe('the interval of a mean', () => {
  test('the interval is the same for a seed, and undefined for a single user', () => {
    const { pages, sums } = users(40, 0.3, () => 2, seededRandom(3));
    expect(intervalOf(sums, pages)).toEqual(intervalOf(sums, pages));
    expect(intervalOf(sums, pages)).not.toEqual(intervalOf(sums, pages, 2));
    expect(intervalOf([1], [4])).toBeUndefined();
    expect(intervalOf([], [])).toBeUndefined();
  });

  test('the interval of users who are all alike is a point', () => {
    expect(intervalOf([2, 4, 2], [4, 8, 4])).toEqual([0.5, 0.5]);
  });

  test('the interval does not depend on what else is estimated', () => {
    const { pages, sums } = users(40, 0.3, () => 2, seededRandom(3));
    const other = { sums: sums.map((sum) => 2 * sum), confidence: 0.8 };
    const [first, second] = bootstrapped([{ sums, confidence: CONFIDENCE }, other], pages, 1);
    expect(first).toEqual(intervalOf(sums, pages));
    expect(second![1] - second![0]).toBeLessThan(2 * (first![1] - first![0]));
  });

  test('pages of one user count together, so many pages of few users give a wide interval', () => {
    const pages = Array.from({ length: 20 }, () => 50);
    const [low, high] = intervalOf(
      pages.map((length, user) => (user % 2) * length),
      pages,
    )!;
    expect(low).toBeLessThan(0.3);
    expect(high).toBeGreaterThan(0.7);
  });

  test.each<[string, number, number, (random: Random) => number]>([
    ['200 users with a page each', 200, 0.2, () => 1],
    ['12 users with three pages each', 12, 0.3, () => 3],
    ['300 users of whom few hit', 300, 0.02, () => 1],
    [
      '100 users, some with a hundred times as many pages',
      100,
      0.2,
      (random) => Math.ceil(1 / (random() + 0.01)),
    ],
  ])('the interval contains the true mean in about 95 of 100 samples of %s', (_who, count, rate, pagesOf) => {
    const random = seededRandom(11);
    const samples = 150;
    let within = 0;
    for (let sample = 0; sample < samples; sample++) {
      const { pages, sums } = users(count, rate, pagesOf, random);
      const [low, high] = intervalOf(sums, pages, sample)!;
      if (low <= rate && rate <= high) within++;
    }
    expect(within / samples).toBeGreaterThanOrEqual(0.92);
  });
});
