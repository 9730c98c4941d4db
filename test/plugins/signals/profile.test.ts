import { describe, expect, test } from 'bun:test';
import { refusedOptions, signalValues } from '../../support/extensions.ts';
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

  test('is 0 for every item without history or without a viewer', () => {
    const scene = new Scene()
      .item('one', { author: 'a' })
      .item('two', { author: 'a' })
      .act('other', 'like', 'one');
    for (const viewer of ['new', undefined])
      expect(signalValues(scene, 'profile', { viewer })).toEqual({ one: 0, two: 0 });
  });

  test('rejects invalid numbers in its options', () =>
    refusedOptions(
      'signals',
      'profile',
      [0, -1, 1.5, 501, Number.NaN, '5', null].flatMap((bad) => [
        { history: bad },
        { values: bad },
        { newest: bad },
      ]),
    ));
});
