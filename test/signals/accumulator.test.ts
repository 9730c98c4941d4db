import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { weightsOf } from '../support/scene.ts';

const additions = fc.array(
  fc.tuple(fc.oneof(fc.nat(30), fc.nat(2 ** 31 - 2)), fc.integer({ min: 1, max: 9 })),
  {
    maxLength: 200,
  },
);

describe('an accumulator', () => {
  test('sums as a map would, also when it is used again', () => {
    const accumulator = new Accumulator();
    fc.assert(
      fc.property(additions, (pairs) => {
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
      }),
      { numRuns: 100 },
    );
  });

  test('keeps every sum and the order of arrival while it grows', () => {
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
});
