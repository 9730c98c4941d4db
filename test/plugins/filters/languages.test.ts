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
  test('keeps the items in any of the languages, by primary subtag and in any case', () => {
    expect(kept(scene, 'languages', ['en'])).toEqual(['en', 'en-gb']);
    expect(kept(scene, 'languages', ['EN-US'])).toEqual(['en', 'en-gb']);
    expect(kept(scene, 'languages', ['pt', 'enm'])).toEqual(['pt-br', 'enm']);
    expect(kept(scene, 'languages', ['de'])).toEqual([]);
  });

  test('treats subtags of the same language as equal, in items and filters', () => {
    const same = [
      ['he', 'iw'],
      ['id', 'in', 'ms'],
      ['yi', 'ji'],
      ['fil', 'tl'],
      ['no', 'nb', 'nn-NO'],
      ['zh', 'yue', 'cmn-Hans'],
    ];
    const all = new Scene();
    for (const language of same.flat()) all.item(language, { language: language.toLowerCase() });
    for (const alike of same)
      for (const asked of alike) expect(kept(all, 'languages', [asked])).toEqual(alike);
  });

  test('matches sh with Serbian, Croatian and Bosnian, which do not match each other', () => {
    const languages = ['sh', 'sr-latn', 'hr', 'bs', 'sl'];
    const all = new Scene();
    for (const language of languages) all.item(language, { language });
    expect(kept(all, 'languages', ['sh'])).toEqual(['sh', 'sr-latn', 'hr', 'bs']);
    expect(kept(all, 'languages', ['hr'])).toEqual(['hr']);
  });

  test('rejects values other than a list of language tags', () =>
    refused('languages', ['en', 1, {}, [''], ['e'], ['english'], ['en_GB'], ['en-'], [null], [1]]));
});
