import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { best } from '../../src/evaluate/best.ts';
import { check } from '../support/long.ts';

test('the best items are the first of the full order, and the later one of equal items comes first', () => {
  check(100, [fc.array(fc.nat(5), { maxLength: 40 }), fc.nat(12)], (scores, length) => {
    const items = [...scores.keys()];
    const whole = items.toSorted((one, other) => scores[other] - scores[one] || other - one);
    expect(best(items, (item) => scores[item], length)).toEqual(whole.slice(0, length));
  });
});
