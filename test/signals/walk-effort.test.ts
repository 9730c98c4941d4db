import { expect, test } from 'bun:test';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { Walk } from '../../src/signals/walk.ts';
import { Scene, weightsOf } from '../support/scene.ts';

const OPTIONS = { history: 200, half_life_hours: 24 };
const LIKED = 60;
const EACH = 50;

/** A viewer with 60 likes, each shared with three users of its own who like 50 exclusive items. */
function scene(): Scene {
  const made = new Scene();
  for (let liked = 0; liked < LIKED; liked++) {
    for (const friend of ['one', 'two', 'three']) {
      for (let at = 0; at < EACH; at++) made.act(`${friend}-${liked}`, 'like', `only-${liked}-${at}`);
      made.act(`${friend}-${liked}`, 'like', `shared-${liked}`);
    }
    made.act('viewer', 'like', `shared-${liked}`);
  }
  return made;
}

test('a walk with less effort adds fewer neighbours, from all its starting items', () => {
  const { state } = scene();
  const walk = new Walk(state, true);
  const viewer = state.users.names.find('viewer');
  const reached = ([1, 0.5, 0.25] as const).map((effort) => {
    const into = new Accumulator();
    walk.reach(viewer, OPTIONS, into, effort);
    return weightsOf(into);
  });
  expect(reached.map(({ size }) => size)).toEqual([LIKED * 40, LIKED * 20, LIKED * 10]);
  for (const weights of reached) {
    const sources = new Set([...weights.keys()].map((item) => state.items.names.id(item).split('-')[1]));
    expect(sources.size).toBe(LIKED);
  }
});

test('a walk with a missing list gives the same weights as with all lists', () => {
  const { state } = scene();
  const walk = new Walk(state, false);
  const reach = () => {
    const into = new Accumulator();
    walk.reach(state.users.names.find('viewer'), OPTIONS, into);
    return weightsOf(into);
  };
  while (walk.warmUp());
  const { kept } = walk.lists;
  const with_all = reach();
  expect(with_all.size).toBe(LIKED * 40);
  for (const missing of ['shared-0', 'shared-33']) state.invalidated.note(state.items.names.find(missing));
  expect(walk.lists.kept).toBe(kept - 2);
  expect(reach()).toEqual(with_all);
  expect(walk.lists.kept).toBe(kept);
});

test('a first walk without any list reaches as many items as one with all lists', () => {
  const { state } = scene();
  const into = new Accumulator();
  new Walk(state, false).reach(state.users.names.find('viewer'), OPTIONS, into);
  expect(into.size).toBe(LIKED * 40);
});
