import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

describe('profile', () => {
  test('is 1 for the best match, and above 0 for matching items without interactions', () => {
    const scene = new Scene().item('read', { author: 'a', channel: 'music' });
    scene
      .item('by a in music', { author: 'a', channel: 'music' })
      .item('by a', { author: 'a', channel: 'tea' });
    scene
      .item('in music', { author: 'b', channel: 'music' })
      .item('neither', { author: 'c', channel: 'chess' });
    const values = signalValues(scene.act('viewer', 'like', 'read'), 'profile', { viewer: 'viewer' });
    expect(values).toMatchObject({ read: 1, 'by a in music': 1, neither: 0 });
    expect(values['by a']).toBeGreaterThan(values['in music']);
    expect(values['in music']).toBeGreaterThan(0.2);
  });
});
