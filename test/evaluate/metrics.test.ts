import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dcg, Means, pageWorth, rankingWorth, rankWorth } from '../../src/evaluate/metrics.ts';
import { check } from '../support/long.ts';

describe('the worth of a page', () => {
  test('the quality of a page with two of three relevant items at ranks 2 and 4 is exact', () => {
    const { recall, ndcg, hit_rate, mrr } = pageWorth([7, 1, 8, 2], new Set([1, 2, 3]), 4);
    expect(recall).toBeCloseTo(2 / 3, 12);
    // (1/log2(3) + 1/log2(5)) / (1 + 1/log2(3) + 1/2)
    expect(ndcg).toBeCloseTo((0.6309297536 + 0.4306765581) / 2.1309297536, 9);
    expect(hit_rate).toBe(1);
    expect(mrr).toBe(0.5);
  });

  test('the quality of a page without relevant items, or of an empty page, is 0', () => {
    const nothing = { recall: 0, ndcg: 0, hit_rate: 0, mrr: 0 };
    expect(pageWorth([1, 2], new Set([3]), 2)).toEqual(nothing);
    expect(pageWorth([], new Set([3]), 2)).toEqual(nothing);
  });

  test('the ideal page has as many relevant items as fit', () => {
    const { recall, ndcg } = pageWorth([1, 2], new Set([1, 2, 3, 4]), 2);
    expect(ndcg).toBe(1);
    expect(recall).toBe(0.5);
  });

  test('the quality of a page follows the definitions', () => {
    const cases = fc.record({
      page: fc.uniqueArray(fc.nat(20), { maxLength: 10 }),
      relevant: fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 15 }),
    });
    check(100, [cases], ({ page, relevant }) => {
      const top_k = 10;
      const worth = pageWorth(page, new Set(relevant), top_k);
      let gain = 0;
      let ideal = 0;
      let first = 0;
      for (let rank = page.length; rank >= 1; rank--) {
        if (!relevant.includes(page[rank - 1])) continue;
        gain += Math.LN2 / Math.log(rank + 1);
        first = rank;
      }
      for (let rank = 1; rank <= top_k && rank <= relevant.length; rank++)
        ideal += Math.LN2 / Math.log(rank + 1);
      const hits = page.filter((item) => relevant.includes(item)).length;
      expect(worth.recall).toBeCloseTo(hits / relevant.length, 12);
      expect(worth.ndcg).toBeCloseTo(gain / ideal, 9);
      expect(worth.hit_rate).toBe(first > 0 ? 1 : 0);
      expect(worth.mrr).toBeCloseTo(first > 0 ? 1 / first : 0, 12);
    });
  });
});

describe('the worth of a rank', () => {
  test('the quality of a rank is that of a page with the item there', () => {
    for (let rank = 1; rank <= 6; rank++) {
      const page = Array.from({ length: 5 }, (_, index) => (index + 1 === rank ? 0 : index + 1));
      expect(rankWorth(rank, 5)).toEqual(pageWorth(page, new Set([0]), 5));
    }
  });

  test('the quality of the mean of two ranks lies between theirs', () => {
    const { ndcg, mrr, hit_rate } = rankWorth(2.5, 5);
    expect(hit_rate).toBe(1);
    expect(mrr).toBeCloseTo(0.4, 12);
    expect(ndcg).toBeGreaterThan(rankWorth(3, 5).ndcg);
    expect(ndcg).toBeLessThan(rankWorth(2, 5).ndcg);
  });

  test('the quality is 0 for an item that is not there', () => {
    expect(rankWorth(Number.POSITIVE_INFINITY, 5).hit_rate).toBe(0);
  });
});

describe('the worth of a ranking', () => {
  const gains = new Map([
    [1, 8],
    [2, 3],
    [3, 3],
    [4, 0],
  ]);

  test('the quality of a ranking has linear gain, with the best order of the same items as ideal', () => {
    // 3 + 8/log2(3) against 8 + 3/log2(3)
    expect(rankingWorth([2, 1], gains, 2).ndcg).toBeCloseTo((3 + 5.0474380288) / (8 + 1.8927892608), 9);
    expect(rankingWorth([1, 2, 3, 4], gains, 4).ndcg).toBe(1);
  });

  test('all items of equal gain count as top items', () => {
    expect(rankingWorth([3, 4], gains, 2).precision).toBe(0.5);
    expect(rankingWorth([1, 3], gains, 2).precision).toBe(1);
    expect(rankingWorth([2, 3], gains, 2).precision).toBe(1);
  });

  test('items without gain do not count as top items', () => {
    const one = new Map([
      [1, 0],
      [2, 5],
      [3, 0],
    ]);
    expect(rankingWorth([1, 3], one, 2).precision).toBe(0);
    expect(rankingWorth([1, 2], one, 2).precision).toBe(1);
    expect(rankingWorth([4, 1], gains, 10).precision).toBeCloseTo(1 / 3, 12);
  });

  test('a ranking of few items can reach the maximum', () => {
    expect(rankingWorth([1, 2, 3, 4], gains, 10)).toEqual({ ndcg: 1, precision: 1 });
  });

  test('the quality of a ranking is at most 1, and 1 for the ideal order', () => {
    const gaining = fc
      .array(fc.nat(9), { minLength: 1, maxLength: 12 })
      .filter((all) => all.some((one) => one > 0));
    check(100, [gaining, fc.integer({ min: 1, max: 12 })], (all, top_k) => {
      const known = new Map(all.entries());
      const shown = [...known.keys()].slice(0, top_k);
      const ideal = [...known.keys()].sort((one, other) => all[other] - all[one]).slice(0, top_k);
      const naive = shown.reduce((sum, item, index) => sum + all[item] / Math.log2(index + 2), 0);
      const best = ideal.reduce((sum, item, index) => sum + all[item] / Math.log2(index + 2), 0);
      expect(rankingWorth(shown, known, top_k).ndcg).toBeCloseTo(naive / best, 12);
      expect(rankingWorth(ideal, known, top_k)).toEqual({ ndcg: 1, precision: 1 });
    });
  });
});

test('gains are discounted by rank', () => {
  expect(dcg([])).toBe(0);
  expect(dcg([2])).toBe(2);
  expect(dcg([0, 0, 4])).toBe(2);
});

test('the means are those of all added figures', () => {
  const means = new Means<{ a: number; b: number }>();
  expect(means.mean('a')).toBeNaN();
  means.add({ a: 1, b: 0 });
  means.add({ a: 2, b: 0 });
  expect([means.count, means.mean('a'), means.mean('b')]).toEqual([2, 1.5, 0]);
});
