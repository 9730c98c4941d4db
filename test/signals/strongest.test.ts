import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../../src/plugin/index.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { Strongest } from '../../src/signals/strongest.ts';

const weight = fc.oneof(
  fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
  fc.constantFrom(1, 2, 3, 1.0000001, 5e-324),
);

const finder = new Strongest((one, other) => one - other);

test('holds the strongest items, best first, whatever their weights', () => {
  fc.assert(
    fc.property(fc.array(weight, { maxLength: 400 }), fc.integer({ min: 1, max: 200 }), (weights, count) => {
      const reached = new Accumulator();
      for (const [item, each] of weights.entries()) reached.add(item, each);
      const queue = finder.of(reached, count);
      const popped: number[] = [];
      for (let item = queue.pop(); item !== NONE; item = queue.pop()) popped.push(weights[item]);
      const expected = weights.toSorted((one, other) => other - one);
      expect(popped.length).toBeGreaterThanOrEqual(Math.min(count, weights.length));
      expect(popped).toEqual(expected.slice(0, popped.length));
    }),
  );
});
