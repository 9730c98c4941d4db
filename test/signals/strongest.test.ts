import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/clock.ts';
import { NONE } from '../../src/plugin/index.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { Strongest } from '../../src/signals/strongest.ts';
import { check } from '../support/long.ts';

const weight = fc.oneof(
  fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
  fc.constantFrom(1, 2, 3, 1.0000001, 5e-324),
);

const finder = new Strongest((one, other) => one - other);

test('the strongest entries are selected best first, for any weights', () => {
  check(100, [fc.array(weight, { maxLength: 400 }), fc.integer({ min: 1, max: 200 })], (weights, count) => {
    const reached = new Accumulator();
    for (const [item, each] of weights.entries()) reached.add(item, each);
    const queue = finder.of(reached, count);
    const popped: number[] = [];
    for (let item = queue.pop(); item !== NONE; item = queue.pop()) popped.push(weights[item]);
    const expected = weights.toSorted((one, other) => other - one);
    expect(popped.length).toBeGreaterThanOrEqual(Math.min(count, weights.length));
    expect(popped).toEqual(expected.slice(0, popped.length));
  });
});

test('the strongest entries are found among thousands, where a sample gives the bound', () => {
  const shapes: ((random: () => number) => number)[] = [
    (random) => Math.exp(-12 * random()),
    (random) => 1 + Math.floor(3 * random()),
    // A sample of some hundreds usually misses these few.
    (random) => (random() < 0.005 ? 1000 + random() : 1e-9 * random()),
    () => 1,
  ];
  check(
    100,
    [
      fc.integer(),
      fc.integer({ min: 500, max: 4000 }),
      fc.integer({ min: 1, max: 300 }),
      fc.constantFrom(...shapes),
    ],
    (seed, length, count, shape) => {
      const random = seededRandom(seed);
      const weights = Array.from({ length }, () => shape(random));
      // The strongest come last, first, or anywhere.
      if (seed % 3 === 0) weights.sort((one, other) => one - other);
      if (seed % 3 === 1) weights.sort((one, other) => other - one);
      const reached = new Accumulator();
      for (const [item, each] of weights.entries()) reached.add(item, each);
      const queue = finder.of(reached, count);
      expect(queue.size).toBeGreaterThanOrEqual(Math.min(count, length));
      const popped = Array.from({ length: queue.size }, () => weights[queue.pop()]);
      expect(popped).toEqual(weights.toSorted((one, other) => other - one).slice(0, popped.length));
    },
  );
});
