import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_TYPES } from '../../src/model/acts.ts';
import type { AffinityOptions } from '../../src/plugin/index.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { reachByAffinity } from '../../src/signals/affinity.ts';
import { closenessTo } from '../../src/signals/closeness.ts';
import { LatestActs } from '../../src/signals/latest-acts.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import { SignificantActs } from '../../src/signals/significant-acts.ts';
import { mutesUser } from '../../src/state/muted.ts';
import type { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { fold, randomChanges, START, USER_IDS } from '../support/random-changes.ts';
import { HOUR, NOW, Scene, weightsOf } from '../support/scene.ts';

const PUBLIC = ['like', 'comment', 'share', 'bookmark'];
const OPTIONS = { recent: 10, users: 100, half_life_hours: 24 };

const worksOn = (state: State) => ({ latest_acts: new LatestActs(state), scratch: new Scratch(state) });

/** Followed users behind each item, in Maps. Reads every followed user. */
function naive(
  state: State,
  viewer: number,
  now: number,
  { recent, half_life_hours, closest }: AffinityOptions,
): Map<number, number> {
  const weights = new Map<number, number>();
  const { by_user } = state.interactions;
  const closeness = closenessTo(state, viewer, SignificantActs.ofUsers(state));
  for (let user = 0; user < state.users.size; user++) {
    if (!state.follows.follows(viewer, user) || state.blocks.between(viewer, user)) continue;
    if (state.users.hidden(user) || mutesUser(state, viewer, user, now)) continue;
    const add = (item: number, time: number) => {
      const age_hours = Math.max(0, now - time) / HOUR;
      const weight = (closest ? closeness(user) : 1) / (1 + age_hours / half_life_hours);
      weights.set(item, (weights.get(item) ?? 0) + weight);
    };
    const posts = Array.from({ length: state.by_author.length(user) }, (_, index) =>
      state.by_author.item(state.by_author.end(user) - 1 - index),
    ).filter((item) => state.items.created_at(item) <= now + 60);
    const live = posts.slice(0, 8 * recent).filter((item) => state.live(item));
    for (const item of live.slice(0, recent)) add(item, state.items.created_at(item));
    const latest = new Map<number, number>();
    const acts = Array.from({ length: by_user.length(user) }, (_, index) => by_user.end(user) - 1 - index);
    for (const at of acts.slice(0, 8 * recent)) {
      const is_public = PUBLIC.includes(EVENT_TYPES[by_user.event_type(at)]);
      if (!is_public || by_user.removed(at) || latest.has(by_user.other(at))) continue;
      latest.set(by_user.other(at), by_user.seconds(at));
    }
    for (const [item, time] of [...latest].slice(0, recent)) add(item, time);
  }
  return weights;
}

function reached(scene: Scene, options: Partial<AffinityOptions> = {}): Map<string, number> {
  const into = new Accumulator();
  const { state, now } = scene;
  const viewer = state.users.names.find('viewer');
  reachByAffinity(state, viewer, now, { ...OPTIONS, ...options }, worksOn(state), into);
  return new Map([...weightsOf(into)].map(([item, weight]) => [state.items.names.id(item), weight]));
}

describe('affinity', () => {
  test('affinity adds up the followed users behind each item with decay, as a naive count does', () => {
    const options = fc.record(
      {
        recent: fc.integer({ min: 1, max: 6 }),
        users: fc.constant(100),
        half_life_hours: fc.constantFrom(0.001, 1),
        closest: fc.boolean(),
      },
      { requiredKeys: ['recent', 'users', 'half_life_hours'], noNullPrototype: true },
    );
    check(100, [randomChanges(), options, fc.constantFrom(-10, 0, 5000)], (changes, drawn, later) => {
      const state = fold(changes);
      for (const id of USER_IDS) {
        const viewer = state.users.names.find(id);
        if (viewer < 0) continue;
        const into = new Accumulator();
        reachByAffinity(state, viewer, START + later, drawn, worksOn(state), into);
        const found = weightsOf(into);
        const expected = naive(state, viewer, START + later, drawn);
        expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [item, weight] of found) expect(weight).toBeCloseTo(expected.get(item)!, 8);
      }
    });
  });

  test('affinity is the same to the last bit for any order of follows', () => {
    const users = Array.from({ length: 9 }, (_, index) => `u${index}`);
    const weights = [users, users.toReversed()].map((order) => {
      const scene = new Scene();
      for (const [index, user] of users.entries()) scene.act(user, 'like', 'x', NOW - 1000 * index);
      for (const user of order) scene.follow('viewer', user);
      return reached(scene, { closest: true }).get('x');
    });
    expect(weights[0]).toBe(weights[1]);
    expect(weights[0]).toBeGreaterThan(0);
  });

  test('affinity counts a user who posted and liked an item twice, and one who liked and shared it once', () => {
    const scene = new Scene().follow('viewer', 'author').item('post', { author: 'author' });
    scene.act('author', 'like', 'post').act('author', 'share', 'post');
    scene.item('other').act('author', 'like', 'other').act('author', 'comment', 'other');
    expect(reached(scene)).toEqual(
      new Map([
        ['post', 2],
        ['other', 1],
      ]),
    );
  });

  test("affinity halves an act after the half-life, by the user's latest act on the item", () => {
    const scene = new Scene().follow('viewer', 'friend').follow('viewer', 'other');
    scene.act('friend', 'like', 'old', NOW - 24 * HOUR).act('other', 'like', 'twice', NOW - 72 * HOUR);
    scene
      .act('other', 'share', 'twice', NOW - 24 * HOUR)
      .item('post', { author: 'friend', created_at: NOW - 72 * HOUR });
    expect(Object.fromEntries(reached(scene))).toEqual({ old: 0.5, twice: 0.5, post: 0.25 });
  });

  test('affinity finds likes of a followed user behind later views, hides and removals', () => {
    const scene = new Scene().follow('viewer', 'friend').act('friend', 'like', 'tip', NOW - 99);
    for (let index = 0; index < 5; index++) {
      scene.act('friend', 'view', `v${index}`).act('friend', 'hide', `h${index}`);
      scene.act('friend', 'like', `l${index}`, NOW - 9).unact('friend', 'like', `l${index}`, NOW - 1);
    }
    expect([...reached(scene, { recent: 2 }).keys()]).toEqual(['tip']);
    scene.act('friend', 'view', 'the sixteenth');
    expect([...reached(scene, { recent: 2 }).keys()]).toEqual([]);
  });

  test("affinity counts an item once among a user's latest, however many comments it has", () => {
    const scene = new Scene().follow('viewer', 'friend').act('friend', 'like', 'tip', NOW - 99);
    for (let index = 0; index < 9; index++) scene.act('friend', 'comment', 'thread', NOW - index);
    expect([...reached(scene, { recent: 2 }).keys()].sort()).toEqual(['thread', 'tip']);
    scene.act('friend', 'comment', 'other', NOW - 50).act('friend', 'like', 'newest', NOW + 1);
    expect([...reached(scene, { recent: 2 }).keys()].sort()).toEqual(['newest', 'thread']);
  });

  test('affinity finds posts of a followed user behind posts that cannot be shown', () => {
    const scene = new Scene().follow('viewer', 'friend').item('shown', { author: 'friend' });
    scene.item('in a minute', { author: 'friend', created_at: NOW + 60 });
    for (let index = 0; index < 5; index++) {
      scene.item(`moderated ${index}`, { author: 'friend', hidden: true });
      scene.item(`deleted ${index}`, { author: 'friend' }).delete(`deleted ${index}`);
    }
    for (let index = 0; index < 50; index++)
      scene.item(`tomorrow ${index}`, { author: 'friend', created_at: NOW + 24 * HOUR });
    expect([...reached(scene, { recent: 2 }).keys()].sort()).toEqual(['in a minute', 'shown']);
    expect(reached(scene.user('friend', { hidden: true })).size).toBe(0);
  });

  test('affinity does not treat users as active who only have posts dated ahead', () => {
    const scene = new Scene()
      .follow('viewer', 'scheduler')
      .follow('viewer', 'friend')
      .follow('viewer', 'idle');
    scene.item('by friend', { author: 'friend', created_at: NOW - HOUR });
    scene.item('early', { author: 'scheduler', created_at: NOW - 2 * HOUR });
    scene.item('tomorrow', { author: 'scheduler', created_at: NOW + 24 * HOUR });
    expect([...reached(scene, { users: 1 }).keys()]).toEqual(['by friend']);
  });

  test('affinity reads the most recently active users if too many are followed', () => {
    const scene = new Scene();
    for (let index = 0; index < 6; index++) {
      scene.follow('viewer', `u${index}`);
      if (index % 2 === 0) scene.item(`i${index}`, { author: `u${index}`, created_at: NOW - index });
      else
        scene.item(`i${index}`, { created_at: NOW - 100 }).act(`u${index}`, 'like', `i${index}`, NOW - index);
    }
    expect([...reached(scene, { users: 3 }).keys()].sort()).toEqual(['i0', 'i1', 'i2']);
  });

  test('affinity excludes users in a block with the viewer in either direction', () => {
    const scene = new Scene().follow('viewer', 'one').follow('viewer', 'two').follow('viewer', 'three');
    for (const author of ['one', 'two', 'three']) scene.item(`by ${author}`, { author });
    scene.block('viewer', 'one').block('two', 'viewer');
    expect([...reached(scene).keys()]).toEqual(['by three']);
  });

  test('affinity with closest weights followed users by closeness', () => {
    const scene = new Scene().follow('viewer', 'close').follow('viewer', 'far');
    scene.act('viewer', 'like', 'shared').act('close', 'like', 'shared');
    scene.item('by close', { author: 'close' }).item('by far', { author: 'far' });
    const weights = reached(scene, { closest: true });
    expect(weights.get('by close')! / weights.get('by far')!).toBeCloseTo(1.2 / Math.SQRT2 / 0.2, 7);
  });
});
