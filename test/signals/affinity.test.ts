import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { reachByAffinity } from '../../src/signals/affinity.ts';
import { EVENT_TYPES } from '../../src/state/change.ts';
import type { State } from '../../src/state/state.ts';
import { fold, randomChanges, USER_IDS } from '../support/random-changes.ts';
import { NOW, Scene, weightsOf } from '../support/scene.ts';

const PUBLIC = ['like', 'comment', 'share', 'bookmark'];

/** Followed users behind each item, in Maps; every followed user is looked at. */
function naive(state: State, viewer: number, recent: number): Map<number, number> {
  const weights = new Map<number, number>();
  const { by_user } = state.interactions;
  for (let user = 0; user < state.users.size; user++) {
    if (!state.follows.follows(viewer, user) || state.blocks.between(viewer, user)) continue;
    const acts = Array.from({ length: by_user.length(user) }, (_, index) => by_user.start(user) + index);
    const posts = Array.from({ length: state.by_author.length(user) }, (_, index) =>
      state.by_author.item(state.by_author.start(user) + index),
    );
    const liked = acts
      .slice(-recent)
      .filter((at) => !by_user.removed(at) && PUBLIC.includes(EVENT_TYPES[by_user.event_type(at)]))
      .map((at) => by_user.other(at));
    for (const item of [...posts.slice(-recent), ...new Set(liked)]) {
      weights.set(item, (weights.get(item) ?? 0) + 1);
    }
  }
  return weights;
}

function reached(
  state: State,
  viewer: string,
  options: { recent: number; users: number },
): Map<string, number> {
  const into = new Accumulator();
  reachByAffinity(state, state.users.names.find(viewer), options, into);
  return new Map(
    [...weightsOf(into)].map(([item, weight]) => [state.items.names.id(item), Math.floor(weight)]),
  );
}

/** The weights without the fraction that orders equal counts. */
function counts(into: Accumulator): Map<number, number> {
  return new Map([...weightsOf(into)].map(([item, weight]) => [item, Math.floor(weight)]));
}

describe('affinity', () => {
  test('counts the followed users behind each item, as naive counting does', () => {
    fc.assert(
      fc.property(randomChanges(), fc.integer({ min: 1, max: 6 }), (changes, recent) => {
        const state = fold(changes);
        for (const id of USER_IDS) {
          const viewer = state.users.names.find(id);
          if (viewer < 0) continue;
          const into = new Accumulator();
          reachByAffinity(state, viewer, { recent, users: 100 }, into);
          expect(counts(into)).toEqual(naive(state, viewer, recent));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('counts somebody who posted and liked an item twice, and who liked and shared it once', () => {
    const scene = new Scene().follow('viewer', 'author').item('post', { author: 'author' });
    scene.act('author', 'like', 'post').act('author', 'share', 'post');
    scene.item('other').act('author', 'like', 'other').act('author', 'comment', 'other');
    const weights = reached(scene.state, 'viewer', { recent: 10, users: 10 });
    expect(weights).toEqual(
      new Map([
        ['post', 2],
        ['other', 1],
      ]),
    );
  });

  test('looks at those who posted or interacted last when too many are followed', () => {
    const scene = new Scene();
    for (let index = 0; index < 6; index++) {
      scene.follow('viewer', `u${index}`);
      if (index % 2 === 0) scene.item(`i${index}`, { author: `u${index}`, created_at: NOW - index });
      else
        scene.item(`i${index}`, { created_at: NOW - 100 }).act(`u${index}`, 'like', `i${index}`, NOW - index);
    }
    const weights = reached(scene.state, 'viewer', { recent: 10, users: 3 });
    expect([...weights.keys()].sort()).toEqual(['i0', 'i1', 'i2']);
  });

  test('leaves out users in a block with the viewer, whoever blocked', () => {
    const scene = new Scene().follow('viewer', 'one').follow('viewer', 'two').follow('viewer', 'three');
    for (const author of ['one', 'two', 'three']) scene.item(`by ${author}`, { author });
    scene.block('viewer', 'one').block('two', 'viewer');
    expect([...reached(scene.state, 'viewer', { recent: 10, users: 10 }).keys()]).toEqual(['by three']);
  });

  test('puts the item that somebody acted on last first among equally many', () => {
    const scene = new Scene()
      .item('earlier')
      .item('later')
      .follow('viewer', 'friend')
      .follow('viewer', 'other');
    scene.act('friend', 'like', 'earlier', NOW - 100).act('other', 'like', 'later', NOW - 50);
    const into = new Accumulator();
    reachByAffinity(scene.state, scene.state.users.names.find('viewer'), { recent: 10, users: 10 }, into);
    const [earlier, later] = ['earlier', 'later'].map((id) => into.weight(scene.state.items.names.find(id)));
    expect(later).toBeGreaterThan(earlier);
    expect(later).toBeLessThan(1.001);
  });
});
