import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { KeyMap } from '../../src/columns/key-map.ts';
import { NONE } from '../../src/model/key.ts';
import { check } from '../support/long.ts';

test('a key map agrees with a Map after any additions and deletions', () => {
  const step = fc.record({ key: fc.oneof(fc.nat(20), fc.nat(20_000)), set: fc.boolean() });
  check(100, [fc.array(step, { maxLength: 100 })], (steps) => {
    const map = new KeyMap();
    const model = new Map<number, number>();
    for (const [ordinal, { key, set }] of steps.entries()) {
      if (model.has(key) && !set) {
        map.delete(key);
        model.delete(key);
      } else if (!model.has(key) && set) {
        map.set(key, ordinal);
        model.set(key, ordinal);
      }
      for (const asked of [key, key + 1, key + 4096, NONE]) {
        expect(map.get(asked)).toBe(model.get(asked) ?? NONE);
      }
    }
  });
});

test('a key map takes only the memory of its current keys while keys come and go', () => {
  const map = new KeyMap();
  for (let key = 0; key < 1_000_000; key++) {
    map.set(key, key % 5000);
    if (key >= 5000) map.delete(key - 5000);
  }
  expect(map.size_bytes).toBeLessThanOrEqual(3 * 4096 * 4);
  expect([map.get(994_999), map.get(995_000), map.get(999_999)]).toEqual([NONE, 0, 4999]);
});
