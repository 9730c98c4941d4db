import { describe, expect, test } from 'bun:test';
import { NO_RANGES, withPercents } from '../../src/experiments/ranges.ts';
import { chiSquareAbove } from '../../src/experiments/statistics/distributions.ts';
import { POINTS } from '../../src/model/experiment-content.ts';
import { pointOf, variantAt } from '../../src/state/assignment.ts';

const VIEWERS = Array.from({ length: 100_000 }, (_, at) => `viewer-${at}`);
const SIGNIFICANT = 0.01;
const variants = (...percents: number[]) =>
  withPercents(
    percents.map((_, at) => ({ name: `v${at}`, feed_id: 'feed_1', percent: 0, arm: at + 1, ...NO_RANGES })),
    percents,
    0,
  );

/** The probability of counts at least as uneven. @param shares of each cell, which sum to 1 */
function pValue(counts: readonly number[], shares: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const statistic = counts.reduce(
    (sum, count, at) => sum + (count - total * shares[at]) ** 2 / (total * shares[at]),
    0,
  );
  return chiSquareAbove(statistic, counts.length - 1);
}

describe('the assignment of viewers', () => {
  for (const salt of ['a', 'zz9', '1x8k2f']) {
    test(`is uniform over 100 cells, with the salt ${salt}`, () => {
      const counts = new Array<number>(100).fill(0);
      for (const viewer of VIEWERS) counts[Math.floor((pointOf(salt, viewer) / POINTS) * 100)]++;
      expect(pValue(counts, new Array<number>(100).fill(0.01))).toBeGreaterThan(SIGNIFICANT);
    });
  }

  test('gives each variant its percent, and the rest of the viewers none', () => {
    const of = variants(50, 12.5, 7);
    const counts = [0, 0, 0, 0];
    for (const viewer of VIEWERS) counts[(variantAt(of, pointOf('salt', viewer))?.arm ?? 4) - 1]++;
    expect(pValue(counts, [0.5, 0.125, 0.07, 0.305])).toBeGreaterThan(SIGNIFICANT);
  });

  test('is independent between two experiments', () => {
    const cells = new Array<number>(100).fill(0);
    for (const viewer of VIEWERS) {
      const [one, other] = [pointOf('first', viewer) / POINTS, pointOf('second', viewer) / POINTS];
      cells[Math.floor(one * 10) * 10 + Math.floor(other * 10)]++;
    }
    expect(pValue(cells, new Array<number>(100).fill(0.01))).toBeGreaterThan(SIGNIFICANT);
  });

  test('is the same at every call and in every release', () => {
    expect(pointOf('salt', 'viewer-1')).toBe(pointOf('salt', 'viewer-1'));
    expect(['viewer-1', '42', ''].map((viewer) => pointOf('salt', viewer) / POINTS)).toEqual(PUBLISHED);
  });

  test('a variant of 0 percent gets no viewer, and 100 percent get them all', () => {
    const counts = [0, 0, 0];
    for (const viewer of VIEWERS.slice(0, 1_000))
      counts[(variantAt(variants(0, 100), pointOf('s', viewer))?.arm ?? 3) - 1]++;
    expect(counts).toEqual([0, 1_000, 0]);
    expect(variantAt(variants(0, 0), 0)).toBeUndefined();
  });
});

/** Points of published releases. Other points would move viewers of running experiments. */
const PUBLISHED = [0.13479693769477308, 0.6211959503125399, 0.09298800677061081];
