import { describe, expect, test } from 'bun:test';
import { grown } from '../../src/columns/growable.ts';

describe('a grown array', () => {
  test('a grown array is the same array while it is long enough', () => {
    const array = new Uint8Array(4);
    expect(grown(array, 4)).toBe(array);
  });

  test('a grown array keeps its type and contents and at least doubles', () => {
    const larger = grown(Int32Array.of(1, -2), 3);
    expect(larger).toEqual(Int32Array.of(1, -2, 0, 0));
    expect(grown(larger, 100)).toHaveLength(100);
  });

  test('growing an array empties the previous one at once', () => {
    const array = new Uint16Array(4);
    grown(array, 5);
    expect(array).toHaveLength(0);
  });
});
