import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { tieBreak } from '../../src/signals/order.ts';
import { ScoredQueue } from '../../src/signals/scored-queue.ts';
import { NONE } from '../../src/state/change.ts';
import { itemIds, itemOf, NOW, Scene } from '../support/scene.ts';

describe('the order of equal scores', () => {
  test('is newer first, then item_id by code unit', () => {
    const scene = new Scene();
    const created: Record<string, number> = {
      b: 1,
      '😀': 1,
      a: 1,
      '\uffff': 1,
      B: 1,
      '10': 1,
      '9': 1,
      z: 2,
      y: 0.999,
    };
    for (const [id, offset] of Object.entries(created)) scene.item(id, { created_at: NOW + offset });
    const items = Object.keys(created).map((id) => itemOf(scene, id));
    const ordered = items.toSorted((one, other) => tieBreak(scene.state, one, other));
    expect(itemIds(scene.state, ordered)).toEqual(['z', '10', '9', 'B', 'a', 'b', '😀', '\uffff', 'y']);
    for (const item of items) expect(tieBreak(scene.state, item, item)).toBe(0);
  });
});

describe('a queue of scores', () => {
  const step = fc.oneof(
    fc.record({ add: fc.constant(true), score: fc.constantFrom(0, 0.5, 1, 7) }),
    fc.record({ add: fc.constant(false), score: fc.constant(0) }),
  );

  test('gives the best left, equal scores by the tie-break, also while more is added', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const queue = new ScoredQueue((one, other) => other - one);
        let left: { item: number; score: number }[] = [];
        for (const [item, { add, score }] of steps.entries()) {
          if (add) {
            queue.add(item, score);
            left.push({ item, score });
          } else {
            left.sort((one, other) => other.score - one.score || other.item - one.item);
            const [best] = left;
            expect(queue.pop()).toBe(best?.item ?? NONE);
            if (best !== undefined) expect(queue.score).toBe(best.score);
            left = left.slice(1);
          }
          expect(queue.size).toBe(left.length);
        }
        left.sort((one, other) => other.score - one.score || other.item - one.item);
        for (const { item } of left) expect(queue.pop()).toBe(item);
        expect(queue.pop()).toBe(NONE);
      }),
      { numRuns: 200 },
    );
  });

  describe('of which only the best are kept', () => {
    interface Entry {
      item: number;
      score: number;
    }
    const byScore = (one: Entry, other: Entry) => other.score - one.score || other.item - one.item;
    const score = fc.oneof(
      fc.constantFrom(0, 0.5, 1, 7),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    /** In any order, each item once. */
    const entries = fc
      .array(score, { maxLength: 120, size: 'max' })
      .chain((scores) =>
        fc
          .shuffledSubarray([...scores.keys()], { minLength: scores.length })
          .map((items) => items.map((item) => ({ item, score: scores[item] }))),
      );
    /** How many are kept of how many there are: mostly few, or all but few. */
    const share = fc.constantFrom(0, 0.05, 0.3, 0.7, 0.79, 0.8, 0.81, 0.9, 0.97, 1, 1.5);

    function listed(queue: ScoredQueue): Entry[] {
      const left: Entry[] = [];
      queue.forEach((item, score) => {
        left.push({ item, score });
      });
      return left;
    }

    function popped(queue: ScoredQueue): Entry[] {
      const taken: Entry[] = [];
      for (let item = queue.pop(); item !== NONE; item = queue.pop())
        taken.push({ item, score: queue.score });
      return taken;
    }

    test('holds the first of all in order, however many go, and goes on as a queue does', () => {
      const queue = new ScoredQueue((one, other) => other - one, 8);
      const limits = fc.array(fc.tuple(share, fc.nat(2)), { minLength: 1, maxLength: 3 });
      fc.assert(
        fc.property(entries, fc.nat(12), limits, fc.array(score), (all, pops, kept, later) => {
          queue.clear();
          for (const { item, score } of all) queue.add(item, score);
          let left = all.toSorted(byScore);
          for (const { item } of left.splice(0, pops)) expect(queue.pop()).toBe(item);
          for (const [part, more] of kept) {
            const limit = Math.floor(part * left.length) + more;
            queue.keepBest(limit);
            left = left.slice(0, limit);
            expect(queue.size).toBe(left.length);
            expect(listed(queue).sort(byScore)).toEqual(left);
          }
          const added = later.map((score, index) => ({ item: 1000 + index, score }));
          const half = added.length >> 1;
          for (const { item, score } of added.slice(0, half)) queue.add(item, score);
          left = [...left, ...added.slice(0, half)].sort(byScore);
          const [best] = left.splice(0, 1);
          expect(queue.pop()).toBe(best?.item ?? NONE);
          for (const { item, score } of added.slice(half)) queue.add(item, score);
          expect(popped(queue)).toEqual([...left, ...added.slice(half)].sort(byScore));
        }),
        { numRuns: 300 },
      );
    });

    test('is empty when none are, and complete when more are than there are', () => {
      for (const [limit, kept] of [
        [0, []],
        [1, [2]],
        [2, [2, 1]],
        [3, [2, 1, 0]],
        [100, [2, 1, 0]],
      ] as const) {
        const queue = new ScoredQueue((one, other) => other - one);
        for (const item of [1, 0, 2]) queue.add(item, 5);
        queue.keepBest(limit);
        expect([limit, popped(queue).map(({ item }) => item)]).toEqual([limit, [...kept]]);
      }
    });
  });
});
