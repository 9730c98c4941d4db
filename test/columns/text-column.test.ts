import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TextColumn } from '../../src/columns/text-column.ts';
import { check } from '../support/long.ts';

const RUNS = 30;
const CHUNK_BYTES = 1 << 20;

/** Usually short texts of every script, sometimes texts that fill much of a chunk or need their own. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'é', '字', '🙂'), fc.integer({ min: 1, max: 100_000 }))
      .map(([unit, count]) => unit.repeat(count)),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '\ufeffmarked', 'x'.repeat(CHUNK_BYTES + 3)) },
);
const write = fc.record({ ordinal: fc.nat(70), text: fc.option(text, { nil: undefined }) });

describe('a column of texts', () => {
  test('a text column holds the last text set, as a Map does', () => {
    check(RUNS, [fc.array(write, { maxLength: 200, size: 'max' })], (writes) => {
      const column = new TextColumn();
      const reference = new Map<number, string>();
      for (const { ordinal, text } of writes) {
        if (text === undefined) column.clear(ordinal);
        else column.set(ordinal, text);
        reference.set(ordinal, text ?? '');
      }
      for (let ordinal = 0; ordinal <= 70; ordinal++) {
        expect(column.get(ordinal) === (reference.get(ordinal) ?? '')).toBe(true);
      }
      const live = [...reference.values()].reduce((sum, each) => sum + Buffer.byteLength(each) + 12, 0);
      // Half of each chunk may be dead and the end of each unused, and one chunk is current.
      expect(column.size_bytes).toBeLessThan(4 * live + 4 * CHUNK_BYTES);
    });
  });

  test('a text column has no text for unknown ordinals', () => {
    const column = new TextColumn();
    for (const ordinal of [-1, 0, 64, 1e6]) expect(column.get(ordinal)).toBe('');
    column.clear(1e6);
    column.set(1000, 'here');
    expect([column.get(999), column.get(1000), column.get(1001)]).toEqual(['', 'here', '']);
  });

  test('a text column does not grow when the same texts are replaced repeatedly', () => {
    const column = new TextColumn();
    for (let round = 0; round < 300; round++) {
      for (let ordinal = 0; ordinal < 10; ordinal++) column.set(ordinal, `${round} `.repeat(5_000));
    }
    for (let ordinal = 0; ordinal < 10; ordinal++) expect(column.get(ordinal)).toBe('299 '.repeat(5_000));
    expect(column.size_bytes).toBeLessThan(3 * CHUNK_BYTES);
  });

  test('a text column releases chunks in which only a few texts are left', () => {
    const column = new TextColumn();
    for (let ordinal = 0; ordinal < 5_000; ordinal++) column.set(ordinal, 'x'.repeat(4_000));
    for (let ordinal = 0; ordinal < 5_000; ordinal++) if (ordinal % 10 > 0) column.clear(ordinal);
    for (let ordinal = 0; ordinal < 5_000; ordinal++) {
      expect(column.get(ordinal).length).toBe(ordinal % 10 === 0 ? 4_000 : 0);
    }
    expect(column.size_bytes).toBeLessThan(500 * 4_000 * 2 + 2 * CHUNK_BYTES);
  });
});
