import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { EVENT_IDS, fold, RECYCLING, randomChanges, WALLETS } from '../support/random-changes.ts';
import { itemOf, Scene } from '../support/scene.ts';
import { digest } from '../support/state-digest.ts';
import { effectsOfActs } from './suspension-effects.ts';

const RUNS = 60;
const PROBES = { wallets: WALLETS, event_ids: EVENT_IDS };

/** Hours in which much happens to few items, so that the learner is trained while suspensions are pending. */
const LEARNING = randomChanges({ longest: 120, waits: [0, 0.001, 60, 600, 900] });
/** The number of acts to suspend after each change. */
const SLICES = fc.array(fc.nat(2), { minLength: 1, maxLength: 9 });

/** A state in which acts of hidden users are suspended a few at a time, at any moment. */
function foldInSlices(changes: readonly Change[], slices: readonly number[]): State {
  const state = new State();
  for (const [at, change] of changes.entries()) {
    applyChange(state, change);
    state.settle(slices[at % slices.length]);
  }
  while (state.settle(1));
  return state;
}

/** The same history without the acts of users who are hidden at its end. */
function withoutActsOfHidden(changes: readonly Change[]): Change[] {
  const hidden = new Map<number, boolean>();
  for (const change of changes) {
    if (change.kind === 'user') hidden.set(change.user, change.content.hidden ?? false);
  }
  return changes.map((change) => {
    const is_act = change.kind === 'interaction' || change.kind === 'follow';
    if (!is_act || !hidden.get(change.user)) return change;
    const { seq, applied_at } = change;
    return { kind: 'retirement', items: new Uint32Array(), seq, applied_at };
  });
}

for (const [histories, changes] of [
  ['', randomChanges()],
  [' whose ordinals are recycled', randomChanges(RECYCLING)],
  [' that train trends', LEARNING],
] as const) {
  describe(`acts of hidden users in changes${histories}`, () => {
    test('acts of hidden users are suspended and resumed with the same result, in slices or at once', () => {
      check(RUNS, [changes, SLICES], (changes, slices) => {
        const sliced = foldInSlices(changes, slices);
        const whole = fold(changes);
        expect(digest(sliced, PROBES)).toEqual(digest(whole, PROBES));
        expect(sliced.trend.numbers()).toEqual(whole.trend.numbers());
      });
    });

    test('acts of hidden users have no more effect on other users than acts that never happened', () => {
      check(RUNS, [changes, SLICES], (changes, slices) => {
        const state = foldInSlices(changes, slices);
        const twin = fold(withoutActsOfHidden(changes));
        expect(effectsOfActs(state)).toEqual(effectsOfActs(twin));
      });
    });
  });
}

/** The number of users whose like of `x` counts. */
function likes(scene: Scene): number {
  return scene.state.items.likes_count(itemOf(scene, 'x'));
}

/** Without pending suspensions. */
function settled(scene: Scene): Scene {
  while (scene.state.settle(1));
  return scene;
}

