import type { Seconds } from '../clock.ts';
import { encodeHead, encodeRuns, newPage, type SeenHead, type SeenPage } from './head.ts';
import { keptSince, type NextHead, nextHead, PARTS_MAX, partOf, type Recorded } from './next-head.ts';
import type { SeenRow } from './seen-row.ts';
import { firstNumber, type SeenWrite } from './seen-store.ts';

/** A write of a row, and the row that follows from it. */
export interface NextRow {
  write: SeenWrite;
  row: SeenRow;
}

/** Adds to a row. @param now, days_kept see `nextHead` */
export function nextRow(row: SeenRow, added: Recorded, now: Seconds, days_kept?: number): NextRow {
  const next = nextHead(bornHead(row, now), added, now, days_kept);
  const write = writeOf(row, next, now);
  return { write, row: row.next(write.number, next) };
}

/** A write that adds pages, and how many of their items the row did not have. */
export interface MergedWrite {
  write: SeenWrite;
  new_count: number;
}

/**
 * Adds pages of another source, such as a file. Undefined if the row has them all.
 *
 * An item that the row has at the same second or later is left out, so adding pages again changes nothing. Pages that are
 * older than the head's are put before them, but never before the parts, which do not change.
 */
export function mergedWrite(
  row: SeenRow,
  pages: readonly SeenPage[],
  now: Seconds,
  days_kept?: number,
): MergedWrite | undefined {
  const since = keptSince(now, days_kept);
  const added = pages
    .filter(({ time }) => time >= since)
    .map((page) => withoutKnown(page, row))
    .filter(({ keys }) => keys.length > 0);
  if (added.length === 0) return undefined;
  const head = bornHead(row, now);
  const all = [...head.days.map(pageOfDay), ...head.pages, ...added];
  all.sort((one, other) => one.time - other.time);
  const next = nextHead({ ...head, days: [], pages: [] }, { pages: all }, now, days_kept);
  const new_count = added.reduce((sum, { keys }) => sum + keys.length, 0);
  return { write: writeOf(row, next, now), new_count };
}

function withoutKnown(page: SeenPage, row: SeenRow): SeenPage {
  const second = Math.floor(page.time);
  const keys = page.keys.filter((key) => (row.lastSeen(key) ?? -1) < second);
  return keys.length === page.keys.length ? page : newPage({ ...page, keys });
}

/** Folded again, it becomes the same day. */
function pageOfDay({ time, keys }: SeenHead['days'][number]): SeenPage {
  return newPage({ time, page_id: 0, feed: 0, arm: 0, keys });
}

function bornHead({ head }: SeenRow, now: Seconds): SeenHead {
  return { ...head, born: head.born || Math.floor(now * 1000) };
}

function writeOf(row: SeenRow, next: NextHead, now: Seconds): SeenWrite {
  const number = row.number === 0 ? firstNumber(now) : row.number + 1;
  const parts = next.parts
    .map((runs, index) => ({ part: partOf(row.head.moved + index), content: encodeRuns(runs) }))
    // Of very many, the first ones would be replaced by the last ones at once.
    .slice(-PARTS_MAX);
  const content = encodeHead(next.head);
  return { viewer: row.viewer, built_from: row.number, number, updated_at: now, content, parts };
}
