import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../../src/model/key.ts';
import { tieBreak } from '../../src/signals/order.ts';
import { ScoredQueue } from '../../src/signals/scored-queue.ts';
import { check } from '../support/long.ts';
import { itemIds, itemOf, NOW, Scene } from '../support/scene.ts';

describe('the order of equal scores', () => {
  test('equal scores are ordered newer first, then by item_id in code units', () => {
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

  test('a score queue gives the best remaining item, ties by tie-break, even while items are added', () => {
    check(200, [fc.array(step, { maxLength: 80, size: 'max' })], (steps) => {
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
    });
  });
});
