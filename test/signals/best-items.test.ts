import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../../src/plugin/index.ts';
import { BestItems } from '../../src/signals/best-items.ts';

const byNumber = (one: number, other: number) => one - other;

test('taken out one by one, the worst first, they are in the order of the sorted ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 60 }), fc.nat(40), (scores, length) => {
      const offered = () => {
        const best = new BestItems(length, byNumber);
        for (const [item, score] of scores.entries()) best.offer(item, score);
        return best;
      };
      const expected = scores
        .map((score, item) => ({ score, item }))
        .sort((one, other) => other.score - one.score || one.item - other.item)
        .slice(0, length)
        .map(({ item }) => item);
      expect(offered().sorted()).toEqual(expected);
      const best = offered();
      const taken: number[] = [];
      while (best.size > 0) taken.push(best.takeWorst());
      expect(taken.reverse()).toEqual(expected);
      expect(best.takeWorst()).toBe(NONE);
    }),
  );
});
