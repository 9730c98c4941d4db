import { expect, test } from 'bun:test';
import { admittedOf, takeAdmitted } from '../../src/page/admission.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { ScoredQueue } from '../../src/signals/scored-queue.ts';
import { NOW, Scene } from '../support/scene.ts';

const { state } = new Scene().item('a').item('b').item('c').item('d');
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => state.items.names.find(id));

/** Items with decreasing scores. */
function queueOf(...items: number[]): ScoredQueue {
  const queue = new ScoredQueue((one, other) => one - other);
  for (const [index, item] of items.entries()) queue.add(item, 1 / (index + 1));
  return queue;
}

test('takeAdmitted takes the best admitted items up to the limit', () => {
  expect(takeAdmitted(queueOf(c, a, d, b), 2, state, (item) => item !== c)).toEqual([a, d]);
  expect(takeAdmitted(queueOf(c, a), 5, state, () => true)).toEqual([c, a]);
  expect(takeAdmitted(queueOf(c, a), 5, state, () => false)).toEqual([]);
  expect(takeAdmitted(queueOf(), 5, state, () => true)).toEqual([]);
});

test('admittedOf orders equal weights newer first, for any ordinals', () => {
  const scene = new Scene().item('gone');
  for (let index = 0; index < 10; index++) scene.item(`old${index}`, { created_at: NOW - (index >> 1) });
  scene
    .retire('gone')
    .recycle()
    .item('newest', { created_at: NOW + 1 });
  expect(scene.state.items.names.find('newest')).toBe(0);
  const reached = new Accumulator();
  for (let item = 0; item < scene.state.items.size; item++) reached.add(item, 0.5);
  const queue = admittedOf(reached, scene.state, () => true);
  const ids = Array.from({ length: 4 }, () => queue.pop()).map((item) => scene.state.items.names.id(item));
  expect(ids).toEqual(['newest', 'old0', 'old1', 'old2']);
});
