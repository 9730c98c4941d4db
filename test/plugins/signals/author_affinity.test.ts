import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

describe('author_affinity', () => {
  test('is n / (n + 3) for n interactions with items of the author', () => {
    const scene = new Scene()
      .item('a1', { author: 'a' })
      .item('a2', { author: 'a' })
      .item('b', { author: 'b' });
    scene.item('c', { author: 'c' }).item('unknown');
    scene.act('viewer', 'like', 'a1').act('viewer', 'share', 'a1').act('viewer', 'comment', 'a2');
    scene.act('viewer', 'view', 'b').act('viewer', 'hide', 'c').act('viewer', 'like', 'unknown');
    const values = signalValues(scene, 'author_affinity', { viewer: 'viewer' });
    expect(values).toEqual({ a1: 0.5, a2: 0.5, b: expect.closeTo(0.2 / 3.2, 12), c: 0, unknown: 0 });
  });
});
