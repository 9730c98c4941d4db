import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import type { EventType } from '../../src/model/acts.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { LIST_LENGTH } from '../../src/signals/neighbour-lists.ts';
import { Neighbours } from '../../src/signals/neighbours.ts';
import { WalkSteps } from '../../src/signals/walk-steps.ts';
import { itemOf, Scene, weightsOf } from '../support/scene.ts';

const USERS = 30;
const ITEMS = 60;

/** Many users who liked many items. */
function crowd(acts = 600, scene = new Scene()): Scene {
  const random = seededRandom(3 + acts);
  for (let act = 0; act < acts; act++) {
    scene.act(`u${Math.floor(random() * USERS)}`, 'like', `i${Math.floor(random() * ITEMS)}`);
  }
  return scene;
}

function neighboursIn({ state }: Scene, capacity = 100): Neighbours {
  return new Neighbours(state, new WalkSteps(state), capacity);
}

/** Every cached list: the weights of its neighbours. */
function cachedLists({ state }: Scene, neighbours: Neighbours): Map<number, Map<number, number>> {
  const lists = new Map<number, Map<number, number>>();
  for (let item = 0; item < state.items.size; item++) {
    if (!neighbours.has(item)) continue;
    const into = new Accumulator();
    neighbours.lists.add(neighbours.find(item), LIST_LENGTH, 1, into);
    lists.set(item, new Map(weightsOf(into)));
  }
  return lists;
}

/** Every list before its correction. */
function uncorrectedOf(scene: Scene): Neighbours {
  const neighbours = neighboursIn(scene);
  while (neighbours.size < scene.state.items.size) neighbours.warmUp();
  return neighbours;
}

/** The list work of `workAhead` without requests. */
function workAhead(neighbours: Neighbours): void {
  while (neighbours.forgetSome() || neighbours.buildQueued() || neighbours.refresh());
}

describe('overlap correction', () => {
  test('lists are corrected by all lists when pages request them before the warm-up', () => {
    const scene = crowd();
    const neighbours = neighboursIn(scene);
    for (let item = 0; item < 10; item++) neighbours.find(itemOf(scene, `i${item}`));
    workAhead(neighbours);
    const warmed = neighboursIn(scene);
    workAhead(warmed);
    expect(cachedLists(scene, neighbours)).toEqual(cachedLists(scene, warmed));
  });

  test('lists that were requested during a large ingest become those of a new start, without another request', () => {
    const scene = crowd(60);
    const neighbours = neighboursIn(scene);
    workAhead(neighbours);
    crowd(120, scene);
    for (let item = 0; item < 20; item++) neighbours.find(itemOf(scene, `i${item}`));
    workAhead(neighbours);
    crowd(1_200, scene);
    workAhead(neighbours);
    const started = neighboursIn(scene);
    workAhead(started);
    expect(cachedLists(scene, neighbours)).toEqual(cachedLists(scene, started));
  });

  test('lists are corrected by all lists when they are built in slots that were removed meanwhile', () => {
    const scene = crowd();
    const neighbours = neighboursIn(scene, 40);
    while (neighbours.size < 40) neighbours.warmUp();
    for (let steps = 0; steps < 20; steps++) neighbours.warmUp();
    scene.erase('u1');
    neighbours.begin();
    workAhead(neighbours);
    const lists = cachedLists(scene, neighbours);
    expect(lists.size).toBe(40);
    const uncorrected = cachedLists(scene, uncorrectedOf(scene));
    for (const [item, list] of lists) {
      const is_less = (target: number) => list.get(target)! < 0.99 * uncorrected.get(item)!.get(target)!;
      expect([...list.keys()].some(is_less)).toBe(true);
    }
  });
});

test('lists that are built after an erasure contain no trace of the erased user', () => {
  const after = (event: EventType) => {
    const scene = crowd();
    for (let item = 0; item < 6; item++) scene.act('erased', event, `i${item}`);
    const neighbours = uncorrectedOf(scene);
    scene.erase('erased');
    workAhead(neighbours);
    return cachedLists(scene, neighbours);
  };
  expect(after('like')).toEqual(after('view'));
});
