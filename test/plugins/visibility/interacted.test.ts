import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene();
for (const event of ['like', 'comment', 'share', 'bookmark', 'view', 'hide', 'report'] as const) {
  scene.item(event).act('viewer', event, event);
}

describe('interacted', () => {
  test('drops items that the viewer liked, commented, shared or bookmarked', () => {
    expect(visible(scene, 'interacted', { viewer: 'viewer' })).toEqual(['view', 'hide', 'report']);
  });

  test('drops nothing for other viewers and without a viewer', () => {
    expect(visible(scene, 'interacted', { viewer: 'other' })).toHaveLength(7);
    expect(visible(scene, 'interacted')).toHaveLength(7);
  });

  test('shows an item again after its last interaction was undone', () => {
    const back = new Scene().item('a').act('viewer', 'like', 'a').act('viewer', 'share', 'a');
    back.unact('viewer', 'like', 'a');
    expect(visible(back, 'interacted', { viewer: 'viewer' })).toEqual([]);
    back.unact('viewer', 'share', 'a');
    expect(visible(back, 'interacted', { viewer: 'viewer' })).toEqual(['a']);
  });
});
