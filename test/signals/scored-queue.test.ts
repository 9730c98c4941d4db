import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../../src/model/key.ts';
import { ScoredQueue } from '../../src/signals/scored-queue.ts';
import { check } from '../support/long.ts';
import { steps } from '../support/steps.ts';

interface Entry {
  item: number;
  score: number;
}

/** Equal scores: the higher item first. */
const byScore = (one: Entry, other: Entry) => other.score - one.score || other.item - one.item;

function listed(queue: ScoredQueue): Entry[] {
  const { items, scores, start, end } = queue.left;
  return Array.from(items.subarray(start, end), (item, at) => ({ item, score: scores[start + at] }));
}

/** A queue that counts its comparisons of items with equal scores. */
function counting(): { queue: ScoredQueue; comparisons: () => number } {
  let count = 0;
  const queue = new ScoredQueue((one, other) => {
    count++;
    return other - one;
  }, 4);
  return { queue, comparisons: () => count };
}

type Step =
  | { kind: 'add'; item: number; score: number }
  /** After the last added item. */
  | { kind: 'next'; drop: number }
  /** The last popped item. */
  | { kind: 'again'; score: number }
  | { kind: 'pop'; times: number }
  | { kind: 'clear' };

const score = fc.oneof(
  fc.constantFrom(-2, -0.5, 0, 0.5, 1, 7),
  // 0 and -0 are equal scores.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  steps(40, 'next', { drop: fc.constantFrom(0, 0, 0.5, 2) }),
  steps(2, 'add', { item: fc.nat(2000), score }),
  steps(2, 'again', { score }),
  steps(12, 'pop', { times: fc.integer({ min: 1, max: 4 }) }),
  steps(2, 'clear', {}),
);

/** A queue, and the same items in a sorted list. */
class Pair {
  private readonly queue = new ScoredQueue((one, other) => other - one, 2);
  private left: Entry[] = [];
  private last: Entry = { item: 1000, score: 3 };
  private popped = 0;

  take(step: Step): void {
    if (step.kind === 'add') this.add(step.item, step.score);
    else if (step.kind === 'again') this.add(this.popped, step.score);
    else if (step.kind === 'next') this.add(this.last.item - 1, this.last.score - step.drop);
    else if (step.kind === 'pop') for (let left = step.times; left > 0; left--) this.pop();
    else {
      this.queue.clear();
      this.left = [];
    }
    expect(this.queue.size).toBe(this.left.length);
    expect(listed(this.queue).sort(byScore)).toEqual(this.left);
  }

  empty(): void {
    while (this.left.length > 0) this.pop();
    this.pop();
  }

  private add(item: number, score: number): void {
    this.queue.add(item, score);
    this.last = { item, score };
    this.left.push(this.last);
    this.left.sort(byScore);
  }

  private pop(): void {
    const best = this.left.shift();
    expect(this.queue.best_score).toBe(best?.score ?? Number.NaN);
    expect(this.queue.pop()).toBe(best?.item ?? NONE);
    if (best === undefined) return;
    expect(this.queue.score).toBe(best.score);
    this.popped = best.item;
  }
}

describe('a queue of ordered scores', () => {
  test('a queue of ordered scores equals a sorted list after any operations', () => {
    check(400, [fc.array(step, { maxLength: 100, size: 'max' })], (steps) => {
      const pair = new Pair();
      for (const step of steps) pair.take(step);
      pair.empty();
    });
  });

  test('a queue of ordered scores compares each item with the previous one, and none when popped', () => {
    const { queue, comparisons } = counting();
    for (let item = 99; item >= 0; item--) queue.add(item, 5);
    expect(comparisons()).toBe(99);
    for (let item = 99; item >= 60; item--) expect(queue.pop()).toBe(item);
    queue.add(-7, 5);
    expect([comparisons(), queue.size]).toEqual([100, 61]);
    for (let item = 59; item >= 0; item--) expect(queue.pop()).toBe(item);
    expect(queue.pop()).toBe(-7);
    expect([queue.pop(), queue.size, comparisons()]).toEqual([NONE, 0, 100]);
  });

  test('a queue of ordered scores starts a new order when it is empty or cleared', () => {
    const { queue, comparisons } = counting();
    for (let round = 0; round < 3; round++) {
      for (let item = 9; item >= 0; item--) queue.add(item, round);
      for (let item = 9; item >= 0; item--) expect([queue.pop(), queue.score]).toEqual([item, round]);
      expect(comparisons()).toBe(9 * (round + 1));
    }
    for (const item of [1, 2, 3]) queue.add(item, 5);
    expect([queue.pop(), queue.size]).toEqual([3, 2]);
    queue.clear();
    const before = comparisons();
    for (const item of [3, 2, 1]) queue.add(item, 5);
    for (const item of [3, 2, 1]) expect(queue.pop()).toBe(item);
    expect(comparisons() - before).toBe(2);
  });

  test('a queue of ordered scores omits popped items when a later item is out of order', () => {
    for (const taken of [0, 1, 4, 5]) {
      const { queue } = counting();
      for (const item of [9, 8, 7, 6, 5]) queue.add(item, item);
      for (let left = taken; left > 0; left--) queue.pop();
      queue.add(20, 20);
      queue.add(1, 1);
      const left = [20, 9, 8, 7, 6, 5, 1].filter((item) => item > 9 || item <= 9 - taken);
      expect(
        listed(queue)
          .sort(byScore)
          .map(({ item }) => item),
      ).toEqual(left);
      for (const item of left) expect(queue.pop()).toBe(item);
      expect(queue.pop()).toBe(NONE);
    }
  });
});
