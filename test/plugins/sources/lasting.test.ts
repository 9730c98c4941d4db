import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

describe('lasting', () => {
  test('proposes holdings of similar users, the strongest first, and nothing out of reach', () => {
    const scene = new Scene().item('mine').item('near').item('far').item('alone');
    scene.act('viewer', 'like', 'mine', NOW - 100);
    for (const fan of ['f', 'g', 'h'])
      scene.act(fan, 'like', 'mine', NOW - 50).act(fan, 'like', 'near', NOW - 40);
    scene.act('f', 'like', 'far', NOW - 30);
    expect(proposed(scene, 'lasting', { viewer: 'viewer' })).toEqual(['near', 'far']);
    expect(proposed(scene, 'lasting')).toEqual([]);
  });
});
