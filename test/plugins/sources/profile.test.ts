import { describe, expect, test } from 'bun:test';
import { proposed, refusedOptions } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

/** The items of an author one of which the viewer liked, newest first, and those of another. */
function authors(items: number): Scene {
  const scene = new Scene();
  for (let index = 0; index < items; index++) {
    for (const author of ['a', 'b']) scene.item(`${author}${index}`, { author, created_at: NOW - index });
  }
  return scene.act('viewer', 'like', 'a0');
}

describe('profile', () => {
  test('proposes new items of favourites that nobody has touched, one for every two items of the page', () => {
    expect(proposed(authors(3), 'profile', { viewer: 'viewer' }).toSorted()).toEqual(['a0', 'a1', 'a2']);
    expect(proposed(authors(20), 'profile', { viewer: 'viewer', page_length: 4 })).toHaveLength(2);
  });

  test('proposes nothing to a viewer without history, and without one', () => {
    for (const viewer of ['new', undefined]) expect(proposed(authors(4), 'profile', { viewer })).toEqual([]);
  });

  test('refuses numbers that are none', () =>
    refusedOptions(
      'candidate_sources',
      'profile',
      [0, 101, -1, '2', null].map((per_item) => ({ per_item })),
    ));
});
