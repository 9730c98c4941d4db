import { describe, expect, test } from 'bun:test';
import { CHANGES_KEPT } from '../../src/columns/change-ring.ts';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/plugin/index.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { LIST_LENGTH } from '../../src/signals/neighbour-lists.ts';
import { Neighbours } from '../../src/signals/neighbours.ts';
import { WalkSteps } from '../../src/signals/walk-steps.ts';
import { applyChange } from '../../src/state/apply.ts';
import { MissedChanges } from '../../src/state/missed-changes.ts';
import type { State } from '../../src/state/state.ts';
import { DAY, itemIds, itemOf, Scene, weightsOf } from '../support/scene.ts';

/** Items `i0` to `i9`, each liked by a user of its own who also liked `of i0` and so on. */
function scene(): Scene {
  const scene = new Scene();
  for (let index = 0; index < 10; index++)
    scene.act(`fan ${index}`, 'like', `i${index}`).act(`fan ${index}`, 'like', `of i${index}`);
  return scene;
}

function neighboursIn(scene: Scene, capacity = 100): Neighbours {
  return new Neighbours(scene.state, new WalkSteps(scene.state), capacity);
}

/** The list of an item, built now if it is missing. */
function listed(scene: Scene, neighbours: Neighbours, id: string): string[] {
  const item = itemOf(scene, id);
  const slot = neighbours.find(item);
  const into = new Accumulator();
  neighbours.lists.add(slot === NONE ? neighbours.temporary(item) : slot, LIST_LENGTH, 1, into);
  return itemIds(scene.state, weightsOf(into).keys()).sort();
}

function buildAll(neighbours: Neighbours): number {
  let built = 0;
  while (neighbours.buildQueued()) built++;
  return built;
}

