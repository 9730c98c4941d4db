import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

/** Items of an author, one of which the viewer liked, newest first, and items of another author. */
function authors(items: number): Scene {
  const scene = new Scene();
  for (let index = 0; index < items; index++) {
    for (const author of ['a', 'b']) scene.item(`${author}${index}`, { author, created_at: NOW - index });
  }
  return scene.act('viewer', 'like', 'a0');
}

describe('profile', () => {
  test('proposes new items of favourite authors, even without interactions, one per two items of the page', () => {
    expect(proposed(authors(3), 'profile', { viewer: 'viewer' }).toSorted()).toEqual(['a0', 'a1', 'a2']);
    expect(proposed(authors(20), 'profile', { viewer: 'viewer', page_length: 4 })).toHaveLength(2);
  });

  test('proposes nothing without history or without a viewer', () => {
    for (const viewer of ['new', undefined]) expect(proposed(authors(4), 'profile', { viewer })).toEqual([]);
  });
});
