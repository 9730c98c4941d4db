import { expect, test } from 'bun:test';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { LIST_LENGTH } from '../../src/signals/neighbour-lists.ts';
import { Neighbours } from '../../src/signals/neighbours.ts';
import { WalkSteps } from '../../src/signals/walk-steps.ts';
import { DAY, itemIds, itemOf, Scene, weightsOf } from '../support/scene.ts';

/** Items `i0` to `i9`, each liked by a user of its own who also liked `of i0` and so on. */
function scene(): Scene {
  const scene = new Scene();
  for (let index = 0; index < 10; index++)
    scene.act(`fan ${index}`, 'like', `i${index}`).act(`fan ${index}`, 'like', `of i${index}`);
  return scene;
}

function warmed(scene: Scene): Neighbours {
  const neighbours = new Neighbours(scene.state, new WalkSteps(scene.state), 100);
  while (neighbours.warmUp());
  return neighbours;
}

function listed(scene: Scene, neighbours: Neighbours, id: string): string[] {
  const into = new Accumulator();
  neighbours.lists.add(neighbours.find(itemOf(scene, id)), LIST_LENGTH, 1, into);
  return itemIds(scene.state, weightsOf(into).keys()).sort();
}

test('missing and outdated lists are rebuilt without requests, those of items with many users first', () => {
  const here = scene();
  const neighbours = warmed(here);
  for (let user = 0; user < 9; user++) here.act(`reader ${user}`, 'view', 'i7');
  here.act('reader 0', 'like', 'new').act('fan 3', 'like', 'i4');
  expect([neighbours.refresh(), neighbours.has(itemOf(here, 'new'))]).toEqual([true, false]);
  const i7 = listed(here, neighbours, 'i7');
  expect([i7, neighbours.waiting]).toEqual([['new', 'of i7'], 0]);
  while (neighbours.refresh());
  expect(neighbours.has(itemOf(here, 'new'))).toBe(true);
  expect([listed(here, neighbours, 'i4'), neighbours.waiting]).toEqual([['i3', 'of i3', 'of i4'], 0]);
});

test('no list is rebuilt without requests after few changes, or without changes', () => {
  const here = scene();
  for (let act = 0; act < 200; act++) here.act(`reader ${act}`, 'view', `i${act % 10}`);
  const neighbours = warmed(here);
  // 230 acts and items: a 64th are 3.
  here.act('fan 1', 'like', 'of i2').act('fan 1', 'like', 'of i3').act('fan 1', 'like', 'of i4');
  expect(neighbours.refresh()).toBe(false);
  here.act('fan 1', 'like', 'of i5');
  expect(neighbours.refresh()).toBe(true);
  while (neighbours.refresh());
  here.now += 100 * DAY;
  here.user('somebody');
  expect(neighbours.refresh()).toBe(false);
});

test('lists are rebuilt when an eighth of all interactions changed, even without other users of their items', () => {
  const here = scene();
  const neighbours = warmed(here);
  here.act('fan 0', 'like', 'elsewhere').act('fan 0', 'like', 'i9');
  while (neighbours.refresh());
  expect(listed(here, neighbours, 'i0')).toEqual(['of i0']);
  here.act('fan 0', 'like', 'late');
  while (neighbours.refresh());
  expect(listed(here, neighbours, 'i0')).toEqual(['elsewhere', 'i9', 'late', 'of i0']);
});
