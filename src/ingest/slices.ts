import { LIMITS } from '../limits.ts';

/** Assumed characters for the name of a field, and for a value that is neither text nor nested. */
const OTHER_LENGTH = 16;
const LEVELS = 8;

export interface Slice<T> {
  start: number;
  slice: readonly T[];
}

/**
 * Splits a body into slices of up to `most()` records, or fewer if they are long.
 *
 * A record belongs to one slice, however long it is.
 * @param long whether records may be long; otherwise lengths are not measured
 * @param most maximum records of a slice, at least 1, called for each slice
 */
export function* slicesOf<T>(records: readonly T[], long: boolean, most: () => number): Generator<Slice<T>> {
  const { ingest_slice_characters } = LIMITS;
  for (let start = 0, end = 0; start < records.length; start = end) {
    end = Math.min(start + most(), records.length);
    if (long) end = endOf(records, start, end, ingest_slice_characters);
    yield { start, slice: records.slice(start, end) };
  }
}

/** The index after the record that reaches `characters`, at most `last`. */
function endOf(records: readonly unknown[], start: number, last: number, characters: number): number {
  let end = start;
  for (let length = 0; end < last && length < characters; end++) length += lengthOf(records[end]);
  return end;
}

/** Approximate characters of a record as JSON. @param levels nesting that is measured */
function lengthOf(value: unknown, levels = LEVELS): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || levels === 0) return OTHER_LENGTH;
  let length = 0;
  if (Array.isArray(value)) for (const entry of value) length += lengthOf(entry, levels - 1);
  else for (const inner of Object.values(value)) length += OTHER_LENGTH + lengthOf(inner, levels - 1);
  return length;
}
