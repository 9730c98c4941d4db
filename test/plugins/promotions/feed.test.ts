import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { testPromotionStrategy } from 'feedloom/plugin/testing';
import feed from '../../../plugins/promotions/feed.ts';
import { seededRandom } from '../../../src/clock.ts';
import type { MixInput, Slot } from '../../../src/plugin/index.ts';
import { check } from '../../support/long.ts';
import { builtIn } from '../built-in.ts';
import { chosenSets, inclusionCovariance, mahalanobis, WEIGHTS } from './weighted-sampling.ts';

type Given = Omit<MixInput, 'promoted' | 'random'> & { promoted: number[]; percent: number; seed: number };

function mix({ promoted, percent, seed, ...input }: Given): Slot[] {
  const items = promoted.map((item) => ({ item }));
  return feed.compile({ percent })({ ...input, promoted: items, random: seededRandom(seed) });
}

const promotedOf = (slots: Slot[]) => slots.filter(({ promoted }) => promoted).map(({ item }) => item);
const mainOf = (slots: Slot[]) => slots.filter(({ promoted }) => !promoted).map(({ item }) => item);

/**
 * The number of items of each list, computed from the specification.
 *
 * The main list leaves out the first promoted items and no others. So of the remaining promoted items, only those
 * that are not in the main list are available.
 */
function shares({ main, promoted, page, overfetch_factor, percent }: Given) {
  const desired = Math.ceil(page * overfetch_factor);
  const target = Math.min(Math.ceil((desired * percent) / 100), promoted.length);
  const left_out = promoted.slice(0, target);
  const others = main.filter((item) => !left_out.includes(item));
  const available = promoted.filter((item, at) => at < target || !main.includes(item));
  const main_count = Math.min(desired - target, others.length);
  const short = target + main_count < page;
  const promo_count = short ? Math.min(page - main_count, available.length) : target;
  return { target, short, promoted: available.slice(0, promo_count), main: others.slice(0, main_count) };
}

const items = fc.uniqueArray(fc.nat(60), { maxLength: 40 });
const given: fc.Arbitrary<Given> = fc.record({
  main: items,
  promoted: items,
  page: fc.integer({ min: 1, max: 25 }),
  overfetch_factor: fc.constantFrom(1, 1.25, 1.5, 2, 3),
  percent: fc.oneof(fc.constantFrom(0, 1, 50, 99, 100), fc.integer({ min: 0, max: 100 })),
  seed: fc.integer(),
});
const RUNS = 2000;

describe('a page with a promoted feed', () => {
  test('has the requested length, or all available items', () => {
    check(RUNS, [given], (input) => {
      const all = new Set([...input.main, ...input.promoted]);
      expect(mix(input)).toHaveLength(Math.min(input.page, all.size));
    });
  });

  test('shows each item once, and an item of both lists as promoted only if it is among the first promoted ones', () => {
    check(RUNS, [given], (input) => {
      const slots = mix(input);
      expect(new Set(slots.map(({ item }) => item)).size).toBe(slots.length);
      const left_out = input.promoted.slice(0, shares(input).target);
      expect(mainOf(slots).filter((item) => left_out.includes(item))).toEqual([]);
      const of_both = promotedOf(slots).filter((item) => input.main.includes(item));
      expect(of_both.filter((item) => !left_out.includes(item))).toEqual([]);
    });
  });

  test('keeps the order of both lists, and takes each from its beginning', () => {
    check(RUNS, [given], (input) => {
      const slots = mix(input);
      const expected = shares(input);
      const [promoted, main] = [promotedOf(slots), mainOf(slots)];
      expect(promoted).toEqual(expected.promoted.slice(0, promoted.length));
      expect(main).toEqual(expected.main.slice(0, main.length));
    });
  });

  test('has exactly the specified items of both lists if the whole mix is shown', () => {
    check(RUNS, [given], (drawn) => {
      for (const input of [
        { ...drawn, overfetch_factor: 1 },
        { ...drawn, page: 25 },
      ]) {
        const { promoted, main } = shares(input);
        if (promoted.length + main.length > input.page) continue;
        const slots = mix(input);
        expect([promotedOf(slots), mainOf(slots)]).toEqual([promoted, main]);
      }
    });
  });

  test('has more promoted items than requested only to fill slots that would be empty', () => {
    check(RUNS, [given], (input) => {
      const { target, short, main } = shares(input);
      fc.pre(short);
      const slots = mix(input);
      expect(promotedOf(slots).length - target).toBe(slots.length - target - main.length);
      // topK − mainN, as specified.
      if (slots.length === input.page) {
        expect(promotedOf(slots)).toHaveLength(input.page - main.length);
      }
    });
  });

  test('depends only on the input and the seed', () => {
    check(300, [given], (input) => {
      const before = structuredClone(input);
      expect(mix(input)).toEqual(mix(input));
      expect(input).toEqual(before);
    });
  });
});

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);
const base = { main: upTo(100), promoted: upTo(100, 1000), page: 10, overfetch_factor: 1, seed: 7 };

