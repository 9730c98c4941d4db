import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('by blocked', { author: 'blocked' })
  .item('by blocker', { author: 'blocker' })
  .item('by friend', { author: 'friend' })
  .item('by an unknown author')
  .item('own', { author: 'viewer' })
  .block('viewer', 'blocked')
  .block('blocker', 'viewer')
  .block('friend', 'blocked');

describe('blocked', () => {
  test('drops the items of both sides of a block', () => {
    expect(visible(scene, 'blocked', { viewer: 'viewer' })).toEqual([
      'by friend',
      'by an unknown author',
      'own',
    ]);
    expect(visible(scene, 'blocked', { viewer: 'blocked' })).toEqual([
      'by blocked',
      'by blocker',
      'by an unknown author',
    ]);
  });

  test('drops nothing without a viewer or for an unknown viewer', () => {
    expect(visible(scene, 'blocked')).toHaveLength(5);
    expect(visible(scene, 'blocked', { viewer: 'stranger' })).toHaveLength(5);
  });
});
