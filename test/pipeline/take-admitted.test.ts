import { expect, test } from 'bun:test';
import { takeAdmitted } from '../../src/pipeline/take-admitted.ts';
import { ScoredQueue } from '../../src/signals/scored-queue.ts';
import { Scene } from '../support/scene.ts';

const { state } = new Scene().item('a').item('b').item('c').item('d');
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => state.items.names.find(id));

/** The items with scores that fall in their order. */
function queueOf(...items: number[]): ScoredQueue {
  const queue = new ScoredQueue((one, other) => one - other);
  for (const [index, item] of items.entries()) queue.add(item, 1 / (index + 1));
  return queue;
}

test('takes the best that are admitted, and no more than were asked for', () => {
  expect(takeAdmitted(queueOf(c, a, d, b), 2, state, (item) => item !== c)).toEqual([a, d]);
  expect(takeAdmitted(queueOf(c, a), 5, state, () => true)).toEqual([c, a]);
  expect(takeAdmitted(queueOf(c, a), 5, state, () => false)).toEqual([]);
  expect(takeAdmitted(queueOf(), 5, state, () => true)).toEqual([]);
});

test('asks about no item when none of them may be shown to anybody', () => {
  const { state: gone } = new Scene().item('x').delete('x');
  const asked: number[] = [];
  const admits = (item: number) => asked.push(item) > 0;
  expect(takeAdmitted(queueOf(gone.items.names.find('x')), 5, gone, admits)).toEqual([]);
  expect(asked).toEqual([]);
});
