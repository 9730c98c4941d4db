import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/clock.ts';
import { EVENT_TYPES } from '../../src/model/acts.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { Walk } from '../../src/signals/walk.ts';
import { check } from '../support/long.ts';
import { DAY, HOUR, itemOf, NOW, Scene, weightsOf } from '../support/scene.ts';
import {
  ADDITIONS,
  knowsEnds,
  LIST_LENGTH,
  type NaiveOptions,
  naiveNeighbours,
  naiveStarts,
  naiveSums,
  naiveWalk,
} from './walk-reference.ts';

const OPTIONS = { history: 60, half_life_hours: 24 };

/**
 * Users and items with acts of every type, some of them removed. Some users and items are much busier.
 * @param seconds the period of the acts
 */
function crowd(seed: number, users: number, items: number, acts: number, seconds: number): Scene {
  const random = seededRandom(seed);
  const scene = new Scene();
  scene.item('described');
  for (let index = 0; index < acts; index++) {
    const user = `u${Math.floor(random() ** 2 * users)}`;
    const item = `i${Math.floor(random() ** 2 * items)}`;
    const event = EVENT_TYPES[Math.floor(random() * EVENT_TYPES.length)];
    const time = NOW - Math.floor(random() * seconds);
    if (random() < 0.15) scene.unact(user, event, item, time);
    else scene.act(user, event, item, time);
  }
  return scene;
}

const CROWDS = fc.record({
  seed: fc.nat(),
  users: fc.integer({ min: 1, max: 90 }),
  items: fc.integer({ min: 1, max: 60 }),
  acts: fc.nat(900),
  seconds: fc.constantFrom(1, 10, 5000, 30 * DAY),
});
const WALK_OPTIONS: fc.Arbitrary<NaiveOptions> = fc.record(
  {
    history: fc.integer({ min: 1, max: 60 }),
    half_life_hours: fc.constantFrom(0.01, 4, 24),
    within_hours: fc.constantFrom(0.1, 36),
  },
  { requiredKeys: ['history', 'half_life_hours'], noNullPrototype: true },
);

function reach(walk: Walk, viewer: number, options: NaiveOptions = OPTIONS): Map<number, number> {
  const into = new Accumulator();
  walk.reach(viewer, options, into);
  return weightsOf(into);
}

function userOf(scene: Scene, id: string): number {
  return scene.state.users.names.find(id);
}

