import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { slicesOf } from '../../src/ingest/slices.ts';
import { LIMITS } from '../../src/limits.ts';

const MOST = LIMITS.ingest_slice_records;

/** The ends of all slices, which follow one another. */
function ends(records: readonly unknown[], long = true): number[] {
  const slices = [...slicesOf(records, long, () => MOST)];
  expect(slices.flatMap(({ slice }) => slice)).toEqual([...records]);
  return slices.map(({ start, slice }) => start + slice.length);
}

const LONG = 'x'.repeat(LIMITS.ingest_slice_characters / 4);

test('short records come so many at a time', () => {
  const records = Array.from({ length: 2 * MOST + 1 }, () => ({ user_id: 'u', text: 'short' }));
  for (const long of [true, false]) expect(ends(records, long)).toEqual([MOST, 2 * MOST, 2 * MOST + 1]);
  expect(ends([])).toEqual([]);
});

test('as many as is said before each slice', () => {
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

test('long ones fewer at a time, in texts or in lists', () => {
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

test('all of whatever comes is in one slice each, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 600 }), (records) => {
      const found = ends(records);
      expect(found.at(-1) ?? 0).toBe(records.length);
      expect(found.every((end, at) => end > (found[at - 1] ?? 0))).toBe(true);
    }),
  );
});
