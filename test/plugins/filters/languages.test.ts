import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('en', { language: 'en' })
  .item('en-gb', { language: 'en-gb' })
  .item('pt-br', { language: 'pt-br' })
  .item('enm', { language: 'enm' })
  .item('unknown');

describe('languages', () => {
  test('keeps the items in any of the languages, by primary subtag and whatever the case', () => {
    expect(kept(scene, 'languages', ['en'])).toEqual(['en', 'en-gb']);
    expect(kept(scene, 'languages', ['EN-US'])).toEqual(['en', 'en-gb']);
    expect(kept(scene, 'languages', ['pt', 'enm'])).toEqual(['pt-br', 'enm']);
    expect(kept(scene, 'languages', ['de'])).toEqual([]);
  });

  test('keeps everything when the list is empty', () => {
    expect(kept(scene, 'languages', [])).toHaveLength(5);
  });

  test('refuses what is no list of language tags', () =>
    refused('languages', ['en', 1, {}, [''], ['e'], ['english'], ['en_GB'], ['en-'], [null], [1]]));
});