describe('the number of promoted items', () => {
  const cases: [string, Partial<Given>, number, number][] = [
    ['0 percent is none', { percent: 0 }, 0, 10],
    ['100 percent is all', { percent: 100 }, 10, 0],
    ['is rounded up', { percent: 21 }, 3, 7],
    ['1 percent is one', { percent: 1 }, 1, 9],
    ['is what there is when the promoted feed runs out', { percent: 50, promoted: upTo(2, 1000) }, 2, 8],
    ['is 0 when the promoted feed is empty', { percent: 50, promoted: [] }, 0, 10],
    ['grows when the main list is short', { percent: 20, main: upTo(3) }, 7, 3],
    ['grows from 0 percent when the main list is short', { percent: 0, main: upTo(9) }, 1, 9],
    ['is everything when both are short', { percent: 20, main: upTo(3), promoted: upTo(4, 50) }, 4, 3],
    ['of an empty main list is the page', { percent: 5, main: [] }, 10, 0],
    ['does not grow by what the main list has', { main: upTo(9), promoted: upTo(9) }, 0, 9],
    ['nor does a share of it', { percent: 10, main: upTo(9), promoted: upTo(9) }, 1, 8],
    ['grows until the page is full', { percent: 10, main: upTo(5), promoted: upTo(12) }, 6, 4],
    ['grows no further than that', { percent: 10, main: upTo(5), promoted: upTo(12, 2) }, 6, 4],
    ['passes over what the main list has', { main: upTo(9), promoted: [8, 0, 70, 71] }, 1, 9],
    ['of the same list twice', { percent: 30, promoted: upTo(100) }, 3, 7],
    ['follows the over-fetched page', { percent: 10, overfetch_factor: 2, main: upTo(4) }, 6, 4],
    ['of a page of one', { percent: 10, page: 1 }, 1, 0],
  ];
  for (const [name, input, promoted, main] of cases) {
    test(name, () => {
      const slots = mix({ ...base, percent: 0, ...input });
      expect([promotedOf(slots).length, mainOf(slots).length]).toEqual([promoted, main]);
    });
  }

  test('leaves an item of the main list in its place unless it is promoted', () => {
    const slots = mix({ ...base, percent: 10, main: upTo(10), promoted: [42, 3, 4, 5] });
    expect(mainOf(slots)).toEqual(upTo(9));
  });
});

const DRAWS = 20_000;

describe('the slots of promoted items', () => {
  test('are drawn as sets by weighted sampling without replacement, weight 1/n^0.35', () => {
    const slots = 8;
    const expected = chosenSets(WEIGHTS(slots), 3);
    const observed = new Map<number, number>();
    const random = seededRandom(20_260_101);
    const run = feed.compile({ percent: 30 });
    const promoted = base.promoted.map((item) => ({ item }));
    for (let draw = 0; draw < DRAWS; draw++) {
      const page = run({ main: base.main, promoted, page: slots, overfetch_factor: 1, random });
      const chosen = page.reduce((set, slot, at) => (slot.promoted ? set | (1 << at) : set), 0);
      observed.set(chosen, (observed.get(chosen) ?? 0) + 1);
    }
    expect(expected.size).toBe(56);
    let chi_square = 0;
    for (const [set, probability] of expected) {
      chi_square += ((observed.get(set) ?? 0) - DRAWS * probability) ** 2 / (DRAWS * probability);
    }
    // The 99th percentile for 55 degrees of freedom.
    expect(chi_square).toBeLessThan(82.29);
  });

  test('on a page cut from twice its length are the slots of the whole mix', () => {
    const [page, whole, chosen] = [10, 20, 6];
    const { inclusion, covariance } = inclusionCovariance(chosenSets(WEIGHTS(whole), chosen), page);
    const observed = new Array<number>(page).fill(0);
    const random = seededRandom(8_2_3);
    const run = feed.compile({ percent: 30 });
    const promoted = base.promoted.map((item) => ({ item }));
    for (let draw = 0; draw < DRAWS; draw++) {
      const slots = run({ main: base.main, promoted, page, overfetch_factor: 2, random });
      for (const [at, slot] of slots.entries()) if (slot.promoted) observed[at]++;
    }
    const differences = observed.map((count, at) => count / DRAWS - inclusion[at]);
    // The 99th percentile for 10 degrees of freedom.
    expect(DRAWS * mahalanobis(differences, covariance)).toBeLessThan(23.21);
    expect(inclusion).toEqual(inclusion.toSorted((one, other) => other - one));
  });
});

testPromotionStrategy(builtIn, 'feed', {
  main: ['a', 'b', 'c'],
  promoted: ['p', 'q', 'r'],
  page: 2,
  cases: [
    { name: '0 percent is none', options: { percent: 0 }, expect: ['a', 'b'] },
    { name: '100 percent is all', options: { percent: 100 }, expect: ['*p', '*q'] },
  ],
  refuses: [-1, 101, 0.5, Number.NaN, Infinity, '30', null, undefined, true].map((percent) => ({ percent })),
});
