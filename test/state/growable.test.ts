import { describe, expect, test } from 'bun:test';
import { grown } from '../../src/state/growable.ts';

describe('a grown array', () => {
  test('is the same one while it is long enough', () => {
    const array = new Uint8Array(4);
    expect(grown(array, 4)).toBe(array);
  });

  test('keeps type and contents and at least doubles', () => {
    const larger = grown(Int32Array.of(1, -2), 3);
    expect(larger).toEqual(Int32Array.of(1, -2, 0, 0));
    expect(grown(larger, 100)).toHaveLength(100);
  });

  test('leaves nothing behind: the one before it is empty at once', () => {
    const array = new Uint16Array(4);
    grown(array, 5);
    expect(array).toHaveLength(0);
  });
});
