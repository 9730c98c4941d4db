import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('own', { author: 'viewer' })
  .item('other', { author: 'other' })
  .item('by an unknown author');

describe('own_posts', () => {
  test("drops the viewer's own items", () => {
    expect(visible(scene, 'own_posts', { viewer: 'viewer' })).toEqual(['other', 'by an unknown author']);
  });

  test('drops nothing without a viewer, not even items of unknown authors', () => {
    expect(visible(scene, 'own_posts')).toHaveLength(3);
    expect(visible(scene, 'own_posts', { viewer: 'stranger' })).toHaveLength(3);
  });
});
