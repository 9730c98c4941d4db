import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/clock.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { Walk } from '../../src/signals/walk.ts';
import { EVENT_TYPES, type EventType } from '../../src/state/change.ts';
import type { InteractionLog } from '../../src/state/interaction-log.ts';
import type { State } from '../../src/state/state.ts';
import { NOW, Scene, weightsOf } from '../support/scene.ts';

const STRENGTH: Record<EventType, number> = {
  view: 0.2,
  like: 1,
  comment: 1,
  share: 1,
  bookmark: 1,
  hide: 0,
  report: 0,
};
/** Entries of the last two steps that count at most. */
const CAP = 50;

interface Entry {
  other: number;
  strength: number;
}

/** The latest `limit` entries, those that were taken back with strength 0. */
function latest(log: InteractionLog, subject: number, limit: number): Entry[] {
  const entries: Entry[] = [];
  for (let at = log.start(subject); at < log.end(subject); at++) {
    const strength = log.removed(at) ? 0 : STRENGTH[EVENT_TYPES[log.event_type(at)]];
    entries.push({ other: log.other(at), strength });
  }
  return entries.slice(-limit);
}

/** The three steps in nested loops, in Maps. */
function naive(state: State, viewer: number, history: number): Map<number, number> {
  const { by_user, by_item } = state.interactions;
  const weights = new Map<number, number>();
  for (const start of latest(by_user, viewer, history)) {
    if (start.strength === 0) continue;
    const first = start.strength * by_item.length(start.other) ** -0.5;
    for (const visit of latest(by_item, start.other, CAP)) {
      const second = first * visit.strength * by_user.length(visit.other) ** -0.5;
      for (const { other, strength } of latest(by_user, visit.other, CAP)) {
        if (strength === 0) continue;
        const weight = second * strength * by_item.length(other) ** -0.35;
        weights.set(other, (weights.get(other) ?? 0) + weight);
      }
    }
  }
  return weights;
}

/** Users and items, some much busier than others, with acts of every kind, some of them taken back. */
function crowd(seed: number, users: number, items: number, acts: number): Scene {
  const random = seededRandom(seed);
  const scene = new Scene();
  scene.item('described');
  for (let index = 0; index < acts; index++) {
    const user = `u${Math.floor(random() ** 2 * users)}`;
    const item = `i${Math.floor(random() ** 2 * items)}`;
    const event = EVENT_TYPES[Math.floor(random() * EVENT_TYPES.length)];
    const time = NOW - Math.floor(random() * 1000);
    if (random() < 0.15) scene.unact(user, event, item, time);
    else scene.act(user, event, item, time);
  }
  return scene;
}

function reach(walk: Walk, viewer: number, history: number): Map<number, number> {
  const into = new Accumulator();
  walk.reach(viewer, { history }, into);
  return weightsOf(into);
}

/** Weights are kept in single precision. */
function expectAlike(weights: Map<number, number>, expected: Map<number, number>): void {
  expect([...weights.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [item, weight] of weights) {
    const wanted = expected.get(item)!;
    expect(Math.abs(weight - wanted) / wanted).toBeLessThan(1e-6);
  }
}

describe('the walk', () => {
  test('reaches what the formula says, with caps and acts that were taken back', () => {
    const shape = {
      seed: fc.nat(),
      users: fc.integer({ min: 1, max: 90 }),
      items: fc.integer({ min: 1, max: 60 }),
    };
    fc.assert(
      fc.property(
        fc.record({ ...shape, acts: fc.nat(900), history: fc.integer({ min: 1, max: 60 }) }),
        (drawn) => {
          const { state } = crowd(drawn.seed, drawn.users, drawn.items, drawn.acts);
          const walk = new Walk(state, true);
          for (let viewer = 0; viewer < Math.min(3, state.users.size); viewer++) {
            expectAlike(reach(walk, viewer, drawn.history), naive(state, viewer, drawn.history));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('that never lags follows every change', () => {
    const scene = crowd(1, 10, 10, 60);
    const walk = new Walk(scene.state, true);
    for (let round = 0; round < 30; round++) {
      expectAlike(reach(walk, 0, 20), naive(scene.state, 0, 20));
      scene.act(`u${round % 7}`, 'like', `i${round % 11}`, NOW + round);
    }
  });

  test('that may lag follows the viewer at once and others after the idle work', () => {
    const scene = crowd(2, 10, 10, 60);
    const walk = new Walk(scene.state, false);
    const viewer = scene.state.users.names.find('u0');
    for (let round = 0; round < 4; round++) {
      reach(walk, viewer, 20);
      while (walk.buildQueued());
      expectAlike(reach(walk, viewer, 20), naive(scene.state, viewer, 20));
      for (let user = 1; user < 10; user++) scene.act(`u${user}`, 'like', `i${round}`, NOW + round);
      scene.act(`u${round}`, 'share', 'elsewhere', NOW + round);
      for (const id of [
        'i0',
        'i1',
        'i2',
        'i3',
        'i4',
        'i5',
        'i6',
        'i7',
        'i8',
        'i9',
        'elsewhere',
        'described',
      ]) {
        // Enough new users of each item for its list to be out of date.
        for (let extra = 0; extra < 20; extra++) scene.act(`new ${round} ${extra}`, 'view', id, NOW + round);
      }
    }
  });

  test('reaches a neighbour through the like that was just given, without any list', () => {
    const scene = new Scene().act('other', 'like', 'shared').act('other', 'like', 'wanted');
    const walk = new Walk(scene.state, false);
    scene.act('viewer', 'view', 'unrelated');
    const viewer = scene.state.users.names.find('viewer');
    const wanted = scene.state.items.names.find('wanted');
    expect(reach(walk, viewer, 20).has(wanted)).toBe(false);
    scene.act('viewer', 'like', 'shared');
    expect(reach(walk, viewer, 20).get(wanted)).toBeGreaterThan(0);
  });

  test('keeps the 64 strongest neighbours of an item', () => {
    const scene = new Scene().act('hub', 'like', 'start').act('viewer', 'like', 'start', NOW + 1);
    scene.now = NOW + 100;
    // Items with more users are reached with less weight: item 0 is the strongest.
    for (let index = 0; index < 49; index++) {
      for (let user = 0; user <= index; user++) scene.act(`u${user}`, 'view', `i${index}`, NOW);
      scene.act('hub', 'like', `i${index}`, NOW + 2 + index);
    }
    for (let index = 0; index < 40; index++) {
      scene.act('second', 'view', `more ${index}`, NOW);
    }
    scene.act('second', 'view', 'start', NOW + 60);
    const { state } = scene;
    const viewer = state.users.names.find('viewer');
    const weights = reach(new Walk(state, true), viewer, 20);
    const all = [...naive(state, viewer, 20)].sort(([, one], [, other]) => other - one);
    expect(all.length).toBeGreaterThan(64);
    expect(weights.size).toBe(64);
    const weakest_kept = all[63][1];
    for (const weight of weights.values()) expect(weight).toBeGreaterThan(weakest_kept * 0.999_999);
  });

  test('reaches nothing for a viewer who only hid and reported, or took everything back', () => {
    const scene = new Scene().act('viewer', 'hide', 'one').act('viewer', 'report', 'two');
    scene.act('viewer', 'like', 'three').unact('viewer', 'like', 'three');
    for (const item of ['one', 'two', 'three']) scene.act('other', 'like', item);
    expect(reach(new Walk(scene.state, true), scene.state.users.names.find('viewer'), 20).size).toBe(0);
  });
});
