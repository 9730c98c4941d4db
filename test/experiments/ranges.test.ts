import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { cohortAt, NO_RANGES, ofNewPeriod, withPercents } from '../../src/experiments/ranges.ts';
import { type ExperimentVariant, POINTS } from '../../src/model/experiment-content.ts';
import { variantAt } from '../../src/state/assignment.ts';
import { check } from '../support/long.ts';

const POINTS_TRIED = 400;

const empty = (count: number): ExperimentVariant[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ name: `v${at}`, feed_id: 'feed_1', percent: 0, arm: at + 1, ...NO_RANGES },
  }));

/** Percents of some variants, at most 100 together. */
const percents = (count: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(0, 10, 50), fc.double({ min: 0, max: 100, noNaN: true })), {
      minLength: count,
      maxLength: count,
    })
    .map((all) => {
      const sum = all.reduce((total, each) => total + each, 0);
      return sum > 100 ? all.map((each) => (each / sum) * 100) : all;
    });

/** Some variants, and the percents that they get one after another. */
const changes = fc
  .integer({ min: 2, max: 4 })
  .chain((count) => fc.array(percents(count), { minLength: 1, maxLength: 12 }));

/** Evenly spread points, and the ends of ranges. */
function pointsOf(variants: readonly ExperimentVariant[]): number[] {
  const ends = variants.flatMap(({ ranges }) => ranges.flatMap(({ from, to }) => [from, to - 1]));
  const even = Array.from({ length: POINTS_TRIED }, (_, at) =>
    Math.floor(((at + 0.5) / POINTS_TRIED) * POINTS),
  );
  return [...even, ...ends];
}

test('a viewer keeps the variant while its percent does not shrink, whatever all percents were', () => {
  check(100, [changes], (steps) => {
    let variants = withPercents(empty(steps[0].length), steps[0], 0);
    for (const [at, next] of steps.slice(1).entries()) {
      const before = variants;
      variants = withPercents(before, next, at + 1);
      const shrinks = before.some(({ percent }, index) => next[index] < percent);
      for (const point of pointsOf(before)) {
        const [had, has] = [variantAt(before, point), variantAt(variants, point)];
        if (had !== undefined && next[had.arm - 1] >= had.percent) expect(has?.name).toBe(had.name);
        if (!shrinks && has?.name !== had?.name) expect(had).toBeUndefined();
      }
    }
  });
});

test('each variant has its share of the viewers, and no viewer has two variants', () => {
  check(100, [changes], (steps) => {
    let variants = empty(steps[0].length);
    for (const [at, next] of steps.entries()) {
      variants = withPercents(variants, next, at);
      for (const [index, { ranges }] of variants.entries()) {
        const width = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
        // The last points may be missing if all percents are rounded up.
        expect(Math.abs(width - (next[index] / 100) * POINTS)).toBeLessThanOrEqual(variants.length);
      }
      const sorted = variants.flatMap(({ ranges }) => ranges).toSorted((one, other) => one.from - other.from);
      for (const [index, { from }] of sorted.entries())
        if (index > 0) expect(from).toBeGreaterThanOrEqual(sorted[index - 1].to);
    }
  });
});

test('a variant that shrinks and grows again gets the same viewers back', () => {
  const before = withPercents(empty(2), [40, 40], 0);
  const after = withPercents(withPercents(before, [10, 40], 1), [40, 40], 2);
  for (const point of pointsOf(before))
    expect(variantAt(after, point)?.name).toBe(variantAt(before, point)?.name);
});

test('viewers are of one cohort if they had their variants for the same time', () => {
  const percents = [
    [10, 10],
    [30, 20],
    [15, 5],
    [25, 20],
  ];
  let variants = empty(2);
  for (const [at, next] of percents.entries()) variants = withPercents(variants, next, at);
  const widths = variants.map((variant) => {
    const found: Record<string, number> = {};
    for (const point of pointsOf([]).filter((point) => cohortAt(variant, point) !== undefined)) {
      const cohort = cohortAt(variant, point) ?? '';
      found[cohort] = (found[cohort] ?? 0) + 100 / POINTS_TRIED;
    }
    return found;
  });
  expect(widths).toEqual([
    { 0: 10, 1: 5, '1-2': 5, '1-2+3': 10 },
    { 0: 5, '0-2+3': 5, '1-2+3': 10 },
  ]);
});

test('viewers who were in another variant of the period before are compared with no others', () => {
  const moved = withPercents(withPercents(empty(2), [60, 40], 0), [20, 80], 1);
  expect(cohortAt(moved[1], 0.5 * POINTS)).toBe('mixed');
  expect(cohortAt(moved[0], 0.5 * POINTS)).toBe('0-1');
});

test('a new period begins with the same viewers, who are one cohort', () => {
  const grown = withPercents(withPercents(empty(2), [10, 10], 0), [30, 30], 1);
  const renewed = ofNewPeriod('split', grown);
  for (const point of pointsOf(grown)) {
    expect(variantAt(renewed, point)?.name).toBe(variantAt(grown, point)?.name);
    for (const variant of renewed) expect([undefined, '0']).toContain(cohortAt(variant, point));
  }
});
