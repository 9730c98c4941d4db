import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

function scene(): Scene {
  const scene = new Scene().item('other', { author: 'b', channel: 'chess' });
  for (let index = 0; index < 3; index++) scene.item(`a${index}`, { author: 'a', channel: 'music' });
  return scene.item('in music', { author: 'b', channel: 'music' });
}

describe('dislike', () => {
  test('is the greatest n / (n + p + 2) for n hides and p likes of the author, channel or labels', () => {
    const hidden = scene().act('viewer', 'hide', 'a0').act('viewer', 'report', 'a1');
    hidden.act('viewer', 'like', 'in music').act('viewer', 'like', 'other');
    expect(signalValues(hidden, 'dislike', { viewer: 'viewer' })).toEqual({
      other: 0,
      a0: 0.5,
      a1: 0.5,
      a2: 0.5,
      'in music': 0.4,
    });
  });

  test('is 0 for a viewer who hid nothing and without a viewer', () => {
    const liked = scene().act('viewer', 'like', 'a0').act('other', 'hide', 'a0');
    for (const viewer of ['viewer', 'unknown', undefined])
      expect(new Set(Object.values(signalValues(liked, 'dislike', { viewer })))).toEqual(new Set([0]));
  });
});
