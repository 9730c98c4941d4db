import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('by 12', { author: '12' })
  .item('by 34', { author: '34' })
  .item('by an unknown author')
  .follow('viewer', '34')
  .follow('other', '12');

const keeps = (options: unknown, viewer?: string) => kept(scene, 'remove_author_ids', options, { viewer });

describe('remove_author_ids', () => {
  test('drops items of the listed authors and keeps items of unknown authors', () => {
    expect(keeps(['12'])).toEqual(['by 34', 'by an unknown author']);
    expect(keeps([12, '34', 'unknown user'])).toEqual(['by an unknown author']);
  });

  test('drops items of users that the viewer or a given user follows', () => {
    expect(keeps('following', 'viewer')).toEqual(['by 12', 'by an unknown author']);
    expect(keeps(['following:other'], 'viewer')).toEqual(['by 34', 'by an unknown author']);
  });

  test('drops nothing if no users are followed or listed', () => {
    for (const options of [[], 'following', 'following:stranger', ['stranger']]) {
      expect(keeps(options)).toHaveLength(3);
    }
  });

  test('rejects mixed forms and invalid identifiers', () =>
    refused('remove_author_ids', [
      '12',
      ['12', 'following'],
      'following:',
      12,
      {},
      [null],
      [''],
      [1.5],
      [2 ** 53],
    ]));
});
