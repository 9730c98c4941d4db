import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

describe('popular', () => {
  test('proposes the most popular items, one per item of the page, newer ones first among equals', () => {
    const scene = new Scene();
    for (let index = 0; index < 9; index++) {
      scene.item(`i${index}`, { created_at: NOW - index }).count(`i${index}`, Math.floor(index / 2));
    }
    expect(proposed(scene, 'popular', { page_length: 2 })).toEqual(['i8', 'i6']);
    expect(proposed(scene, 'popular')).toHaveLength(9);
  });

  test('proposes only items that may be shown', () => {
    const scene = new Scene().item('hidden', { hidden: true }).item('future', { created_at: NOW + 61 });
    scene.item('by hidden', { author: 'x' }).user('x', { hidden: true }).item('deleted').delete('deleted');
    expect(proposed(scene.item('fine'), 'popular')).toEqual(['fine']);
  });
});
