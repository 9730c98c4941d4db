import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { check } from '../support/long.ts';
import { weightsOf } from '../support/scene.ts';

const additions = fc.array(
  fc.tuple(fc.oneof(fc.nat(30), fc.nat(2 ** 31 - 2)), fc.integer({ min: 1, max: 9 })),
  { maxLength: 200 },
);

describe('an accumulator', () => {
  test('an accumulator sums as a map would, even when it is reused', () => {
    const accumulator = new Accumulator();
    check(100, [additions], (pairs) => {
      accumulator.clear();
      const model = new Map<number, number>();
      for (const [ordinal, amount] of pairs) {
        accumulator.add(ordinal, amount);
        model.set(ordinal, (model.get(ordinal) ?? 0) + amount);
      }
      expect(weightsOf(accumulator)).toEqual(model);
      expect(accumulator.size).toBe(model.size);
      expect(accumulator.max).toBe(Math.max(0, ...model.values()));
      for (const [ordinal, sum] of model) expect(accumulator.weight(ordinal)).toBe(sum);
      expect(accumulator.weight(2 ** 31 - 1)).toBe(0);
    });
  });

  test('an accumulator keeps every sum and the order of arrival while it grows', () => {
    const accumulator = new Accumulator();
    for (let round = 1; round <= 2; round++) {
      for (let ordinal = 0; ordinal < 20_000; ordinal++) accumulator.add(ordinal * 4096, ordinal + 1);
    }
    expect([...weightsOf(accumulator)]).toEqual(
      Array.from({ length: 20_000 }, (_, index) => [index * 4096, 2 * (index + 1)]),
    );
    expect(accumulator.max).toBe(40_000);
    accumulator.clear();
    expect([accumulator.size, accumulator.max, accumulator.weight(4096)]).toEqual([0, 0, 0]);
  });

  describe('adding many at once', () => {
    const ordinal = fc.oneof(
      fc.nat(30),
      fc.nat(2 ** 31 - 2),
      // Their searches begin in few slots.
      fc.nat(100).map((drawn) => drawn * 2 ** 20),
    );
    const amount = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
    const batch = fc.record({
      pairs: fc.array(fc.tuple(ordinal, amount), { maxLength: 150, size: 'max' }),
      /** The array contents after the added ones. */
      behind: fc.nat(3),
      one_by_one: fc.array(fc.tuple(ordinal, amount), { maxLength: 3 }),
    });

    function entriesOf(accumulator: Accumulator): number[][] {
      const { ordinals, weights, halves, start, end } = accumulator.entries;
      const parts = [ordinals, weights].map((array) => [...array.slice(start, end)]);
      return [...parts, [...halves.slice(2 * start, 2 * end)], [start, end]];
    }

    test('adding many at once equals adding them one by one, to the last bit', () => {
      const at_once = new Accumulator();
      const expected = new Accumulator();
      const batches = fc.array(batch, { minLength: 1, maxLength: 5 });
      check(100, [fc.array(ordinal, { maxLength: 3 }), batches], (left_out, drawn) => {
        at_once.clear();
        expected.clear();
        for (const ordinal of left_out) for (const each of [at_once, expected]) each.exclude(ordinal);
        for (const { pairs, behind, one_by_one } of drawn) {
          const targets = Int32Array.from([
            ...pairs.map(([ordinal]) => ordinal),
            ...Array(behind).fill(12_345),
          ]);
          const amounts = Float64Array.from([...pairs.map(([, amount]) => amount), ...Array(behind).fill(1)]);
          at_once.addEach(targets, amounts, pairs.length);
          for (const [ordinal, amount] of pairs) expected.add(ordinal, amount);
          for (const [ordinal, amount] of one_by_one)
            for (const each of [at_once, expected]) each.add(ordinal, amount);
          expect([...weightsOf(at_once)]).toEqual([...weightsOf(expected)]);
          expect(entriesOf(at_once)).toEqual(entriesOf(expected));
          expect([at_once.size, at_once.max]).toEqual([expected.size, expected.max]);
          for (const [ordinal] of [...pairs, ...one_by_one])
            expect(at_once.weight(ordinal)).toBe(expected.weight(ordinal));
        }
        for (const ordinal of [...left_out, 12_345, 2 ** 31 - 1])
          expect(at_once.weight(ordinal)).toBe(expected.weight(ordinal));
      });
    });

    test('excluded ordinals stay at 0 while the accumulator grows, and all others are kept', () => {
      const accumulator = new Accumulator();
      accumulator.exclude(3 * 4096);
      accumulator.add(7 * 4096, 0.5);
      const targets = Int32Array.from({ length: 8000 }, (_, index) => (index >> 1) * 4096);
      accumulator.addEach(targets, new Float64Array(targets.length).fill(1), targets.length);
      expect(accumulator.weight(3 * 4096)).toBe(0);
      expect(accumulator.weight(7 * 4096)).toBe(2.5);
      const reached = [...weightsOf(accumulator)];
      const others = Array.from({ length: 4000 }, (_, index) => index).filter(
        (index) => index !== 3 && index !== 7,
      );
      expect(reached).toEqual([
        [7 * 4096, 2.5],
        ...others.map((index) => [index * 4096, 2] as [number, number]),
      ]);
    });
  });
});
