import { describe, expect, test } from 'bun:test';
import { compileFeed } from '../../../src/feeds/compile-feed.ts';
import { proposed } from '../../support/extensions.ts';
import { builtIn, requestIn, Scene } from '../../support/scene.ts';

/** Items with nearly equal embeddings, one of which the viewer liked. */
function alike(items: number): Scene {
  const scene = new Scene();
  for (let item = 0; item <= items; item++) {
    const vector = Int8Array.from({ length: 16 }, (_, at) => (at === 0 ? 100 : (item * at) % 7));
    scene.item(`i${item}`, { embedding: Buffer.from(vector.buffer).toString('base64') });
  }
  return scene.act('viewer', 'like', 'i0');
}

describe('semantic', () => {
  test('proposes similar items without interactions, one per two items of the page', () => {
    expect(proposed(alike(3), 'semantic', { viewer: 'viewer' }).toSorted()).toEqual(['i1', 'i2', 'i3']);
    expect(proposed(alike(20), 'semantic', { viewer: 'viewer', page_length: 4 })).toHaveLength(2);
  });

  test('proposes nothing without history or without a viewer', () => {
    for (const viewer of ['new', undefined]) expect(proposed(alike(4), 'semantic', { viewer })).toEqual([]);
  });

  test('applies only where items have embeddings', () => {
    const { sources } = compileFeed(builtIn(), 'for-you', {});
    const source = sources.find(({ id }) => id === 'semantic');
    expect(source?.applies(requestIn(alike(2)))).toBe(true);
    expect(source?.applies(requestIn(new Scene().item('a')))).toBe(false);
  });
});
