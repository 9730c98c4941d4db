import { expect, test } from 'bun:test';
import { authorsDependOn } from '../../../src/plugin/index.ts';
import { faults, kept, testFilter } from '../../support/extensions.ts';
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

const [VIEWER, OTHER] = ['viewer', 'other'].map((viewer) => ({ viewer }));
const BAD = [['12', 'following'], ['following', 'following:12'], 'following:', [2 ** 53], ['a'.repeat(257)]];

testFilter(
  'author_ids',
  scene,
  {
    'keeps items of the listed authors, given as text or integers': [
      [
        ['12', 34],
        ['by 12', 'by 34'],
      ],
      [[12, 12], ['by 12']],
      [['012'], []],
      [['never heard of', 'x'], ['by x']],
    ],
    'keeps items of users that the viewer follows': ['following', ['following']].flatMap((form) => [
      [form, ['by 34', 'by x'], VIEWER],
      [form, ['by 12'], OTHER],
    ]),
    'keeps items of users that a given user follows, for any viewer': [
      ['following:viewer', ['by 34', 'by x']],
      ['following:viewer', ['by 34', 'by x'], OTHER],
      [['following:viewer'], ['by 34', 'by x'], OTHER],
    ],
    'keeps nothing when the list of followed users is empty or has no viewer': [
      ['following', []],
      ['following', [], { viewer: 'alone' }],
      ['following', [], { viewer: 'stranger' }],
      ['following:stranger', [], VIEWER],
    ],
  },
  BAD,
);

testFilter(
  'remove_author_ids',
  scene,
  {
    'drops items of the listed authors and keeps items of unknown authors': [
      [['12'], ['by 34', 'by x', 'by an unknown author']],
      [
        [12, '34', 'unknown user'],
        ['by x', 'by an unknown author'],
      ],
    ],
    'drops items of users that the viewer or a given user follows': [
      ['following', ['by 12', 'by an unknown author'], VIEWER],
      [['following:other'], ['by 34', 'by x', 'by an unknown author'], VIEWER],
    ],
    'drops nothing if no users are followed or listed': [
      ['following', 4],
      ['following:stranger', 4],
      [['stranger'], 4],
    ],
  },
  BAD,
);

test('author_ids rejects mixed forms and names the valid forms', () => {
  for (const options of [['12', 'following'], ['following', 'following:12'], '12'])
    expect(faults({ filters: { author_ids: options } })[0]).toContain('must be one of three forms');
});

test('author_ids accepts any valid user id after following:, in both forms', () => {
  const longest = '\u{1F30D}'.repeat(256);
  const followed = new Scene().item('by x', { author: 'x' }).item('by y', { author: 'y' });
  followed.follow(longest, 'x');
  for (const form of [`following:${longest}`, [`following:${longest}`]])
    expect(kept(followed, 'author_ids', form)).toEqual(['by x']);
  const lengths = 'the user id after "following:" must have 1 to 256 characters';
  for (const form of ['following:', `following:${longest}a`]) {
    expect(faults({ filters: { author_ids: form } })).toEqual([`/filters/author_ids: ${lengths}`]);
    expect(faults({ filters: { author_ids: [form] } })).toEqual([`/filters/author_ids/0: ${lengths}`]);
  }
});

test('author_ids accepts an author id that begins like a following form', () => {
  const bobs = new Scene().item('by bob', { author: 'followingbob' }).item('by x', { author: 'x' });
  expect(kept(bobs, 'author_ids', ['followingbob'])).toEqual(['by bob']);
  expect(authorsDependOn(['followingbob'])).toBe('content');
  expect(authorsDependOn(['following:bob'])).toBeUndefined();
  expect(authorsDependOn('following')).toBeUndefined();
});
