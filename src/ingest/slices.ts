import { LIMITS } from '../limits.ts';

/** What the name of a field counts, and a value that is neither a text nor holds others, in characters. */
const OTHER_LENGTH = 16;
const LEVELS = 8;

/** Records of a body that are worked off in one turn of the event loop. */
export interface Slice {
  /** The place of the first. */
  start: number;
  slice: readonly unknown[];
}

/**
 * A body in slices: so many records each, or fewer where they are long. A record belongs to one slice, however long it is.
 * @param long records may be long; else their lengths are not asked for
 * @param most records of a slice, at least 1; asked for each
 */
export function* slicesOf(records: readonly unknown[], long: boolean, most: () => number): Generator<Slice> {
  const { ingest_slice_characters } = LIMITS;
  for (let start = 0, end = 0; start < records.length; start = end) {
    end = Math.min(start + most(), records.length);
    if (long) end = endOf(records, start, end, ingest_slice_characters);
    yield { start, slice: records.slice(start, end) };
  }
}

/** The place after the record with which so many characters are reached, `last` at most. */
function endOf(records: readonly unknown[], start: number, last: number, characters: number): number {
  let end = start;
  for (let length = 0; end < last && length < characters; end++) length += lengthOf(records[end]);
  return end;
}

/** Characters of a record as JSON, about. @param levels of objects and lists that are looked into */
function lengthOf(value: unknown, levels = LEVELS): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || levels === 0) return OTHER_LENGTH;
  let length = 0;
  if (Array.isArray(value)) for (const entry of value) length += lengthOf(entry, levels - 1);
  else for (const inner of Object.values(value)) length += OTHER_LENGTH + lengthOf(inner, levels - 1);
  return length;
}
