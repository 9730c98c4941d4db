import { expect, test } from 'bun:test';
import {
  distancesOf,
  type Facts,
  gini,
  meanDistance,
  PageSum,
  type SampledPage,
  VIEWERS_COMPARED,
} from '../../src/exposure/measures.ts';
import { NONE } from '../../src/model/key.ts';

const [ANN, BEN, CLEO, DAN] = [0, 1, 2, 3];
/** The authors of the items 0 to 5. */
const AUTHORS = [ANN, ANN, BEN, BEN, CLEO, NONE];

/** Eight items may be shown, two of which are new, by four authors. */
const FACTS: Facts = {
  author: (item) => AUTHORS[item],
  is_live: (item) => item !== 5,
  is_new: (item) => item === 3,
  is_active: (author) => author <= DAN,
  is_newcomer: (author) => author === BEN,
  is_small: (author) => author === ANN,
  live_items: 8,
  new_items: 2,
  active_authors: 4,
};

function page(viewer: number, items: number[], more: Partial<SampledPage> = {}): SampledPage {
  return { viewer, items: Int32Array.from(items), feed: 1, feed_type: 'popular', day: 1, weight: 1, ...more };
}

function measured(pages: SampledPage[], facts = FACTS) {
  const sum = new PageSum(facts);
  for (const each of pages) sum.add(each);
  return sum.result(meanDistance([distancesOf(pages)]));
}

test('the measures of three pages of two viewers are those that were computed by hand', () => {
  const pages = [page(0, [0, 1, 2]), page(0, [0, 2]), page(1, [0, 3], { weight: 2 })];
  expect(measured(pages)).toEqual({
    pages: 3,
    viewers: 2,
    shown: 7,
    // Ann is shown 1 + 1 + 1 + 2 times, Ben 1 + 1 + 2 times.
    newcomers_share: 4 / 9,
    small_authors_share: 5 / 9,
    // Differences of 0, 0, 4 and 5: 19 in all, by 4 · 9.
    exposure_gini: expect.closeTo(19 / 36, 12),
    coverage: 4 / 8,
    new_coverage: 1 / 2,
    repetition: 2 / 7,
    // One of four items is on both first pages.
    distance: 3 / 4,
  });
});

test('items without an author count as shown, but for no author, and items that are not live cover nothing', () => {
  expect(measured([page(0, [5])])).toMatchObject({
    ...{ shown: 1, newcomers_share: null, small_authors_share: null, exposure_gini: null, coverage: 0 },
  });
});

test('authors who are shown but not active are added to those whose exposure is compared', () => {
  const facts = { ...FACTS, active_authors: 1, is_active: (author: number) => author === ANN };
  // Of 1 (Ann) and 1 (Ben), and not of Ann alone.
  expect(measured([page(0, [0, 2])], facts).exposure_gini).toBeCloseTo(0, 12);
  expect(measured([page(0, [2])], facts).exposure_gini).toBeCloseTo(1 / 2, 12);
});

test('measures that nothing can be divided by are null', () => {
  const facts = { ...FACTS, live_items: 0, new_items: 0 };
  expect(measured([], facts)).toEqual({
    ...{ pages: 0, viewers: 0, shown: 0, newcomers_share: null, small_authors_share: null },
    ...{ exposure_gini: null, coverage: null, new_coverage: null, repetition: null, distance: null },
  });
});

test.each<[number[], number, number | null]>([
  [[3, 3, 3], 3, 0],
  [[1], 4, 3 / 4],
  [[1, 3], 2, 1 / 4],
  [[2, 1, 4], 3, 2 / 7],
  [[], 5, null],
])('the Gini coefficient of %j among %d values is %p', (positive, count, expected) => {
  const found = gini(positive, count);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(expected, 12);
});

test('pages are compared in pairs of viewers, of which a limited number is compared', () => {
  expect(distancesOf([page(0, [1, 2])])).toEqual({ sum: 0, pairs: 0 });
  const pages = [page(0, [1, 2]), page(0, [9]), page(1, [1, 2]), page(2, [3]), page(3, [])];
  expect(distancesOf(pages)).toEqual({ sum: 2, pairs: 3 });
  const many = Array.from({ length: VIEWERS_COMPARED + 5 }, (_, viewer) => page(viewer, [1]));
  expect(distancesOf(many)).toEqual({ sum: 0, pairs: (VIEWERS_COMPARED * (VIEWERS_COMPARED - 1)) / 2 });
  expect(
    meanDistance([
      { sum: 1, pairs: 1 },
      { sum: 0, pairs: 3 },
    ]),
  ).toBe(1 / 4);
});
