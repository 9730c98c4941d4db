import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('by 12', { author: '12' })
  .item('by 34', { author: '34' })
  .item('by nobody')
  .follow('viewer', '34')
  .follow('other', '12');

const keeps = (options: unknown, viewer?: string) => kept(scene, 'remove_author_ids', options, { viewer });

describe('remove_author_ids', () => {
  test('drops the items of the listed authors; those of unknown author pass', () => {
    expect(keeps(['12'])).toEqual(['by 34', 'by nobody']);
    expect(keeps([12, '34', 'never heard of'])).toEqual(['by nobody']);
  });

  test('drops the items of those whom the viewer or a given user follows', () => {
    expect(keeps('following', 'viewer')).toEqual(['by 12', 'by nobody']);
    expect(keeps(['following:other'], 'viewer')).toEqual(['by 34', 'by nobody']);
  });

  test('drops nothing when nobody is followed or named', () => {
    for (const options of [[], 'following', 'following:stranger', ['stranger']]) {
      expect(keeps(options)).toHaveLength(3);
    }
  });

  test('refuses mixed forms and what is no identifier', () =>
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
