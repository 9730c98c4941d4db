import { expect, test } from 'bun:test';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { ListSweep } from '../../src/signals/list-sweep.ts';
import { NeighbourLists } from '../../src/signals/neighbour-lists.ts';
import { Scene, weightsOf } from '../support/scene.ts';

/** Lists that each contain the same ten items, and the contents of each. */
function lists(count: number) {
  const scene = new Scene();
  for (let item = 0; item < 10; item++) scene.act('somebody', 'like', `i${item}`);
  const kept = new NeighbourLists(scene.state.interactions.by_item, (one, other) => one - other);
  const reached = new Accumulator();
  for (let item = 0; item < 10; item++) reached.add(item, 1 + item);
  for (let slot = 0; slot < count; slot++) kept.fill(slot, reached);
  const held = (slot: number): number[] => {
    const into = new Accumulator();
    kept.add(slot, 100, 1, into);
    return [...weightsOf(into).keys()].sort((one, other) => one - other);
  };
  return { kept, held };
}

/** A sweep of those lists, all built at `seq` 0, and the items that it has reported as removed. */
function sweepOf({ kept }: ReturnType<typeof lists>) {
  const swept: number[][] = [];
  const sweep = new ListSweep(
    kept,
    () => 0,
    (items) => swept.push([...items]),
  );
  return { sweep, swept };
}

test('a sweep removes items from all lists in steps, and reports items that no list contains', () => {
  const these = lists(5);
  const { held } = these;
  const { sweep, swept } = sweepOf(these);
  expect(sweep.step(5, 2)).toBe(false);
  sweep.leave([0, 1, 2, 3], 1);
  expect(sweep.step(5, 2)).toBe(true);
  expect([held(1), held(2)]).toEqual([
    [4, 5, 6, 7, 8, 9],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  ]);
  expect([sweep.step(5, 2), swept.length, sweep.step(5, 2), swept]).toEqual([true, 0, true, [[0, 1, 2, 3]]]);
  for (let slot = 0; slot < 5; slot++) expect(held(slot)).toEqual([4, 5, 6, 7, 8, 9]);
  expect(sweep.step(5, 2)).toBe(false);
});

test('a sweep ends despite new items, which the next sweep removes', () => {
  const these = lists(4);
  const { held } = these;
  const { sweep, swept } = sweepOf(these);
  sweep.leave([0], 1);
  for (let item = 1; item < 5; item++) {
    sweep.step(4, 1);
    sweep.leave([item], 1 + item);
  }
  expect(swept).toEqual([[0]]);
  sweep.finish(4);
  expect(swept).toEqual([[0], [1, 2, 3, 4]]);
  for (let slot = 0; slot < 4; slot++) expect(held(slot)).toEqual([5, 6, 7, 8, 9]);
});

test('a sweep skips lists that were built later', () => {
  const { kept, held } = lists(3);
  const sweep = new ListSweep(
    kept,
    (slot) => 10 + slot,
    () => {},
  );
  sweep.leave([0], 9);
  sweep.leave([1], 11);
  sweep.finish(3);
  expect([held(0).length, held(1).length, held(2).length]).toEqual([8, 10, 10]);
});

test('a sweep without lists scans nothing', () => {
  const { sweep, swept } = sweepOf(lists(0));
  sweep.leave([7], 1);
  sweep.finish(0);
  expect(swept).toEqual([[7]]);
});
