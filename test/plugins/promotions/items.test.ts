import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import items from '../../../plugins/promotions/items.ts';
import type { Promoted, Slot } from '../../../src/plugin/index.ts';
import { check } from '../../support/long.ts';
import { builtIn } from '../../support/scene.ts';

function mix(main: number[], promoted: Promoted[], page: number): Slot[] {
  const random = () => expect.unreachable('nothing here is random');
  return items.compile({})({ main, promoted, page, overfetch_factor: 2, random });
}

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);

/** The page as text: `p7` is the promoted item 7, `0` the item 0 of the main list. */
const page = (main: number[], promoted: Promoted[], length: number): string =>
  mix(main, promoted, length)
    .map((slot) => `${slot.promoted ? 'p' : ''}${slot.item}`)
    .join(' ');

const unranked = (...promoted: number[]): Promoted[] => promoted.map((item) => ({ item }));

describe('an item with a rank', () => {
  test('is placed at that slot', () => {
    const pinned = [
      { item: 70, rank: 4 },
      { item: 71, rank: 1 },
    ];
    expect(page(upTo(20), pinned, 6)).toBe('p71 0 1 p70 2 3');
  });

  test('is not shown if its rank is beyond the page', () => {
    expect(page(upTo(20), [{ item: 70, rank: 6 }], 5)).toBe('0 1 2 3 4');
    expect(page(upTo(20), [{ item: 70, rank: 5 }], 5)).toBe('0 1 2 3 p70');
  });

  test('counts towards the length of its page', () => {
    const ranked = (...ranks: number[]) => ranks.map((rank, at) => ({ item: 70 + at, rank }));
    expect(page(upTo(2), [{ item: 70, rank: 3 }], 10)).toBe('0 1 p70');
    expect(page(upTo(2), [{ item: 70, rank: 4 }], 10)).toBe('0 1');
    expect(page(upTo(2), ranked(4, 3), 10)).toBe('0 1 p71 p70');
    expect(page(upTo(2), ranked(5, 4), 10)).toBe('0 1');
  });

  test('leaves its place in the main list unless its rank is beyond the page', () => {
    expect(page(upTo(4), [{ item: 3, rank: 1 }], 3)).toBe('p3 0 1');
    expect(page(upTo(4), [{ item: 1, rank: 9 }], 3)).toBe('0 1 2');
  });
});

describe('items without rank', () => {
  test.each<[number, number, string]>([
    [1, 9, '0 1 2 3 p70 4 5 6 7'],
    [2, 8, '0 1 p70 2 3 p71 4 5'],
    [3, 10, '0 1 p70 2 3 p71 4 p72 5 6'],
    [1, 1, 'p70'],
    [1, 2, '0 p70'],
    [2, 2, 'p70 p71'],
    [3, 3, 'p70 p71 p72'],
  ])('%p of them on a page of %p are spread evenly', (count, length, wanted) => {
    expect(page(upTo(20), unranked(...upTo(count, 70)), length)).toBe(wanted);
  });

  test('take the next free slot if their target slot is taken', () => {
    const pinned = [5, 6].map((rank) => ({ item: 60 + rank, rank }));
    expect(page(upTo(20), [...pinned, { item: 70 }], 9)).toBe('0 1 2 3 p65 p66 p70 4 5');
  });

  test('take the nearest earlier slot if all later slots are taken', () => {
    const pinned = [5, 6, 7, 8, 9].map((rank) => ({ item: 60 + rank, rank }));
    expect(page(upTo(20), [...pinned, { item: 70 }], 9)).toBe('0 1 2 p70 p65 p66 p67 p68 p69');
  });

  test('fill all free slots in order if they are too many', () => {
    expect(page(upTo(20), unranked(...upTo(9, 70)), 4)).toMatch(/^p\d+ p\d+ p\d+ p\d+$/);
    expect(page(upTo(20), [{ item: 60, rank: 2 }, ...unranked(70, 71, 72)], 3)).toMatch(/^p7\d p60 p7\d$/);
  });

  test('fill the page if the main list is empty', () => {
    expect(page([], unranked(70, 71), 5)).toBe('p70 p71');
    expect(page(upTo(3), [], 5)).toBe('0 1 2');
    expect(page([], [], 5)).toBe('');
  });
});

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

test('the items strategy accepts no options', () => {
  const { options } = builtIn().get('promotion_strategies', 'items')!;
  expect(options.check({}, '').ok).toBe(true);
  for (const value of [{ percent: 5 }, [], 5, null]) expect(options.check(value, '').ok).toBe(false);
});
