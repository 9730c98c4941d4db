import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene().follow('viewer', 'a').follow('viewer', 'b').follow('viewer', 'close');
scene.item('shared').act('viewer', 'like', 'shared').act('close', 'like', 'shared');
for (let index = 0; index < 9; index++) scene.item(`by a ${index}`, { author: 'a' });
scene.item('liked by both').act('a', 'like', 'liked by both').act('b', 'like', 'liked by both');
scene.item('of the close').act('close', 'like', 'of the close').item('by a stranger', { author: 'stranger' });

describe('closest', () => {
  test('proposes items that followed users posted or acted on, the closest first, four per item of the page', () => {
    const found = proposed(scene, 'closest', { viewer: 'viewer' });
    expect(found.slice(0, 2).toSorted()).toEqual(['of the close', 'shared']);
    expect(found[2]).toBe('liked by both');
    expect(found).toHaveLength(12);
    expect(found).not.toContain('by a stranger');
    expect(proposed(scene, 'closest', { viewer: 'viewer', page_length: 1 })).toHaveLength(4);
  });

  test('proposes nothing if the viewer follows no one or there is no viewer', () => {
    for (const viewer of ['stranger', undefined]) expect(proposed(scene, 'closest', { viewer })).toEqual([]);
  });
});
