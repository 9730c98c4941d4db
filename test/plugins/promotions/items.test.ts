import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type PromotionCase, testPromotionStrategy } from 'feedloom/plugin/testing';
import items from '../../../plugins/promotions/items.ts';
import type { Promoted, Slot } from '../../../src/plugin/index.ts';
import { check } from '../../support/long.ts';
import { builtIn } from '../built-in.ts';

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);
const texts = (numbers: number[]) => numbers.map(String);
const ranked = (...ranks: number[]) => ranks.map((rank) => ({ item_id: `r${rank}`, rank }));

/** By sentence: the length of the main list 0 1 2 …, the promoted items, the length of the page, and the page. */
const PAGES: Record<string, [number, PromotionCase['promoted'], number, string][]> = {
  'places an item with a rank at that slot': [[20, ranked(4, 1), 6, '*r1 0 1 *r4 2 3']],
  'does not show an item whose rank is beyond the page': [
    [20, ranked(6), 5, '0 1 2 3 4'],
    [20, ranked(5), 5, '0 1 2 3 *r5'],
  ],
  'counts items with a rank towards the length of their page': [
    [2, ranked(3), 10, '0 1 *r3'],
    [2, ranked(4), 10, '0 1'],
    [2, ranked(4, 3), 10, '0 1 *r3 *r4'],
    [2, ranked(5, 4), 10, '0 1'],
  ],
  'takes an item with a rank from its place in the main list, unless its rank is beyond the page': [
    [4, [{ item_id: '3', rank: 1 }], 3, '*3 0 1'],
    [4, [{ item_id: '1', rank: 9 }], 3, '0 1 2'],
  ],
  'spreads items without a rank evenly': [
    [20, ['p'], 9, '0 1 2 3 *p 4 5 6 7'],
    [20, ['p', 'q'], 8, '0 1 *p 2 3 *q 4 5'],
    [20, ['p', 'q', 'r'], 10, '0 1 *p 2 3 *q 4 *r 5 6'],
    [20, ['p'], 1, '*p'],
    [20, ['p'], 2, '0 *p'],
    [20, ['p', 'q'], 2, '*p *q'],
    [20, ['p', 'q', 'r'], 3, '*p *q *r'],
  ],
  'takes the next free slot if a target slot is taken': [
    [20, [...ranked(5, 6), 'p'], 9, '0 1 2 3 *r5 *r6 *p 4 5'],
  ],
  'takes the nearest earlier slot if all later slots are taken': [
    [20, [...ranked(5, 6, 7, 8, 9), 'p'], 9, '0 1 2 *p *r5 *r6 *r7 *r8 *r9'],
  ],
  'fills all free slots if there are too many items': [[20, texts(upTo(9, 70)), 4, '*70 *71 *72 *73']],
  'fills the page if the main list is empty, or if nothing is promoted': [
    [0, ['p', 'q'], 5, '*p *q'],
    [3, [], 5, '0 1 2'],
    [0, [], 5, ''],
  ],
};

testPromotionStrategy(builtIn, 'items', {
  cases: Object.entries(PAGES).flatMap(([name, pages]) =>
    pages.map(([main, promoted, page, expected]) => ({
      name,
      main: texts(upTo(main)),
      promoted,
      page,
      expect: expected.split(' ').filter((slot) => slot !== ''),
    })),
  ),
  refuses: [{ percent: 5 }, [], 5, null],
});

function mix(main: number[], promoted: Promoted[], page: number): Slot[] {
  const random = () => expect.unreachable('nothing here is random');
  return items.compile({})({ main, promoted, page, overfetch_factor: 2, random });
}

/** The specification, applied slot by slot. */
function expected(main: number[], promoted: Promoted[], asked: number): (number | undefined)[] {
  let shown = promoted;
  let length = -1;
  for (;;) {
    const others = main.filter((item) => shown.every((one) => one.item !== item));
    const next = Math.min(asked, others.length + shown.length);
    if (next === length) break;
    length = next;
    shown = shown.filter(({ rank }) => (rank ?? 0) <= length);
  }
  const slots = new Map<number, number>();
  for (const { item, rank } of shown) if (rank !== undefined) slots.set(rank, item);
  const free = shown.filter(({ rank }) => rank === undefined);
  for (const [index, { item }] of free.entries()) {
    const aim = Math.round(((index + 1) * (length + 1)) / (free.length + 1));
    const after = upTo(length, 1).filter((slot) => slot >= aim && !slots.has(slot));
    const before = upTo(length, 1).filter((slot) => slot < aim && !slots.has(slot));
    const slot = after[0] ?? before.at(-1);
    if (slot !== undefined) slots.set(slot, item);
  }
  return upTo(length, 1).map((slot) => slots.get(slot));
}

const drawn = fc.record({
  main: fc.uniqueArray(fc.nat(40), { maxLength: 30 }),
  asked: fc.integer({ min: 1, max: 20 }),
  promoted: fc
    .tuple(
      fc.uniqueArray(fc.nat(60), { maxLength: 15 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 24 }), { maxLength: 6 }),
      fc.integer(),
    )
    .map(([picked, ranks, turn]): Promoted[] => {
      const with_ranks = picked.map((item, at) => ({ item, rank: ranks[at] }));
      return with_ranks.toSorted((one, other) => ((one.item * turn) % 7) - ((other.item * turn) % 7));
    }),
});

test('promoted items are at the specified slots and the main list fills the others', () => {
  check(3000, [drawn], ({ main, promoted, asked }) => {
    const slots = mix(main, promoted, asked);
    const wanted = expected(main, promoted, asked);
    expect(slots.map((slot) => (slot.promoted ? slot.item : undefined))).toEqual(wanted);
    const others = slots.filter((slot) => !slot.promoted).map(({ item }) => item);
    const rest = main.filter(
      (item) => !promoted.some((one) => one.item === item && (one.rank ?? 0) <= wanted.length),
    );
    expect(others).toEqual(rest.slice(0, others.length));
    expect(new Set(slots.map(({ item }) => item)).size).toBe(slots.length);
    const all = new Set([
      ...main,
      ...promoted.filter(({ rank }) => rank === undefined).map(({ item }) => item),
    ]);
    expect(slots.length).toBeGreaterThanOrEqual(Math.min(asked, all.size));
  });
});
