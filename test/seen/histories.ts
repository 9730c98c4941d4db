import fc from 'fast-check';
import { decodeHead, encodeHead, encodeRuns, newPage, type SeenHead } from '../../src/seen/head.ts';
import { type NextHead, nextHead, partOf } from '../../src/seen/next-head.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import type { SeenPart } from '../../src/seen/seen-store.ts';

export const DAY = 86_400;
/** Noon of a day (UTC). */
export const START = 20_000 * DAY + DAY / 2;
export const VIEWER = 'ab'.repeat(16);

/** A viewer's row, written page by page, and what is stored of it. */
export class WrittenRow {
  row = SeenRow.none(VIEWER);
  now = START;
  content: Uint8Array = new Uint8Array();
  readonly parts = new Map<number, SeenPart & { number: number }>();

  constructor(private readonly days_kept?: number) {}

  get head(): SeenHead {
    return decodeHead(this.content);
  }

  /** Records pages at the current time, or at the times given. */
  record(...pages: { keys: readonly number[]; time?: number }[]): NextHead {
    const { row, now } = this;
    const added = pages.map(({ keys, time = now }, index) =>
      newPage({ time, page_id: row.number + index, feed: 1, arm: 0, keys: Uint32Array.from(keys) }),
    );
    const next = nextHead({ ...row.head, born: 1 }, { pages: added }, now, this.days_kept);
    const number = row.number + 1;
    next.parts.forEach((runs, index) => {
      const part = partOf(row.head.moved + index);
      this.parts.set(part, { part, number, content: encodeRuns(runs) });
    });
    this.content = encodeHead(next.head);
    this.row = row.next(number, next);
    return next;
  }

  /** The row as another process reads it that knows the row up to a number. */
  read(known?: SeenRow): SeenRow {
    const { content, row } = this;
    const parts = [...this.parts.values()].filter(({ number }) => number > (known?.number ?? 0));
    return SeenRow.from({ viewer: VIEWER, number: row.number, content, parts }, known);
  }
}

/** A step of a history: some time passes, then a page is recorded. */
export interface Step {
  hours: number;
  keys: number[];
}

const key = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 5_000, max: 5_400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** 31 - 1 }) },
);

/** Histories with busy and idle days, large and small pages, and items that are seen again. */
export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    hours: fc.oneof(
      fc.constant(0),
      fc.double({ min: 0, max: 30, noNaN: true }),
      fc.integer({ max: 200, min: 0 }),
    ),
    keys: fc.oneof(
      { weight: 4, arbitrary: fc.uniqueArray(key, { minLength: 1, maxLength: 30 }) },
      { weight: 1, arbitrary: fc.uniqueArray(key, { minLength: 100, maxLength: 300 }) },
    ),
  }),
  { minLength: 1, maxLength: 40 },
);
