import { describe, expect, test } from 'bun:test';
import { EVENT_TYPES } from '../../src/model/acts.ts';
import { dislikesOf } from '../../src/signals/dislikes.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import type { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { fold, randomChanges } from '../support/random-changes.ts';
import { itemOf, NOW, Scene } from '../support/scene.ts';

const POSITIVE = ['like', 'comment', 'share', 'bookmark'];
const NEGATIVE = ['hide', 'report'];

/** The author, channel and labels of an item, each with its score. */
function valuesOf({ items, groups }: State, item: number): Map<string, number> {
  const values = new Map<string, number>();
  for (const [label, score] of groups.label.entries(item)) values.set(`label ${label}`, score);
  if (items.author(item) >= 0) values.set(`author ${items.author(item)}`, 1);
  if (groups.channel.of(item) >= 0) values.set(`channel ${groups.channel.of(item)}`, 1);
  return values;
}

function naive(state: State, viewer: number, item: number): number {
  const { by_user } = state.interactions;
  const itemsOf = (kinds: readonly string[]) => {
    const items = new Set<number>();
    for (let at = by_user.start(viewer); at < by_user.end(viewer); at++) {
      if (by_user.removed(at) || !kinds.includes(EVENT_TYPES[by_user.event_type(at)])) continue;
      items.add(by_user.other(at));
    }
    return items;
  };
  const hidden_items = itemsOf(NEGATIVE);
  const liked_items = itemsOf(POSITIVE).difference(hidden_items);
  const count = (value: string, items: ReadonlySet<number>) => {
    return [...items].reduce((sum, each) => sum + (valuesOf(state, each).get(value) ?? 0), 0);
  };
  const dislikes = [...valuesOf(state, item).keys()].map((value) => {
    const hidden = count(value, hidden_items);
    return hidden / (hidden + count(value, liked_items) + 2);
  });
  return Math.max(0, ...dislikes);
}

function disliked(scene: Scene, ...ids: string[]): number[] | undefined {
  const dislike = dislikesOf(
    scene.state,
    scene.state.users.names.find('viewer'),
    new Scratch(scene.state).tastes,
  );
  return dislike && ids.map((id) => dislike(itemOf(scene, id)));
}

describe('dislikes', () => {
  test('dislikes count an item once that is hidden and reported, or liked and shared', () => {
    const scene = new Scene();
    for (const id of ['x', 'y', 'z']) scene.item(id, { author: 'a' });
    scene.act('viewer', 'hide', 'x').act('viewer', 'report', 'x');
    expect(disliked(scene, 'z')).toEqual([1 / 3]);
    scene.act('viewer', 'like', 'y').act('viewer', 'share', 'y');
    expect(disliked(scene, 'z')).toEqual([1 / 4]);
  });

  test('dislikes are the worst ratio of hidden to liked items, by author, channel and label', () => {
    check(100, [randomChanges({ longest: 90, users: ['u0', 'u1'] })], (changes) => {
      const state = fold(changes);
      for (let viewer = 0; viewer < state.users.size; viewer++) {
        const dislike = dislikesOf(state, viewer, new Scratch(state).tastes) ?? (() => 0);
        for (let item = 0; item < state.items.size; item++) {
          expect(dislike(item)).toBeCloseTo(naive(state, viewer, item), 12);
        }
      }
    });
  });

  test('dislikes rise with every hide, fall with every like, and ignore app and language', () => {
    const scene = new Scene();
    const common = { app_fid: 'app', language: 'en' };
    for (let index = 0; index < 4; index++)
      scene.item(`a${index}`, { author: 'a', channel: `c${index}`, ...common });
    scene.item('other', { author: 'b', ...common });
    expect(disliked(scene.act('viewer', 'like', 'a3'), 'a0')).toBeUndefined();
    expect(disliked(scene.act('viewer', 'hide', 'a0'), 'a2', 'other')).toEqual([1 / 4, 0]);
    expect(disliked(scene.act('viewer', 'report', 'a1'), 'a2')).toEqual([2 / 5]);
    expect(disliked(scene.act('viewer', 'like', 'other').act('viewer', 'share', 'a2'), 'a2')).toEqual([
      2 / 6,
    ]);
    // No item of its own channel was liked.
    expect(disliked(scene, 'a0')).toEqual([2 / 6]);
    expect(disliked(scene.act('viewer', 'view', 'a2'), 'a2')).toEqual([2 / 6]);
  });

  test('dislikes end when the hide is removed', () => {
    const scene = new Scene().item('x', { author: 'a' }).act('viewer', 'hide', 'x');
    expect(disliked(scene, 'x')).toEqual([1 / 3]);
    expect(disliked(scene.unact('viewer', 'hide', 'x', NOW + 1), 'x')).toBeUndefined();
  });

  test('dislikes do not shrink by earlier likes of items that were hidden since', () => {
    const scene = new Scene();
    for (const id of ['x', 'y', 'z']) scene.item(id, { author: 'a' });
    scene
      .act('viewer', 'like', 'x', NOW - 9)
      .act('viewer', 'hide', 'x')
      .act('viewer', 'like', 'x', NOW + 1);
    expect(disliked(scene, 'z')).toEqual([1 / 3]);
    expect(disliked(scene.act('viewer', 'like', 'y'), 'z')).toEqual([1 / 4]);
  });

  test('dislikes use the latest 100 items among 800 acts', () => {
    const scene = new Scene().item('x', { author: 'a' }).act('viewer', 'hide', 'x', NOW - 99);
    for (let index = 0; index < 99; index++)
      scene.act('viewer', 'hide', `i${index}`, NOW - 9).act('viewer', 'report', `i${index}`, NOW - 9);
    expect(disliked(scene, 'x')).toEqual([1 / 3]);
    expect(disliked(scene.act('viewer', 'hide', 'i99'), 'x')).toEqual([0]);
    const viewing = new Scene().item('x', { author: 'a' }).act('viewer', 'hide', 'x', NOW - 99);
    for (let index = 0; index < 799; index++) viewing.act('viewer', 'view', `i${index}`);
    expect(disliked(viewing, 'x')).toEqual([1 / 3]);
    expect(disliked(viewing.act('viewer', 'view', 'one more'), 'x')).toBeUndefined();
  });

  test('dislikes use likes before many views', () => {
    const scene = new Scene().item('x', { author: 'a' }).item('y', { author: 'a' });
    scene.act('viewer', 'like', 'y', NOW - 99).act('viewer', 'hide', 'x', NOW - 9);
    for (let index = 0; index < 200; index++) scene.act('viewer', 'view', `i${index}`);
    expect(disliked(scene, 'x')).toEqual([1 / 4]);
  });
});