describe('neighbours', () => {
  test('a missing list is built when it is requested', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    expect([listed(here, neighbours, 'i1'), listed(here, neighbours, 'i0')]).toEqual([['of i1'], ['of i0']]);
    expect([neighbours.size, neighbours.waiting]).toEqual([2, 0]);
  });

  test('lists are outdated after ten minutes or if an eighth of the users changed, and are used until rebuilt', () => {
    const here = scene();
    for (let user = 0; user < 15; user++) here.act(`reader ${user}`, 'view', 'i0');
    const neighbours = neighboursIn(here);
    listed(here, neighbours, 'i0');
    buildAll(neighbours);
    here.act('fan 0', 'like', 'elsewhere').act('new', 'like', 'i0');
    here.now += 600;
    expect(listed(here.user('somebody'), neighbours, 'i0')).toEqual(['of i0']);
    expect(neighbours.waiting).toBe(0);
    here.now += 1;
    expect(listed(here.user('somebody'), neighbours, 'i0')).toEqual(['of i0']);
    expect(buildAll(neighbours)).toBe(1);
    expect(listed(here, neighbours, 'i0')).toEqual(['elsewhere', 'of i0']);
    // 17 users: two changes are less than an eighth, three are more.
    here.act('new', 'share', 'i0').act('new', 'comment', 'i0');
    expect([listed(here, neighbours, 'i0').length, neighbours.waiting]).toEqual([2, 0]);
    here.act('new', 'like', 'late').act('other', 'like', 'i0');
    expect([listed(here, neighbours, 'i0').length, neighbours.waiting]).toEqual([2, 1]);
    buildAll(neighbours);
    expect(listed(here, neighbours, 'i0')).toEqual(['elsewhere', 'late', 'of i0']);
  });

  test('exact lists are rebuilt after every change', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    const slot = neighbours.findExact(itemOf(here, 'i0'));
    expect(listed(here, neighbours, 'i0')).toEqual(['of i0']);
    here.act('fan 0', 'like', 'elsewhere');
    expect(neighbours.findExact(itemOf(here, 'i0'))).toBe(slot);
    expect(listed(here, neighbours, 'i0')).toEqual(['elsewhere', 'of i0']);
  });

  test('lists beyond the capacity evict those that were not requested since', () => {
    const here = scene();
    const neighbours = neighboursIn(here, 3);
    const ask = (...ids: string[]) => ids.map((id) => listed(here, neighbours, id)[0]);
    const kept = (...ids: string[]) => ids.map((id) => neighbours.has(itemOf(here, id)));
    ask('i0', 'i1', 'i2');
    // A first round clears all marks. From then on the hand finds lists without mark.
    for (let times = 0; times < 8; times++) ask('i3');
    buildAll(neighbours);
    expect(ask('i3', 'i2')).toEqual(['of i3', 'of i2']);
    for (let times = 0; times < 8; times++) ask('i4');
    buildAll(neighbours);
    expect(ask('i4', 'i3', 'i2')).toEqual(['of i4', 'of i3', 'of i2']);
    expect(kept('i4', 'i3', 'i2', 'i0', 'i1')).toEqual([true, true, true, false, false]);
  });

  test('lists beyond the capacity are right, and evict others only after eight requests', () => {
    const here = scene();
    const neighbours = neighboursIn(here, 1);
    listed(here, neighbours, 'i0');
    for (let times = 0; times < 7; times++) expect(listed(here, neighbours, 'i1')).toEqual(['of i1']);
    expect([neighbours.waiting, buildAll(neighbours)]).toEqual([0, 0]);
    listed(here, neighbours, 'i1');
    expect([neighbours.waiting, buildAll(neighbours), neighbours.has(itemOf(here, 'i1'))]).toEqual([
      1,
      1,
      true,
    ]);
  });

  test('the queue of lists is never longer than the capacity', () => {
    const here = scene();
    const neighbours = neighboursIn(here, 3);
    for (let index = 0; index < 10; index++)
      for (let times = 0; times < 8; times++) listed(here, neighbours, `i${index}`);
    expect([neighbours.waiting, buildAll(neighbours)]).toEqual([3, 3]);
  });

  test("exactly the lists of an erased user's items are removed", () => {
    const here = scene().act('fan 1', 'like', 'i0');
    const neighbours = neighboursIn(here);
    for (const id of ['i0', 'i1', 'i5']) listed(here, neighbours, id);
    buildAll(neighbours);
    expect(listed(here, neighbours, 'i0')).toEqual(['i1', 'of i0', 'of i1']);
    here.erase('fan 1');
    expect(['i0', 'i1', 'i5'].map((id) => neighbours.has(itemOf(here, id)))).toEqual([false, false, true]);
    expect(listed(here, neighbours, 'i0')).toEqual(['of i0']);
  });

  test('lists of other items are kept when a very active user is erased or hidden', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    listed(here, neighbours, 'i5');
    buildAll(neighbours);
    for (let item = 0; item <= CHANGES_KEPT; item++) here.act('busy', 'view', `v${item}`);
    here.user('busy', { hidden: true });
    while (here.state.settle(1000));
    here.erase('busy');
    expect(listed(here, neighbours, 'i5')).toEqual(['of i5']);
  });

  test("exactly the lists of a user's items are removed when that user is hidden or shown again", () => {
    const here = scene().act('fan 1', 'like', 'i0');
    const neighbours = neighboursIn(here);
    const ids = ['i0', 'i1', 'i5'];
    const all = () => ids.map((id) => listed(here, neighbours, id));
    const kept = () => ids.map((id) => neighbours.has(itemOf(here, id)));
    const [of_i0, of_i1, of_i5] = all();
    expect(of_i0).toEqual(['i1', 'of i0', 'of i1']);
    here.user('fan 1', { hidden: true }).state.settle(10);
    expect(kept()).toEqual([false, false, true]);
    expect(listed(here, neighbours, 'i0')).toEqual(['of i0']);
    here.user('fan 1').state.settle(10);
    expect(kept()).toEqual([false, false, true]);
    expect(all()).toEqual([of_i0, of_i1, of_i5]);
  });

  test.each(['deleted and posted again', 'deleted and posted again under full load', 'removed'])(
    'lists lead neither to nor from an item whose acts were %s',
    (how) => {
      const here = new Scene().item('x', { author: 'a' }).item('y', { author: 'b' });
      for (let user = 0; user < 50; user++)
        here.act(`u${user}`, 'like', 'x').act(`u${user}`, 'like', 'y').act(`u${user}`, 'like', 'z');
      const neighbours = neighboursIn(here);
      for (const id of ['x', 'y']) listed(here, neighbours, id);
      buildAll(neighbours);
      expect(listed(here, neighbours, 'x')).toEqual(['y', 'z']);
      if (how === 'removed') {
        for (let user = 0; user < 50; user++) here.unact(`u${user}`, 'like', 'x');
        listed(here, neighbours, 'x');
        buildAll(neighbours);
      } else {
        here.delete('x').item('x', { author: 'c' });
        neighbours.begin();
        while (how === 'deleted and posted again' && neighbours.forgetSome());
        expect(listed(here, neighbours, 'y')).toEqual(['z']);
      }
      here.act('viewer', 'like', 'x');
      expect(listed(here, neighbours, 'x')).toEqual([]);
    },
  );

  test('all lists are removed if more items were posted again than the ring holds', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    listed(here, neighbours, 'i0');
    buildAll(neighbours);
    for (let time = 0; time <= CHANGES_KEPT; time++) here.delete('i1').item('i1');
    neighbours.begin();
    expect(neighbours.size).toBe(0);
  });

  test('the warm-up builds lists of items with many users first, until the cache is full', () => {
    const here = scene();
    for (let user = 0; user < 9; user++)
      here.act(`reader ${user}`, 'view', 'i7').act(`reader ${user}`, 'view', 'i3');
    const neighbours = neighboursIn(here, 4);
    const kept = () => ['i7', 'i3', 'i0'].map((id) => neighbours.has(itemOf(here, id)));
    expect([neighbours.warmUp(), kept()]).toEqual([true, [false, true, false]]);
    expect([neighbours.warmUp(), kept()]).toEqual([true, [true, true, false]]);
    expect([neighbours.warmUp(), kept()]).toEqual([true, [true, true, true]]);
    expect([neighbours.warmUp(), neighbours.size]).toEqual([true, 4]);
    // Each list is corrected.
    for (let left = 4; left > 0; left--) expect(neighbours.warmUp()).toBe(true);
    expect([neighbours.warmUp(), neighbours.size, neighbours.waiting]).toEqual([false, 4, 0]);
  });

  test('the warm-up builds one list for every item with acts', () => {
    const here = scene().item('untouched');
    const neighbours = neighboursIn(here);
    let steps = 0;
    while (neighbours.warmUp()) steps++;
    // Each list is built, and corrected once all exist.
    expect([steps, neighbours.size, neighbours.warmUp()]).toEqual([40, 20, false]);
  });

  test('lists drop removed items before their ordinals are reused, and keep all others', () => {
    for (const between_walks of [true, false]) {
      const here = scene().act('fan 0', 'like', 'i9').act('fan 0', 'like', 'i1');
      const neighbours = neighboursIn(here);
      for (const id of ['i0', 'i9', 'i5']) listed(here, neighbours, id);
      buildAll(neighbours);
      expect(listed(here, neighbours, 'i0')).toEqual(['i1', 'i9', 'of i0']);
      const [gone, also_gone] = [itemOf(here, 'i9'), itemOf(here, 'of i0')];
      here.retire('i9', 'of i0').recycle();
      while (between_walks && neighbours.forgetSome());
      here.item('another').item('a third');
      expect([itemOf(here, 'another'), itemOf(here, 'a third')].sort()).toEqual([gone, also_gone].sort());
      neighbours.begin();
      expect(neighbours.forgetSome()).toBe(false);
      // Outdated lists are still used. An item with a reused ordinal has no list.
      expect(listed(here, neighbours, 'i0')).toEqual(['i1']);
      expect(listed(here, neighbours, 'i5')).toEqual(['of i5']);
      for (const id of ['another', 'a third']) expect(neighbours.has(itemOf(here, id))).toBe(false);
    }
  });

  test('lists that the warm-up built are not treated as those of a user erased before', () => {
    const here = scene();
    for (let view = 0; view <= CHANGES_KEPT; view++) here.act('gone', 'view', `viewed ${view}`);
    here.erase('gone').delete('i1').item('i1');
    const neighbours = neighboursIn(here);
    while (neighbours.warmUp());
    const { size } = neighbours;
    neighbours.begin();
    expect([size > 10, neighbours.size]).toEqual([true, size]);
  });

  test('lists are built in the slots of removed lists', () => {
    const here = scene();
    const neighbours = neighboursIn(here, 3);
    for (const id of ['i0', 'i1', 'i2']) listed(here, neighbours, id);
    buildAll(neighbours);
    const slots = ['i0', 'i1', 'i2'].map((id) => neighbours.find(itemOf(here, id)));
    here.retire('i1').recycle();
    neighbours.begin();
    listed(here, neighbours, 'i7');
    buildAll(neighbours);
    expect(neighbours.find(itemOf(here, 'i7'))).toBe(slots[1]);
    expect([listed(here, neighbours, 'i7'), listed(here, neighbours, 'i0')]).toEqual([['of i7'], ['of i0']]);
  });

  test('lists of removed items leave the queue', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    for (const id of ['i0', 'i1']) listed(here, neighbours, id);
    here.now += 100 * DAY;
    here.user('somebody');
    for (const id of ['i0', 'i1']) listed(here, neighbours, id);
    expect(neighbours.waiting).toBe(2);
    here.retire('i0').recycle();
    neighbours.begin();
    expect([neighbours.waiting, buildAll(neighbours)]).toEqual([1, 1]);
  });
});

