import { expect, test } from 'bun:test';
import { fold } from '../support/random-changes.ts';
import { NOW, Scene } from '../support/scene.ts';

/** Items of one moment in the order of the list. */
function order({ state }: Pick<Scene, 'state'>): string[] {
  const { by_time, items } = state;
  return Array.from({ length: by_time.length(0) }, (_, at) =>
    items.names.id(by_time.item(by_time.start(0) + at)),
  );
}

test('items with equal times keep their order when a version of an erased author is skipped', () => {
  const scene = new Scene().item('x', { author: 'B' }).item('y', { author: 'C' });
  scene.item('x', { author: 'A' }).item('z', { author: 'C' }).item('x', { author: 'B', text: 'again' });
  expect(order(scene.erase('A'))).toEqual(['y', 'z', 'x']);
  // As a purge leaves it: the name is gone, so its versions are unknown.
  const key = scene.changes.find((change) => change.kind === 'name' && change.id === 'A');
  const left = scene.changes.filter((change) => change !== key);
  const again = fold(left);
  expect(order({ state: again })).toEqual(['y', 'z', 'x']);
  expect(again.skipped.size).toBe(0);
  expect(again.items.created_at(0)).toBe(NOW);
});

test('an item restarts after its deletion, even if the next version is skipped', () => {
  const scene = new Scene().item('x', { author: 'B' }).delete('x').item('x', { author: 'A' });
  scene.item('x', { author: 'B', text: 'again' }).erase('A');
  const left = scene.changes.filter((change) => change.kind !== 'name' || change.id !== 'A');
  const again = fold(left);
  expect(again.items.created_at(0)).toBe(NOW);
  expect(again.republished.since(0, 10)).toEqual([0]);
});
