import { describe, expect, test } from 'bun:test';
import { refusedOptions, signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

describe('affinity_all', () => {
  test('is n / (n + 1) for n followed users behind an item', () => {
    const scene = new Scene().item('none').item('one').item('three', { author: 'a' });
    for (const target of ['a', 'b', 'c']) scene.follow('viewer', target);
    scene.act('a', 'like', 'one').act('b', 'share', 'three').act('c', 'bookmark', 'three');
    scene.act('stranger', 'like', 'none').act('a', 'view', 'none');
    expect(signalValues(scene, 'affinity_all', { viewer: 'viewer' })).toEqual({
      none: 0,
      one: 0.5,
      three: 0.75,
    });
  });

  test('is 0 for everything without follows', () => {
    const scene = new Scene().item('one').act('a', 'like', 'one');
    for (const viewer of ['a', undefined])
      expect(signalValues(scene, 'affinity_all', { viewer })).toEqual({ one: 0 });
  });

  test('refuses numbers that are none', () =>
    refusedOptions(
      'signals',
      'affinity_all',
      [0, -1, 1.5, 1e9, Number.NaN, '5', null].flatMap((bad) => [{ recent: bad }, { users: bad }]),
    ));
});
