import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { allOf } from '../../src/page/all-of.ts';
import { check } from '../support/long.ts';

const MOST = 15;

describe('allOf', () => {
  test('accepts items that every test accepts, after any earlier calls', () => {
    /** The items that each test rejects. */
    const refusals = fc.array(fc.uniqueArray(fc.nat(9), { maxLength: 2 }), { maxLength: MOST, size: 'max' });
    check(200, [refusals, fc.array(fc.nat(9))], (refused, items) => {
      const tests = refused.map((each) => (item: number) => !each.includes(item));
      const all = allOf(tests);
      for (const item of items) expect(all(item)).toBe(tests.every((each) => each(item)));
    });
  });

  test('calls the tests in order and stops at the first that rejects the item', () => {
    for (let count = 0; count <= MOST; count++) {
      for (let refuser = 0; refuser <= count; refuser++) {
        const asked: [test: number, item: number][] = [];
        const tests = Array.from({ length: count }, (_, number) => (item: number) => {
          asked.push([number, item]);
          // The result of later tests does not matter.
          return number < refuser || (number > refuser && number % 2 === 0);
        });
        expect(allOf(tests)(7)).toBe(refuser === count);
        const last = Math.min(refuser + 1, count);
        expect(asked).toEqual(Array.from({ length: last }, (_, number) => [number, 7]));
      }
    }
  });
});
