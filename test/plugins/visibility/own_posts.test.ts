import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('own', { author: 'viewer' })
  .item('other', { author: 'other' })
  .item('by nobody');

describe('own_posts', () => {
  test("drops the viewer's own items", () => {
    expect(visible(scene, 'own_posts', { viewer: 'viewer' })).toEqual(['other', 'by nobody']);
  });

  test('drops nothing without a viewer, items of unknown author neither', () => {
    expect(visible(scene, 'own_posts')).toHaveLength(3);
    expect(visible(scene, 'own_posts', { viewer: 'stranger' })).toHaveLength(3);
  });
});
