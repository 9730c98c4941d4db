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
/** A record of a network that puts a user on a list. */
const listed = (list_id: string, target_user_id: string) => ({
  kind: 'list_member' as const,
  record: { user_id: '12', event_id: target_user_id, list_id, target_user_id },
});
const LIST = 'at://did:plc:x/app.bsky.graph.list/following:12';
const records = [listed(LIST, '34'), listed(LIST, 'without posts'), listed('l', 'x'), listed(LONGEST, '12')];
const [VIEWER, OTHER] = ['viewer', 'other'].map((viewer) => ({ viewer }));

const LENGTHS = 'the user id after "following:" must have 1 to 256 characters';
const LIST_LENGTHS = 'the list id after "list:" must have 1 to 256 characters';
const FORMS = 'must be one of four forms';
const FAULTS = (id: string) =>
  sentences({
    'names the valid forms': [['12', 'following'], ['following', 'following:12'], '12'].map((mixed) => [
      mixed,
      { error: `/filters/${id}: ${FORMS}` },
    ]),
    'names the valid lengths of the id of a list': ['list:', `list:${LONGEST}a`].map((form) => [
      form,
      { error: `/filters/${id}: ${LIST_LENGTHS}` },
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
  records,
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
      'keeps items of the members of a list, named by a text': [
        [`list:${LIST}`, ['by 34']],
        ['list:l', ['by x'], VIEWER],
        [`list:${LONGEST}`, ['by 12']],
        ['list:unknown', []],
        [['list:l'], []],
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
  records,
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
      'drops items of the members of a list, named by a text': [
        [`list:${LIST}`, ['by 12', 'by x', 'by an unknown author']],
        ['list:unknown', ALL],
        [['list:l'], ALL],
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

test('a list depends only on the content of items, and the users that somebody follows do not', () => {
  expect(authorsDependOn('list:l')).toBe('content');
  expect(authorsDependOn(['followingbob'])).toBe('content');
  expect(authorsDependOn(['following:bob'])).toBe('viewer');
  expect(authorsDependOn('following')).toBe('viewer');
});