/** Weights have single precision, and the correction may leave little of a sum. */
function expectAlike(
  weights: Map<number, number>,
  expected: Map<number, number>,
  sums: Map<number, number>,
): void {
  expect([...weights.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [item, weight] of weights) {
    expect(Math.abs(weight - expected.get(item)!)).toBeLessThan(1e-6 * sums.get(item)!);
  }
}

function expectNaive(scene: Scene, walk: Walk, viewer: number, options: NaiveOptions = OPTIONS): void {
  const starts = naiveStarts(scene.state, viewer, options);
  const sums = naiveSums(scene.state, starts, naiveNeighbours);
  expectAlike(reach(walk, viewer, options), naiveWalk(scene.state, viewer, options), sums);
}

describe('the walk', () => {
  test('the walk equals its formula with acts of all times and removed acts', () => {
    check(15, [CROWDS, WALK_OPTIONS], ({ seed, users, items, acts, seconds }, options) => {
      const scene = crowd(seed, users, items, acts, seconds);
      const walk = new Walk(scene.state, true);
      for (let viewer = 0; viewer < Math.min(3, scene.state.users.size); viewer++) {
        if (!knowsEnds(scene.state, naiveStarts(scene.state, viewer, options))) continue;
        expectNaive(scene, walk, viewer, options);
      }
    });
  });

  test('the walk loses no reached item and makes no weight negative', () => {
    check(10, [CROWDS], ({ seed, users, items, acts, seconds }) => {
      const { state } = crowd(seed, users, items, acts, seconds);
      const starts = naiveStarts(state, 0, OPTIONS);
      const weights = reach(new Walk(state, true), 0);
      for (const [item, sum] of naiveSums(state, starts, naiveNeighbours)) {
        if (starts.has(item)) expect(weights.has(item)).toBe(false);
        else expect(weights.get(item)).toBeGreaterThan(sum * 0.999e-4);
      }
    });
  });

  test('the walk ignores time if all acts have the same time', () => {
    const scenes = [crowd(4, 20, 25, 200, 1), crowd(4, 20, 25, 200, 1)];
    // All acts are a year old, or current.
    for (const [index, scene] of scenes.entries()) {
      scene.now = NOW + index * 365 * DAY;
      scene.user('somebody');
    }
    const [fresh, old] = scenes.map(({ state }) => reach(new Walk(state, true), 0));
    expect([...old.keys()]).toEqual([...fresh.keys()]);
    const faded = 1 / (1 + (365 * 24) / 72);
    for (const [item, weight] of fresh) {
      expect(old.get(item)! / weight / faded ** 1.125).toBeCloseTo(1, 5);
    }
  });

  test('the walk prefers later acts to earlier ones', () => {
    const scene = new Scene();
    for (const fan of ['one', 'two']) {
      scene
        .act(fan, 'like', 'before', NOW - 20)
        .act(fan, 'like', 'start', NOW - 10)
        .act(fan, 'like', 'after');
    }
    scene.act('viewer', 'like', 'start');
    const weights = reach(new Walk(scene.state, true), userOf(scene, 'viewer'));
    expect(weights.get(itemOf(scene, 'after'))).toBeGreaterThan(10 * weights.get(itemOf(scene, 'before'))!);
  });

  test('the walk starts from the later acts, and from none too long before the latest', () => {
    const scene = new Scene();
    for (const taste of ['new', 'old'])
      scene.act(`${taste} fan`, 'like', taste).act(`${taste} fan`, 'like', `${taste} end`);
    scene.act('viewer', 'like', 'old', NOW - 5 * HOUR).act('viewer', 'like', 'new');
    const walk = new Walk(scene.state, true);
    const ends = (options: NaiveOptions) =>
      ['new end', 'old end'].map(
        (id) => reach(walk, userOf(scene, 'viewer'), options).get(itemOf(scene, id)) ?? 0,
      );
    const [newer, older] = ends({ history: 10, half_life_hours: 5 });
    // One act came later, and one half-life has passed.
    expect(older / newer).toBeCloseTo(1 / (Math.SQRT2 * 2), 6);
    expect(ends({ history: 10, half_life_hours: 5, within_hours: 4 })[1]).toBe(0);
    expect(ends({ history: 1, half_life_hours: 5 })[1]).toBe(0);
  });

  test('the walk lowers neighbours that are only similar to stronger ones', () => {
    const scene = new Scene().act('viewer', 'like', 'start');
    // Two fans share three items. A third fan has an exclusive item, which is similar to no other reached
    // item.
    for (const fan of ['one', 'two']) {
      for (const item of ['start', 'hit', 'like the hit', 'also like it']) scene.act(fan, 'like', item);
    }
    scene.act('three', 'like', 'start').act('three', 'like', 'apart');
    const viewer = userOf(scene, 'viewer');
    const sums = naiveSums(scene.state, naiveStarts(scene.state, viewer, OPTIONS), naiveNeighbours);
    const weights = reach(new Walk(scene.state, true), viewer);
    const left = (id: string) => weights.get(itemOf(scene, id))! / sums.get(itemOf(scene, id))!;
    expect(left('apart')).toBeCloseTo(1, 6);
    expect(left('like the hit')).toBeLessThan(0.7);
  });

  test('the walk adds the same number of neighbours for any length of the history', () => {
    const reached = (starts: number) => {
      const scene = new Scene();
      for (let start = 0; start < starts; start++) {
        for (let index = 0; index < 150; index++)
          scene.act(`fan ${start}`, 'like', `end ${start} ${index % 99}`);
        scene.act(`fan ${start}`, 'like', `start ${start}`, NOW + 1).act('viewer', 'like', `start ${start}`);
      }
      const walk = new Walk(scene.state, true);
      return reach(walk, userOf(scene, 'viewer'), { history: 500, half_life_hours: 24 }).size;
    };
    expect([reached(1), reached(100)]).toEqual([99, ADDITIONS]);
  });

  test('the walk keeps the 128 strongest neighbours of an item', () => {
    const scene = new Scene();
    for (let index = 0; index < 200; index++) {
      scene.act(`fan ${index % 3}`, 'like', `i${index}`);
      for (let user = 0; user < index % 50; user++) scene.act(`u${user}`, 'view', `i${index}`, NOW - HOUR);
    }
    for (const fan of [0, 1, 2]) scene.act(`fan ${fan}`, 'like', 'start');
    scene.act('viewer', 'like', 'start');
    const viewer = userOf(scene, 'viewer');
    expect(reach(new Walk(scene.state, true), viewer).size).toBe(LIST_LENGTH);
    expectNaive(scene, new Walk(scene.state, true), viewer);
  });

  test('the exact walk equals a new one after every change', () => {
    const scene = crowd(1, 10, 10, 60, 1000);
    const walk = new Walk(scene.state, true);
    for (let round = 0; round < 40; round++) {
      expect(reach(walk, 0)).toEqual(reach(new Walk(scene.state, true), 0));
      scene.now += round % 3 === 0 ? 1000 : 0;
      if (round % 10 === 9) scene.erase(`u${round % 7}`);
      else scene.act(`u${round % 7}`, 'like', `i${round % 11}`);
    }
  });

  test('the walk with lag follows the viewer at once, and others after the idle work', () => {
    const scene = crowd(2, 10, 10, 60, 1000);
    const walk = new Walk(scene.state, false);
    const viewer = userOf(scene, 'u0');
    while (walk.warmUp());
    expectNaive(scene, walk, viewer);
    for (let round = 0; round < 4; round++) {
      reach(walk, viewer);
      while (walk.buildQueued());
      const starts = naiveStarts(scene.state, viewer, OPTIONS);
      const sums = naiveSums(scene.state, starts, naiveNeighbours);
      const weights = reach(walk, viewer);
      for (const item of starts.keys()) sums.delete(item);
      expect([...weights.keys()].sort()).toEqual([...sums.keys()].sort());
      // The lists of items where no walk starts may have any age, and so may the corrections.
      for (const [item, weight] of weights) expect(weight).toBeLessThan(1.000001 * sums.get(item)!);
      // Time passes, and every list is outdated.
      scene.now += 2000;
      for (let user = 1; user < 10; user++) scene.act(`u${user}`, 'like', `i${round}`);
      scene.act(`u${round}`, 'share', 'elsewhere');
    }
  });

  test('the walk is corrected at once by existing lists, and by all lists after the warm-up', () => {
    const scene = crowd(2, 10, 10, 60, 1000);
    const walk = new Walk(scene.state, false);
    const viewer = userOf(scene, 'u0');
    const raw = naiveSums(scene.state, naiveStarts(scene.state, viewer, OPTIONS), naiveNeighbours);
    walk.warmUp();
    reach(walk, viewer);
    while (walk.buildQueued());
    const early = reach(walk, viewer);
    expect([...early].some(([item, weight]) => weight < 0.9 * raw.get(item)!)).toBe(true);
    while (walk.warmUp());
    expectNaive(scene, walk, viewer);
  });

  test('the walk reaches a neighbour through a new like without any list', () => {
    const scene = new Scene().act('other', 'like', 'shared').act('other', 'like', 'wanted');
    const walk = new Walk(scene.state, false);
    scene.act('viewer', 'view', 'unrelated');
    const wanted = itemOf(scene, 'wanted');
    expect(reach(walk, userOf(scene, 'viewer')).has(wanted)).toBe(false);
    scene.act('viewer', 'like', 'shared');
    expect(reach(walk, userOf(scene, 'viewer')).get(wanted)).toBeGreaterThan(0);
  });

  test('the walk reaches nothing for a viewer who only hid, reported or removed acts', () => {
    const scene = new Scene().act('viewer', 'hide', 'one').act('viewer', 'report', 'two');
    scene.act('viewer', 'like', 'three').unact('viewer', 'like', 'three');
    for (const item of ['one', 'two', 'three']) scene.act('other', 'like', item);
    expect(reach(new Walk(scene.state, true), userOf(scene, 'viewer')).size).toBe(0);
  });
});
