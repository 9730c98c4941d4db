import { expect, test } from 'bun:test';
import { testFilter } from 'feedloom/plugin/testing';
import { authorsDependOn } from '../../../src/plugin/index.ts';
import { builtIn, sentences } from '../built-in.ts';

const items = {
  'by 12': { author_id: '12' },
  'by 34': { author_id: '34' },
  'by x': { author_id: 'x' },
  'by an unknown author': {},
};
const ALL = Object.keys(items);
/** A user id of the greatest length. */
const LONGEST = '\u{1F30D}'.repeat(256);
const users = {
  viewer: { follows: ['34', 'x'] },
  other: { follows: ['12'] },
  alone: {},
  [LONGEST]: { follows: ['x'] },
};
const [VIEWER, OTHER] = ['viewer', 'other'].map((viewer) => ({ viewer }));

const LENGTHS = 'the user id after "following:" must have 1 to 256 characters';
const FORMS = 'must be one of three forms';
const FAULTS = (id: string) =>
  sentences({
    'names the valid forms': [['12', 'following'], ['following', 'following:12'], '12'].map((mixed) => [
      mixed,
      { error: `/filters/${id}: ${FORMS}` },
    ]),
    'names the valid lengths of a user id': ['following:', `following:${LONGEST}a`].flatMap((form) => [
      [form, { error: `/filters/${id}: ${LENGTHS}` }],
      [[form], { error: `/filters/${id}/0: ${LENGTHS}` }],
    ]),
  });
const refuses = [[2 ** 53], ['a'.repeat(257)]];

testFilter(builtIn, 'author_ids', {
  items,
  users,
  cases: [
    ...sentences({
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
        [`following:${LONGEST}`, ['by x']],
        [[`following:${LONGEST}`], ['by x']],
      ],
      'keeps nothing when the list of followed users is empty or has no viewer': [
        ['following', []],
        ['following', [], { viewer: 'alone' }],
        ['following', [], { viewer: 'stranger' }],
        ['following:stranger', [], VIEWER],
      ],
      'accepts an author id that begins like a following form': [
        [['followingbob'], ['by bob'], { items: { 'by bob': { author_id: 'followingbob' }, ...items } }],
      ],
    }),
    ...FAULTS('author_ids'),
  ],
  refuses,
});

testFilter(builtIn, 'remove_author_ids', {
  items,
  users,
  cases: [
    ...sentences({
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
        ['following', ALL],
        ['following:stranger', ALL],
        [['stranger'], ALL],
      ],
    }),
    ...FAULTS('remove_author_ids'),
  ],
  refuses,
});

test('a list of authors depends only on the content of items, and a list of followed users does not', () => {
  expect(authorsDependOn(['followingbob'])).toBe('content');
  expect(authorsDependOn(['following:bob'])).toBe('viewer');
  expect(authorsDependOn('following')).toBe('viewer');
});
