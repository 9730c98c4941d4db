import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../src/limits.ts';
import { newPage, type SeenPage } from '../../src/seen/head.ts';
import { PARTS_MAX } from '../../src/seen/next-head.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import type { SeenPart, SeenWrite } from '../../src/seen/seen-store.ts';
import { mergedWrite, nextRow } from '../../src/seen/seen-write.ts';
import { check } from '../support/long.ts';
import { DAY, histories, START, type Step, VIEWER } from './histories.ts';

function pagesOf(steps: readonly Step[]): SeenPage[] {
  let time = START;
  return steps.map(({ hours, keys }) => {
    time += Math.round(hours * 3_600) + 1;
    return newPage({ time, page_id: 0, feed: 0, arm: 0, keys: Uint32Array.from(keys) });
  });
}

/** The row of a viewer as another process reads it after each merge. */
class Merged {
  row = SeenRow.none(VIEWER);
  private readonly parts = new Map<number, SeenPart>();

  constructor(private readonly now: number) {}

  merge(pages: readonly SeenPage[]): SeenWrite | undefined {
    const write = mergedWrite(this.row, pages, this.now)?.write;
    if (write === undefined) return undefined;
    expect(write.built_from).toBe(this.row.number);
    for (const part of write.parts) this.parts.set(part.part, part);
    const { viewer, number, content } = write;
    this.row = SeenRow.from({ viewer, number, content, parts: [...this.parts.values()] });
    return write;
  }
}

const endOf = (pages: readonly SeenPage[]): number => pages[pages.length - 1].time;

test('pages that are merged into no row give the row that would have been recorded', () => {
  check(25, [histories], (steps) => {
    const pages = pagesOf(steps);
    const now = endOf(pages);
    const merged = new Merged(now);
    merged.merge(pages);
    const { row } = nextRow(SeenRow.none(VIEWER), { pages }, now);
    expect(merged.row.head).toEqual(row.head);
    expect(merged.row.inOrder()).toEqual(row.inOrder());
  });
});

test('pages that are merged again change nothing, in whatever pieces they come', () => {
  check(25, [histories, fc.integer({ min: 1, max: 10 })], (steps, size) => {
    const pages = pagesOf(steps);
    const merged = new Merged(endOf(pages));
    merged.merge(pages);
    for (let from = 0; from < pages.length; from += size)
      expect(merged.merge(pages.slice(from, from + size))).toBeUndefined();
  });
});

test('of pages in any order, each item is seen on the day of its last page', () => {
  const shuffled = histories.chain((steps) =>
    fc.tuple(
      fc.constant(pagesOf(steps)),
      fc.shuffledSubarray([...steps.keys()], { minLength: steps.length }),
    ),
  );
  check(25, [shuffled, fc.integer({ min: 1, max: 10 })], ([pages, order], size) => {
    const merged = new Merged(endOf(pages));
    const given = order.map((at) => pages[at]);
    for (let from = 0; from < given.length; from += size) merged.merge(given.slice(from, from + size));
    const last = new Map(pages.flatMap(({ time, keys }) => [...keys].map((key) => [key, time] as const)));
    expect(merged.row.inOrder().toSorted()).toEqual(Uint32Array.from(last.keys()).sort());
    const day = (time: number) => Math.floor(time / DAY);
    for (const [key, time] of last) {
      const seen = merged.row.lastSeen(key) ?? 0;
      expect(seen).toBeGreaterThanOrEqual(time);
      expect(day(seen - 1)).toBeLessThanOrEqual(day(time));
    }
  });
});

test('an older page comes before the newer ones of the head', () => {
  const page = (days: number, ...keys: number[]) =>
    newPage({ time: START - days * DAY, page_id: 0, feed: 0, arm: 0, keys: Uint32Array.from(keys) });
  const merged = new Merged(START);
  merged.merge([page(9, 1, 2), page(5, 3), page(0, 4)]);
  merged.merge([page(7, 5), page(1, 6, 4), page(20, 7, 3)]);
  expect([...merged.row.inOrder()]).toEqual([7, 1, 2, 5, 3, 6, 4]);
});

test('of more pages than a row has room for, the latest are written, each part once', () => {
  const count = 900;
  const pages = Array.from({ length: count }, (_, at) =>
    newPage({
      time: START + at * DAY,
      page_id: 0,
      feed: 0,
      arm: 0,
      keys: Uint32Array.from({ length: 500 }, (_, index) => at * 500 + index),
    }),
  );
  const merged = new Merged(endOf(pages));
  const write = merged.merge(pages);
  expect(write?.parts.length).toBeLessThanOrEqual(PARTS_MAX);
  expect(new Set(write?.parts.map(({ part }) => part)).size).toBe(write?.parts.length ?? 0);
  const keys = merged.row.inOrder();
  expect(keys.length).toBe(LIMITS.seen_items_max);
  expect(keys.at(-1)).toBe(count * 500 - 1);
});
