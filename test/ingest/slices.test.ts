import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { slicesOf } from '../../src/ingest/slices.ts';
import { LIMITS } from '../../src/limits.ts';
import { check } from '../support/long.ts';

const MOST = LIMITS.ingest_slice_records;

/** The ends of all slices, which are contiguous. */
function ends(records: readonly unknown[], long = true): number[] {
  const slices = [...slicesOf(records, long, () => MOST)];
  expect(slices.flatMap(({ slice }) => slice)).toEqual([...records]);
  return slices.map(({ start, slice }) => start + slice.length);
}

const LONG = 'x'.repeat(LIMITS.ingest_slice_characters / 4);

test('short records are split by their number', () => {
  const records = Array.from({ length: 2 * MOST + 1 }, () => ({ user_id: 'u', text: 'short' }));
  for (const long of [true, false]) expect(ends(records, long)).toEqual([MOST, 2 * MOST, 2 * MOST + 1]);
  expect(ends([])).toEqual([]);
});

test('the maximum is requested before each slice', () => {
  const sizes = [100, 250, 1];
  const slices = [
    ...slicesOf(
      Array.from({ length: 352 }, () => ({})),
      true,
      () => sizes.shift() ?? 7,
    ),
  ];
  expect(slices.map(({ start, slice }) => [start, slice.length])).toEqual([
    [0, 100],
    [100, 250],
    [350, 1],
    [351, 1],
  ]);
});

test('slices of long records are smaller, for texts and for lists', () => {
  for (const record of [
    { text: LONG },
    { list: [LONG] },
    { list: Array.from({ length: LONG.length / 16 }, () => 5) },
    { metadata: Object.fromEntries(Array.from({ length: LONG.length / 32 }, (_, at) => [`k${at}`, at])) },
  ]) {
    expect(ends(Array(10).fill(record))).toEqual([4, 8, 10]);
    expect(ends(Array(10).fill(record), false)).toEqual([10]);
  }
  expect(ends(Array(3).fill({ text: LONG.repeat(9) }))).toEqual([1, 2, 3]);
});

test('every record is in one slice, in order', () => {
  check(100, [fc.array(fc.jsonValue(), { maxLength: 600 })], (records) => {
    const found = ends(records);
    expect(found.at(-1) ?? 0).toBe(records.length);
    expect(found.every((end, at) => end > (found[at - 1] ?? 0))).toBe(true);
  });
});
