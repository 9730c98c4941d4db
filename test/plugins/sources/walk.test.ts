import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** A fan's items. The viewer liked the first. */
function fan(items: number): Scene {
  const scene = new Scene();
  for (let index = 0; index < items; index++) scene.item(`i${index}`).act('fan', 'like', `i${index}`);
  return scene.act('viewer', 'like', 'i0').item('out of reach');
}

describe('walk', () => {
  test('proposes choices of similar users, at most three per two items of the page', () => {
    const found = proposed(fan(4), 'walk', { viewer: 'viewer' });
    expect(found.toSorted()).toEqual(['i1', 'i2', 'i3']);
    expect(proposed(fan(20), 'walk', { viewer: 'viewer', page_length: 2 })).toHaveLength(3);
  });

  test('proposes nothing without history or without a viewer', () => {
    for (const viewer of ['new', undefined]) expect(proposed(fan(4), 'walk', { viewer })).toEqual([]);
  });
});
