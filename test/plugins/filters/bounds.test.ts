import { expect, test } from 'bun:test';
import { TEST_NOW, testFilter } from 'feedloom/plugin/testing';
import { parseMoment } from '../../../src/plugin/index.ts';
import { acts, builtIn, DAY, HOUR, sentences } from '../built-in.ts';

/** Filters on times, counts and parents. */

/** Not at midnight, and not at a full hour. */
const NOW = TEST_NOW - 45 * 60;

/** The ways in which a request names a moment. */
function formsOf(moment: number): unknown[] {
  const iso = (at: number) => new Date(at * 1000).toISOString().slice(0, 19);
  const utc = iso(moment);
  return [
    ...[moment, String(moment), `${utc}.000Z`, utc, `${iso(moment + HOUR)}+01:00`, utc.replace('T', ' ')],
    ...[`${utc.replace('T', ' ')} UTC`, `${utc.toLowerCase()}.000000z`],
  ];
}

const NO_MOMENTS = [
  ...[-1, '-1', 1e11 + 1, NOW * 1000, String(NOW * 1000), Number.NaN, Infinity, '1e9', '0x10'],
  ...['days_ago', 'days_ago:', 'days_ago:-1', 'days_ago:1.5', 'days_ago: 1', 'hours_ago:x', 'weeks_ago:1'],
  ...['DAYS_AGO:1', 'yesterday', '2023-11-14  12:00', '2023-02-30', '2023-13-01', '14.11.2023'],
  ...[true, ['days_ago:1'], [1], {}, { days: 1 }],
];

const WEEK_AGO = NOW - 7 * DAY;
const LONG_AGO = ['1969-12-31', '1969-01-01', '1968-02-29T12:00', '1960-01-01', '0099-06-01', '0000-01-01'];
const MIDNIGHT = TEST_NOW - DAY;
const times = {
  before: { created_at: WEEK_AGO - 0.001 },
  at: { created_at: WEEK_AGO },
  'before midnight': { created_at: MIDNIGHT - 0.001 },
  midnight: { created_at: MIDNIGHT },
  hour: { created_at: NOW - HOUR },
  now: { created_at: NOW },
};

testFilter(builtIn, 'start_timestamp', {
  items: times,
  now: NOW,
  cases: sentences({
    'keeps items created at or after the moment, given in any form': [
      'days_ago:7',
      'hours_ago:168',
      ...formsOf(WEEK_AGO),
    ].map((form) => [form, ['at', 'before midnight', 'midnight', 'hour', 'now']]),
    'evaluates relative forms at the time of the request': [
      ['hours_ago:1', ['hour', 'now']],
      ['hours_ago:1', ['now'], { now: NOW + 1 }],
      ['days_ago:0', ['now']],
      [0, Object.keys(times)],
    ],
    'treats a date as its first instant in UTC': [['2025-12-31', ['midnight', 'hour', 'now']]],
    'accepts ISO times before 1970, which keep every item': LONG_AGO.map((form) => [
      form,
      Object.keys(times),
    ]),
  }),
  refuses: NO_MOMENTS,
});

testFilter(builtIn, 'end_timestamp', {
  items: {
    old: { created_at: NOW - 2 * HOUR },
    at: { created_at: NOW - HOUR },
    after: { created_at: NOW - HOUR + 0.001 },
  },
  now: NOW,
  cases: sentences({
    'keeps items created at or before the moment': ['hours_ago:1', ...formsOf(NOW - HOUR)].map((form) => [
      form,
      ['old', 'at'],
    ]),
    'evaluates relative forms at the time of the request': [
      ['hours_ago:1', ['old', 'at', 'after'], { now: NOW + 1 }],
      [0, []],
      ['1960-01-01', []],
      ['9999-12-31', ['old', 'at', 'after']],
    ],
  }),
  refuses: [...NO_MOMENTS, 'tomorrow'],
});

test.each(['2023-02-30', '2023-13-01', '1900-02-29', '2023-01-01T24:00'])(
  'the moment %s does not exist',
  (form) => {
    expect(() => parseMoment(form)).toThrow('this date or time of day does not exist');
  },
);

test.each([
  [1e3, 'milliseconds'],
  [1e6, 'microseconds'],
  [1e9, 'nanoseconds'],
])('a number that is %d times too large for seconds is reported as %s', (factor, unit) => {
  for (const form of [NOW * factor, String(NOW * factor)])
    expect(() => parseMoment(form)).toThrow(`expected seconds, this looks like ${unit}`);
});

const liked = acts('u', 'like', 'few');
const counted = {
  none: {},
  few: { likes_count: 2, comments_count: 1 },
  many: { likes_count: 10, comments_count: 5, shares_count: 3 },
};

testFilter(builtIn, 'engagement', {
  items: counted,
  cases: sentences({
    'keeps the items within the bounds, which are inclusive': [
      [{ min_likes_count: 2 }, ['few', 'many']],
      [{ max_likes_count: 2 }, ['none', 'few']],
      [{ min_likes_count: 2, max_likes_count: 2 }, ['few']],
      [{ min_comments_count: 2 }, ['many']],
      [{ max_comments_count: 0 }, ['none']],
      [{ min_shares_count: 4 }, []],
      [{ max_shares_count: 2, min_likes_count: 1 }, ['few']],
    ],
    'keeps every item without bounds': [{}, { min_likes_count: 0 }].map((bounds) => [
      bounds,
      Object.keys(counted),
    ]),
    "adds interactions since the source's count to that count, until they are removed": [
      [{ min_likes_count: 3 }, ['few', 'many'], { interactions: liked }],
      [
        { min_likes_count: 3 },
        ['many'],
        { interactions: [...liked, ...acts('u', 'like', 'few', { action: 'remove' })] },
      ],
    ],
  }),
  refuses: [
    ...[5, 'many', [10], { likes_count: 1 }, { min_likes: 1 }],
    ...[
      { min_likes_count: 3, max_likes_count: 2 },
      { min_shares_count: 1, max_shares_count: 0 },
    ],
    ...[-1, 1.5, Number.NaN, Infinity, '3', null, true, 2 ** 53].map((min_comments_count) => ({
      min_comments_count,
    })),
  ],
});

const thread = {
  topic: {},
  reply: { parent_item_id: 'topic', root_item_id: 'topic' },
  'reply to a stranger': { parent_item_id: 'nowhere' },
  'of a thread': { root_item_id: 'topic' },
};
const moved = [
  { kind: 'item', record: { item_id: 'topic', parent_item_id: 'x' } },
  { kind: 'item', record: { item_id: 'reply', parent_item_id: '' } },
] as const;
const deleted = { kind: 'item_deletion', record: { item_id: 'topic' } } as const;

testFilter(builtIn, 'replies', {
  items: thread,
  cases: sentences({
    'keeps only items with a parent, or only items without one': [
      ['only', ['reply', 'reply to a stranger']],
      ['exclude', ['topic', 'of a thread']],
    ],
    'keeps replies and other items if it is not set': [null, '', 'none', []].map((off) => [
      off,
      Object.keys(thread),
    ]),
    'uses the current parent of an item, also after it was added or removed': [
      ['only', ['topic', 'reply to a stranger'], { records: moved }],
      ['only', ['reply to a stranger'], { records: [...moved, deleted] }],
    ],
  }),
  refuses: ['both', 'Only', 'include', true, 1, ['only'], { only: true }],
});