describe('a user with many acts', () => {
  const ACTS = 10;

  function active(): Scene {
    const scene = new Scene().item('x');
    for (let act = 0; act < ACTS; act++) {
      scene.now++;
      scene.act('user', 'comment', 'x', scene.now, `comment ${act}`);
    }
    return scene.act('user', 'like', 'x').act('other', 'like', 'x');
  }

  test('the acts of a user are suspended in slices of the requested size', () => {
    const scene = active().user('user', { hidden: true });
    const counts: number[] = [];
    const count = () => counts.push(scene.state.items.comments_count(itemOf(scene, 'x')));
    count();
    for (let more = true; more; count()) more = scene.state.settle(3);
    expect(counts).toEqual([10, 8, 5, 2, 0]);
    expect(likes(scene)).toBe(1);
    expect(scene.state.is_settling).toBe(false);
    expect(scene.state.settle(3)).toBe(false);
  });

  test('users take turns, so that the latest acts of each are suspended first', () => {
    const scene = new Scene().item('x').item('y');
    for (let act = 0; act < 100_000; act++) scene.act('user', 'comment', 'x', scene.now - 100_000 + act);
    const others = Array.from({ length: 50 }, (_, at) => `other ${at}`);
    for (const other of others) scene.act(other, 'like', 'y');
    for (const user of ['user', ...others]) scene.user(user, { hidden: true });
    const counts = () => [
      scene.state.items.comments_count(itemOf(scene, 'x')),
      scene.state.items.likes_count(itemOf(scene, 'y')),
    ];
    expect(counts()).toEqual([100_000, 50]);
    scene.state.settle(200);
    expect(counts()).toEqual([100_000 - 150, 0]);
    const log = scene.state.interactions.by_item;
    expect(log.removed(log.end(itemOf(scene, 'x')) - 1)).toBe(true);
  });

  test('a user may be shown again before all acts were suspended', () => {
    const scene = active().user('user', { hidden: true });
    scene.state.settle(2);
    settled(scene.user('user'));
    expect(scene.state.items.comments_count(itemOf(scene, 'x'))).toBe(ACTS);
    expect(likes(scene)).toBe(2);
  });

  test('a user may be erased before all acts were suspended, and leaves nothing', () => {
    const scene = active().user('user', { hidden: true });
    scene.state.settle(3);
    scene.erase('user');
    expect(scene.state.is_settling).toBe(false);
    expect(scene.state.items.comments_count(itemOf(scene, 'x'))).toBe(0);
    expect(likes(scene)).toBe(1);
    expect(scene.state.interactions.by_item.standing(itemOf(scene, 'x'))).toBe(1);
  });

  test('a user loses no act when others are added or removed before all were suspended', () => {
    const scene = active().user('user', { hidden: true });
    for (const [act, timestamp] of [
      [0, scene.now],
      [1, scene.now],
    ]) {
      scene.state.settle(1);
      scene.unact('user', 'comment', 'x', timestamp, `comment ${act}`);
    }
    settled(scene.act('user', 'share', 'x', 1));
    const { items } = scene.state;
    const x = itemOf(scene, 'x');
    expect([items.likes_count(x), items.comments_count(x), items.shares_count(x)]).toEqual([1, 0, 0]);
    settled(scene.user('user'));
    expect([items.likes_count(x), items.comments_count(x), items.shares_count(x)]).toEqual([2, ACTS - 2, 1]);
  });

  test('aligning an item suspends all its acts of a hidden user at once', () => {
    const scene = active().user('user', { hidden: true });
    scene.state.interactions.suspension.alignItem(itemOf(scene, 'x'));
    expect(scene.state.items.comments_count(itemOf(scene, 'x'))).toBe(0);
    expect(likes(scene)).toBe(1);
  });
});

describe('source counts of hidden users', () => {
  test('source counts stay when users are hidden, while later acts are suspended and resumed', () => {
    const scene = new Scene().item('x');
    scene.act('early', 'like', 'x', scene.now - 10).count('x', 7);
    scene.now += 10;
    scene.act('late', 'like', 'x');
    expect(likes(scene)).toBe(8);
    settled(scene.user('early', { hidden: true }));
    expect(likes(scene)).toBe(8);
    settled(scene.user('late', { hidden: true }));
    expect(likes(scene)).toBe(7);
    settled(scene.user('early').user('late'));
    expect(likes(scene)).toBe(8);
  });

  test('source counts that arrive while a user is hidden are kept when the user is shown again', () => {
    const scene = new Scene().item('x').act('user', 'like', 'x').user('user', { hidden: true });
    scene.now += 10;
    settled(settled(scene.count('x', 3)).user('user'));
    expect(likes(scene)).toBe(3);
    scene.now += 10;
    scene.act('user', 'like', 'x');
    expect(likes(scene)).toBe(4);
  });
});
