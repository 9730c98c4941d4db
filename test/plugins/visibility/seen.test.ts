import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene().item('shown').item('viewed').item('liked').item('new');
scene.show('viewer', 'shown').act('viewer', 'view', 'viewed').act('viewer', 'like', 'liked');

describe('seen', () => {
  test('drops items that the viewer was shown or viewed, but not for other viewers', () => {
    expect(visible(scene, 'seen', { viewer: 'viewer' })).toEqual(['liked', 'new']);
    expect(visible(scene, 'seen', { viewer: 'other' })).toHaveLength(4);
    expect(visible(scene, 'seen')).toHaveLength(4);
  });

  test('still drops a shown item after it was deleted and posted again', () => {
    const again = new Scene().item('a').item('b').show('viewer', 'a').act('viewer', 'view', 'b');
    again.delete('a').delete('b').item('a').item('b');
    expect(visible(again, 'seen', { viewer: 'viewer' })).toEqual(['b']);
  });
});
