import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('image', { publication_types: ['image'] })
  .item('both', { publication_types: ['video', 'image'] })
  .item('music', { publication_types: ['music'] })
  .item('none');

describe('publication_types', () => {
  test('keeps the items that have any of the types, in singular or plural and in any case', () => {
    expect(kept(scene, 'publication_types', ['image'])).toEqual(['image', 'both']);
    expect(kept(scene, 'publication_types', ['Images'])).toEqual(['image', 'both']);
    expect(kept(scene, 'publication_types', ['videos', 'music'])).toEqual(['both', 'music']);
    expect(kept(scene, 'publication_types', ['poll'])).toEqual([]);
  });

  test('rejects values other than a list of types', () =>
    refused('publication_types', ['image', 1, {}, [''], [1], [null], ['a'.repeat(65)], [['image']]]));
});
