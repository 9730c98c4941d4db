import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../../src/plugin/index.ts';
import { BestItems } from '../../src/signals/best-items.ts';
import { check } from '../support/long.ts';

const byNumber = (one: number, other: number) => one - other;

test('items removed worst first are in the reverse order of the sorted list', () => {
  check(100, [fc.array(fc.tuple(fc.nat(5), fc.nat(2)), { maxLength: 60 }), fc.nat(40)], (items, length) => {
    const offered = () => {
      const best = new BestItems(length, byNumber);
      for (const [item, [score, created_at]] of items.entries()) best.offer(item, score, created_at);
      return best;
    };
    const expected = items
      .map(([score, created_at], item) => ({ score, created_at, item }))
      .sort(
        (one, other) => other.score - one.score || other.created_at - one.created_at || one.item - other.item,
      )
      .slice(0, length)
      .map(({ item }) => item);
    expect(offered().sorted()).toEqual(expected);
    const best = offered();
    const taken: number[] = [];
    while (best.size > 0) taken.push(best.takeWorst());
    expect(taken.reverse()).toEqual(expected);
    expect(best.takeWorst()).toBe(NONE);
  });
});
