import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { allOf } from '../../src/pipeline/visibility.ts';

const MOST = 15;

describe('one test out of many', () => {
  test('lets through what every one of them does, whatever is asked before', () => {
    /** Of each test, the items that it refuses. */
    const refusals = fc.array(fc.uniqueArray(fc.nat(9), { maxLength: 2 }), { maxLength: MOST, size: 'max' });
    fc.assert(
      fc.property(refusals, fc.array(fc.nat(9)), (refused, items) => {
        const tests = refused.map((each) => (item: number) => !each.includes(item));
        const all = allOf(tests);
        for (const item of items) expect(all(item)).toBe(tests.every((each) => each(item)));
      }),
      { numRuns: 200 },
    );
  });

  test('asks them in order, about the item, and no further than the first that refuses', () => {
    for (let count = 0; count <= MOST; count++) {
      for (let refuser = 0; refuser <= count; refuser++) {
        const asked: [test: number, item: number][] = [];
        const tests = Array.from({ length: count }, (_, number) => (item: number) => {
          asked.push([number, item]);
          // Those behind it let the item through or not, as it happens.
          return number < refuser || (number > refuser && number % 2 === 0);
        });
        expect(allOf(tests)(7)).toBe(refuser === count);
        const last = Math.min(refuser + 1, count);
        expect(asked).toEqual(Array.from({ length: last }, (_, number) => [number, 7]));
      }
    }
  });
});
