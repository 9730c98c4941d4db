import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../src/limits.ts';
import { type CursorContents, CursorSigner } from '../../src/serve/cursor.ts';
import { check } from '../support/long.ts';

const signer = new CursorSigner(new Uint8Array(32).fill(7));
const OWNER = '["popular",null,"user","1"]';

const contents = fc.record({
  started_at: fc.nat({ max: LIMITS.stored_seconds_max }),
  seed: fc.nat({ max: 2 ** 32 - 1 }),
  shown: fc.uniqueArray(fc.nat({ max: LIMITS.keys_max - 1 }), { maxLength: LIMITS.cursor_items_max - 1 }),
});

describe('a cursor', () => {
  test('contains the start time, the seed and the keys in ascending order', () => {
    check(200, [contents], ({ shown, ...others }) => {
      const written: CursorContents = { ...others, shown: Uint32Array.from(shown) };
      const cursor = signer.write(OWNER, written);
      expect(signer.read(OWNER, cursor, others.started_at)).toEqual({
        ...others,
        shown: written.shown.toSorted(),
      });
    });
  });

  test('fits the maximum length when it has as many items as possible, with keys as far apart as possible', () => {
    const count = LIMITS.cursor_items_max - 1;
    const step = Math.floor((LIMITS.keys_max - 1) / count);
    const shown = Uint32Array.from({ length: count }, (_, at) => (at + 1) * step);
    const largest = { started_at: LIMITS.stored_seconds_max, seed: 2 ** 32 - 1, shown };
    const cursor = signer.write(OWNER, largest);
    expect(cursor.length).toBeLessThanOrEqual(LIMITS.cursor_length_max);
    expect(signer.read(OWNER, cursor, LIMITS.stored_seconds_max)).toEqual(largest);
  });

  test('is valid on a node whose clock is behind', () => {
    const cursor = signer.write(OWNER, { started_at: 1_000, seed: 1, shown: new Uint32Array() });
    expect(signer.read(OWNER, cursor, 900).started_at).toBe(1_000);
  });
});
