import { describe, expect, test } from 'bun:test';
import { authorsDependOn } from '../../../src/plugin/index.ts';
import { faults, kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('by 12', { author: '12' })
  .item('by 34', { author: '34' })
  .item('by x', { author: 'x' })
  .item('by an unknown author')
  .follow('viewer', '34')
  .follow('viewer', 'x')
  .follow('other', '12')
  .user('alone');

const keeps = (options: unknown, viewer?: string) => kept(scene, 'author_ids', options, { viewer });

describe('author_ids', () => {
  test('keeps items of the listed authors, given as text or integers', () => {
    expect(keeps(['12', 34])).toEqual(['by 12', 'by 34']);
    expect(keeps([12, 12])).toEqual(['by 12']);
    expect(keeps(['012'])).toEqual([]);
    expect(keeps(['never heard of', 'x'])).toEqual(['by x']);
  });

  test('keeps items of users that the viewer follows', () => {
    for (const form of ['following', ['following']]) {
      expect(keeps(form, 'viewer')).toEqual(['by 34', 'by x']);
      expect(keeps(form, 'other')).toEqual(['by 12']);
    }
  });

  test('keeps items of users that a given user follows, for any viewer', () => {
    for (const form of ['following:viewer', ['following:viewer']]) {
      expect(keeps(form)).toEqual(['by 34', 'by x']);
      expect(keeps(form, 'other')).toEqual(['by 34', 'by x']);
    }
  });

  test('keeps nothing when the list of followed users is empty or has no viewer', () => {
    expect(keeps('following')).toEqual([]);
    expect(keeps('following', 'alone')).toEqual([]);
    expect(keeps('following', 'stranger')).toEqual([]);
    expect(keeps('following:stranger', 'viewer')).toEqual([]);
  });

  test('rejects mixed forms and names the valid forms', () => {
    for (const options of [['12', 'following'], ['following', 'following:12'], '12']) {
      expect(faults({ filters: { author_ids: options } })[0]).toContain('must be one of three forms');
    }
  });

  test('accepts any valid user id after following:, in both forms', () => {
    const longest = '\u{1F30D}'.repeat(256);
    const followed = new Scene()
      .item('by x', { author: 'x' })
      .item('by y', { author: 'y' })
      .follow(longest, 'x');
    for (const form of [`following:${longest}`, [`following:${longest}`]])
      expect(kept(followed, 'author_ids', form)).toEqual(['by x']);
    const lengths = 'the user id after "following:" must have 1 to 256 characters';
    for (const form of ['following:', `following:${longest}a`]) {
      expect(faults({ filters: { author_ids: form } })).toEqual([`/filters/author_ids: ${lengths}`]);
      expect(faults({ filters: { author_ids: [form] } })).toEqual([`/filters/author_ids/0: ${lengths}`]);
    }
  });

  test('accepts an author id that begins like a following form', () => {
    const scene = new Scene().item('by bob', { author: 'followingbob' }).item('by x', { author: 'x' });
    expect(kept(scene, 'author_ids', ['followingbob'])).toEqual(['by bob']);
    expect(authorsDependOn(['followingbob'])).toBe('content');
    expect(authorsDependOn(['following:bob'])).toBeUndefined();
    expect(authorsDependOn('following')).toBeUndefined();
  });

  test('rejects invalid identifiers', () =>
    refused('author_ids', [
      12,
      true,
      {},
      [null],
      [''],
      ['a'.repeat(257)],
      [1.5],
      [2 ** 53],
      [['12']],
      [Number.NaN],
    ]));
});
