import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene().follow('viewer', 'a').follow('viewer', 'b');
for (let index = 0; index < 9; index++) scene.item(`by a ${index}`, { author: 'a' });
scene.item('liked by both').act('a', 'like', 'liked by both').act('b', 'like', 'liked by both');
scene.item('by a stranger', { author: 'stranger' });

describe('following', () => {
  test('proposes items that followed users posted or acted on, those of most users first, two per item of the page', () => {
    const found = proposed(scene, 'following', { viewer: 'viewer' });
    expect(found[0]).toBe('liked by both');
    expect(found).toHaveLength(10);
    expect(found).not.toContain('by a stranger');
    expect(proposed(scene, 'following', { viewer: 'viewer', page_length: 1 })).toHaveLength(2);
  });

  test('proposes nothing if the viewer follows no one or there is no viewer', () => {
    for (const viewer of ['stranger', undefined])
      expect(proposed(scene, 'following', { viewer })).toEqual([]);
  });
});
