import { describe, expect, test } from 'bun:test';
import { closenessTo } from '../../src/signals/closeness.ts';
import { SignificantActs } from '../../src/signals/significant-acts.ts';
import type { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { fold, randomChanges } from '../support/random-changes.ts';
import { NOW, Scene } from '../support/scene.ts';
import { naiveSignificantActs } from './significant-reference.ts';

/** The definition in plain loops, for histories shorter than the limits. */
function naive(state: State, viewer: number, user: number): number {
  const { by_user, by_item } = state.interactions;
  let common = 0.2;
  const items_seen = new Set<number>();
  for (const { item } of naiveSignificantActs(state, viewer, 50)) {
    if (state.items.author(item) === user) common += 2;
    items_seen.add(item);
  }
  for (const item of items_seen) {
    const entries = Array.from({ length: by_item.length(item) }, (_, at) => by_item.start(item) + at);
    if (entries.some((at) => by_item.other(at) === user && !by_item.removed(at))) common += 1;
  }
  return (common / Math.sqrt(by_user.length(user) + 1)) * (state.follows.follows(user, viewer) ? 1.5 : 1);
}

function close(scene: Scene, ...users: string[]): number[] {
  const { names } = scene.state.users;
  const closeness = closenessTo(scene.state, names.find('viewer'), SignificantActs.ofUsers(scene.state));
  return users.map((user) => closeness(names.find(user)));
}

describe('closeness', () => {
  test('closeness equals its definition, for every pair of users', () => {
    check(100, [randomChanges({ longest: 49 })], (changes) => {
      const state = fold(changes);
      const acts = SignificantActs.ofUsers(state);
      for (let viewer = 0; viewer < state.users.size; viewer++) {
        const closeness = closenessTo(state, viewer, acts);
        for (let user = 0; user < state.users.size; user++) {
          expect(closeness(user)).toBeCloseTo(naive(state, viewer, user), 12);
        }
      }
    });
  });

  test('closeness grows with common items, acts on own items, and following back', () => {
    const scene = new Scene().item('hers', { author: 'author' });
    for (const item of ['hers', 'x', 'y']) scene.act('viewer', 'like', item);
    scene
      .act('twice', 'like', 'x')
      .act('twice', 'like', 'y')
      .act('once', 'like', 'x')
      .act('once', 'like', 'apart');
    scene.act('apart', 'like', 'apart').act('apart', 'like', 'far').follow('fan', 'viewer').user('stranger');
    const [author, twice, once, apart] = close(scene, 'author', 'twice', 'once', 'apart');
    expect([author, twice, once, apart]).toEqual(
      [2.2, 2.2, 1.2, 0.2].map((common, index) => common / Math.sqrt(index === 0 ? 1 : 3)),
    );
    const [fan, stranger] = close(scene, 'fan', 'stranger');
    expect(fan).toBeCloseTo(1.5 * stranger, 12);
    expect(stranger).toBeGreaterThan(0);
  });

  test('closeness counts a common item once, however often both users acted on it', () => {
    const scene = new Scene();
    for (let time = 0; time < 10; time++) {
      scene
        .act('viewer', 'comment', 'quarrel', NOW - time)
        .act('one', 'comment', 'quarrel', NOW - time - 0.5);
      scene.act('viewer', 'like', `i${time}`).act('ten', 'like', `i${time}`);
    }
    const [one, ten] = close(scene, 'one', 'ten');
    expect([one, ten]).toEqual([1.2 / Math.sqrt(11), 10.2 / Math.sqrt(11)]);
  });

  test('closeness to users who do everything is small, and ignores removed acts', () => {
    const scene = new Scene().act('viewer', 'like', 'x').act('busy', 'like', 'x').act('calm', 'like', 'x');
    for (let index = 0; index < 99; index++) scene.act('busy', 'like', `i${index}`);
    const [busy, calm] = close(scene, 'busy', 'calm');
    expect(calm / busy).toBeCloseTo(Math.sqrt(101 / 2), 9);
    expect(close(scene.unact('viewer', 'like', 'x', NOW + 1), 'calm')[0]).toBeCloseTo(0.2 / Math.SQRT2, 9);
  });

  test('closeness does not grow by hides and reports of the viewer', () => {
    const scene = new Scene().item('one', { author: 'author' }).item('two', { author: 'author' });
    scene.act('viewer', 'hide', 'one').act('viewer', 'report', 'two').user('stranger');
    const [author, stranger] = close(scene, 'author', 'stranger');
    expect(author).toBe(stranger);
  });

  test('closeness does not grow by items that the viewer liked and hid, and remains after many views', () => {
    const scene = new Scene().item('bad', { author: 'troll' }).item('good', { author: 'author' });
    scene
      .act('viewer', 'like', 'bad', NOW - 9)
      .act('viewer', 'hide', 'bad', NOW - 8)
      .user('stranger');
    scene.act('viewer', 'like', 'good', NOW - 7);
    for (let index = 0; index < 90; index++) scene.act('viewer', 'view', `i${index}`);
    const [troll, author, stranger] = close(scene, 'troll', 'author', 'stranger');
    expect(troll).toBe(stranger);
    expect(author).toBeCloseTo(11 * stranger, 12);
  });

  test('closeness reads the latest 50 acts, and the latest 50 users of each item', () => {
    const scene = new Scene()
      .act('early', 'like', 'first', NOW - 99)
      .act('viewer', 'like', 'first', NOW - 99);
    for (let index = 0; index < 49; index++) scene.act('viewer', 'like', `i${index}`);
    scene.act('same', 'like', 'first', NOW - 98);
    const [known] = close(scene, 'early');
    expect(close(scene.act('viewer', 'like', 'i49'), 'early')[0]).toBeLessThan(known / 2);
    const crowd = new Scene().act('early', 'like', 'x', NOW - 9).act('viewer', 'like', 'x', NOW - 9);
    for (let index = 0; index < 48; index++) crowd.act(`u${index}`, 'like', 'x');
    const [seen] = close(crowd, 'early');
    expect(close(crowd.act('u48', 'like', 'x'), 'early')[0]).toBeLessThan(seen / 2);
  });
});
