import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { DAY, NOW, Scene } from '../../support/scene.ts';

describe('affinity_all', () => {
  test('counts followed users by recency, divided by the count of the best item', () => {
    const scene = new Scene().item('none').item('one').item('old').item('three', { author: 'a' });
    for (const target of ['a', 'b', 'c']) scene.follow('viewer', target);
    scene.act('a', 'like', 'one').act('b', 'share', 'three').act('c', 'bookmark', 'three');
    scene.act('b', 'like', 'old', NOW - 3 * DAY);
    scene.act('stranger', 'like', 'none').act('a', 'view', 'none');
    const values = signalValues(scene, 'affinity_all', { viewer: 'viewer' });
    expect(values).toEqual({
      none: 0,
      one: expect.closeTo(1 / 3, 9),
      old: expect.closeTo(1 / 12, 9),
      three: 1,
    });
  });
});