describe('packed neighbour lists', () => {
  const NOTHING_MISSED = (state: State) => {
    const missed = new MissedChanges(state);
    missed.end();
    return missed;
  };

  /** Whether a change names or describes the item with this key. */
  function isAbout(change: Change, key: number): boolean {
    if (change.kind === 'name') return change.space === 'item' && change.key === key;
    return change.kind === 'item' && change.item === key;
  }

  /** All lists with their weights, packed in pieces of this many words. */
  function packed(neighbours: Neighbours, words = 1_000): Int32Array[] {
    const pieces: Int32Array[] = [];
    for (let from = 0; ; ) {
      const buffer = new Int32Array(words);
      const { next, used } = neighbours.pack(from, buffer);
      if (used === 0) return pieces;
      pieces.push(buffer.slice(0, used));
      from = next;
    }
  }

  function weights(scene: Scene, neighbours: Neighbours, id: string): [string, number][] {
    const into = new Accumulator();
    neighbours.lists.add(neighbours.find(itemOf(scene, id)), LIST_LENGTH, 1, into);
    return [...weightsOf(into)].map(([item, weight]) => [scene.state.items.names.id(item), weight]);
  }

  function unpacked(scene: Scene, pieces: readonly Int32Array[], missed: MissedChanges): Neighbours {
    const neighbours = neighboursIn(scene);
    for (const piece of pieces) neighbours.unpack(piece, missed);
    return neighbours;
  }

  test('packed lists are the same in a process with other ordinals', () => {
    const here = scene().act('fan 1', 'like', 'i0').item('gone').item('stays');
    const key = here.state.items.names.key(itemOf(here, 'gone'));
    here.retire('gone').recycle();
    here.act('fan 2', 'like', 'in its place').act('fan 3', 'like', 'in its place');
    const neighbours = neighboursIn(here);
    while (neighbours.warmUp());
    const there = new Scene();
    for (const change of here.changes) if (!isAbout(change, key)) applyChange(there.state, change);
    expect(itemOf(there, 'in its place')).not.toBe(itemOf(here, 'in its place'));
    const read = unpacked(there, packed(neighbours), NOTHING_MISSED(there.state));
    expect(read.size).toBe(neighbours.size);
    for (const id of ['i0', 'i1', 'i3', 'of i3', 'in its place']) {
      expect(read.has(itemOf(there, id))).toBe(true);
      expect(weights(there, read, id)).toEqual(weights(here, neighbours, id));
    }
    // The shares were packed too, so a list that is built now is corrected in the same way.
    for (const { state } of [here, there]) state.invalidated.note(state.items.names.find('i0'));
    expect([neighbours.has(itemOf(here, 'i0')), read.has(itemOf(there, 'i0'))]).toEqual([false, false]);
    expect(weights(there, read, 'i0')).toEqual(weights(here, neighbours, 'i0'));
  });

  test('packed lists stay valid for as long as they were', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    listed(here, neighbours, 'i0');
    const pieces = packed(neighbours);
    here.now += 600;
    here.user('somebody');
    const read = unpacked(here, pieces, NOTHING_MISSED(here.state));
    expect([listed(here, read, 'i0'), read.waiting]).toEqual([['of i0'], 0]);
    here.now += 1;
    here.user('somebody');
    expect([listed(here, read, 'i0'), read.waiting]).toEqual([['of i0'], 1]);
    const later = unpacked(here, pieces, NOTHING_MISSED(here.state));
    expect([listed(here, later, 'i0'), later.waiting]).toEqual([['of i0'], 1]);
  });

  test('lists are not unpacked beyond the capacity', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    while (neighbours.warmUp());
    const read = neighboursIn(here, 3);
    for (const piece of packed(neighbours)) read.unpack(piece, NOTHING_MISSED(here.state));
    expect([neighbours.size, read.size]).toEqual([20, 3]);
    read.clear();
    expect(read.size).toBe(0);
  });

  test('no list is unpacked if more items were posted again than is known', () => {
    const here = scene();
    const neighbours = neighboursIn(here);
    while (neighbours.warmUp());
    const pieces = packed(neighbours);
    const missed = new MissedChanges(here.state);
    for (let time = 0; time <= CHANGES_KEPT; time++) here.delete('i1').item('i1');
    missed.end();
    expect(unpacked(here, pieces, missed).size).toBe(0);
  });

  test('removed items are neither packed nor unpacked', () => {
    const here = scene().act('fan 0', 'like', 'i9').act('fan 0', 'like', 'i1');
    const neighbours = neighboursIn(here);
    listed(here, neighbours, 'i0');
    const before = packed(neighbours);
    here.retire('i9');
    const after = packed(neighbours);
    for (const pieces of [before, after])
      expect(listed(here, unpacked(here, pieces, NOTHING_MISSED(here.state)), 'i0')).toEqual(['i1', 'of i0']);
  });
});
