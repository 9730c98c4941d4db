import type { Seconds } from '../clock.ts';
import { encodeHead, encodeRuns } from './head.ts';
import { type NextHead, nextHead, PARTS_MAX, partOf, type Recorded } from './next-head.ts';
import type { SeenRow } from './seen-row.ts';
import { firstNumber, type SeenWrite } from './seen-store.ts';

/** What a write adds to a row, as it is stored and as it is known afterwards. */
export interface NextRow {
  write: SeenWrite;
  row: SeenRow;
}

/** Adds to a row. @param now, days_kept see `nextHead` */
export function nextRow(row: SeenRow, added: Recorded, now: Seconds, days_kept?: number): NextRow {
  const { viewer } = row;
  const number = row.number === 0 ? firstNumber(now) : row.number + 1;
  const born = row.head.born || Math.floor(now * 1000);
  const next = nextHead({ ...row.head, born }, added, now, days_kept);
  const content = encodeHead(next.head);
  const parts = partsOf(next, row.head.moved);
  const write = { viewer, built_from: row.number, number, updated_at: now, content, parts };
  return { write, row: row.next(number, next) };
}

/** Of very many parts, the first ones would be replaced by the last ones at once. */
function partsOf({ parts }: NextHead, moved: number): SeenWrite['parts'] {
  return parts
    .map((runs, index) => ({ part: partOf(moved + index), content: encodeRuns(runs) }))
    .slice(-PARTS_MAX);
}
