import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

describe('trending', () => {
  test('proposes items with the most expected engagement, one per item of the page', () => {
    const scene = new Scene().item('old', { created_at: NOW - 100 * HOUR }).count('old', 20);
    scene
      .item('fresh')
      .item('rising', { created_at: NOW - HOUR })
      .item('none', { created_at: NOW - HOUR });
    for (let index = 0; index < 9; index++) scene.act(`user ${index}`, 'like', 'rising');
    for (let index = 0; index < 2; index++) scene.act(`user ${index}`, 'like', 'fresh');
    expect(proposed(scene, 'trending', { page_length: 1 })).toEqual(['rising']);
    expect(proposed(scene, 'trending')).toEqual(['rising', 'fresh', 'none', 'old']);
  });
});
