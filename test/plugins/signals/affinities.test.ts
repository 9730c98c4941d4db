import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { DAY, NOW, Scene } from '../../support/scene.ts';

const VIEWER = { viewer: 'viewer' };

describe('affinity_all', () => {
  test('counts followed users by recency, divided by the count of the best item', () => {
    const scene = new Scene().item('none').item('one').item('old').item('three', { author: 'a' });
    for (const target of ['a', 'b', 'c']) scene.follow('viewer', target);
    scene.act('a', 'like', 'one').act('b', 'share', 'three').act('c', 'bookmark', 'three');
    scene.act('b', 'like', 'old', NOW - 3 * DAY);
    scene.act('stranger', 'like', 'none').act('a', 'view', 'none');
    const values = signalValues(scene, 'affinity_all', VIEWER);
    expect(values).toEqual({
      none: 0,
      one: expect.closeTo(1 / 3, 9),
      old: expect.closeTo(1 / 12, 9),
      three: 1,
    });
  });
});

/** Two followed users acted on one item, and a third one on the other. */
function ofFriends(): Scene {
  const scene = new Scene().item('of two').item('of one').item('shared').item('of no user');
  for (const friend of ['one', 'two', 'close']) scene.follow('viewer', friend);
  for (const friend of ['one', 'two']) scene.act(friend, 'like', 'of two');
  return scene.act('close', 'like', 'of one');
}

describe('affinity_closest', () => {
  test('gives equally close users the same weight', () => {
    const values = signalValues(ofFriends(), 'affinity_closest', VIEWER);
    expect(values).toEqual(signalValues(ofFriends(), 'affinity_all', VIEWER));
    expect(values).toEqual({ 'of two': 1, 'of one': 0.5, shared: 0, 'of no user': 0 });
  });

  test('ranks an item of one close mutual follow above an item of two distant ones', () => {
    const close = ofFriends()
      .follow('close', 'viewer')
      .act('viewer', 'like', 'shared')
      .act('close', 'like', 'shared');
    const { 'of two': two, 'of one': one } = signalValues(close, 'affinity_closest', VIEWER);
    expect(one).toBe(1);
    expect(two).toBeLessThan(0.5);
    expect(two).toBeGreaterThan(0);
  });
});

describe('author_affinity', () => {
  test('is n / (n + 3) for n interactions with items of the author', () => {
    const scene = new Scene()
      .item('a1', { author: 'a' })
      .item('a2', { author: 'a' })
      .item('b', { author: 'b' });
    scene.item('c', { author: 'c' }).item('unknown');
    scene.act('viewer', 'like', 'a1').act('viewer', 'share', 'a1').act('viewer', 'comment', 'a2');
    scene.act('viewer', 'view', 'b').act('viewer', 'hide', 'c').act('viewer', 'like', 'unknown');
    const values = signalValues(scene, 'author_affinity', VIEWER);
    expect(values).toEqual({ a1: 0.5, a2: 0.5, b: expect.closeTo(0.2 / 3.2, 12), c: 0, unknown: 0 });
  });
});

function inChannels(): Scene {
  const scene = new Scene().item('other', { author: 'b', channel: 'chess' });
  for (let index = 0; index < 3; index++) scene.item(`a${index}`, { author: 'a', channel: 'music' });
  return scene.item('in music', { author: 'b', channel: 'music' });
}

describe('dislike', () => {
  test('is the greatest n / (n + p + 2) for n hides and p likes of the author, channel or labels', () => {
    const hidden = inChannels().act('viewer', 'hide', 'a0').act('viewer', 'report', 'a1');
    hidden.act('viewer', 'like', 'in music').act('viewer', 'like', 'other');
    expect(signalValues(hidden, 'dislike', VIEWER)).toEqual({
      other: 0,
      a0: 0.5,
      a1: 0.5,
      a2: 0.5,
      'in music': 0.4,
    });
  });

  test('is 0 for a viewer who hid nothing and without a viewer', () => {
    const liked = inChannels().act('viewer', 'like', 'a0').act('other', 'hide', 'a0');
    for (const viewer of ['viewer', 'unknown', undefined])
      expect(new Set(Object.values(signalValues(liked, 'dislike', { viewer })))).toEqual(new Set([0]));
  });
});
