import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene().follow('viewer', 'friend').follow('viewer', 'foe').block('foe', 'viewer');
for (const event of ['like', 'comment', 'share', 'bookmark', 'view', 'hide'] as const) {
  scene.item(event).act('friend', event, event);
}
scene.item('by friend', { author: 'friend' });
scene.item('of foe').act('foe', 'like', 'of foe');
scene.item('of stranger').act('stranger', 'like', 'of stranger');
scene.item('taken back').act('friend', 'like', 'taken back').unact('friend', 'like', 'taken back');

describe('social_proof', () => {
  test('keeps items that followed users liked, commented or shared, except across blocks', () => {
    expect(visible(scene, 'social_proof', { viewer: 'viewer' })).toEqual(['like', 'comment', 'share']);
  });

  test('keeps nothing if the viewer follows no one or there is no viewer', () => {
    for (const viewer of ['friend', 'unknown', undefined]) {
      expect(visible(scene, 'social_proof', { viewer })).toEqual([]);
    }
  });
});
