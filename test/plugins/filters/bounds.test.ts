import { expect, test } from 'bun:test';
import { parseMoment } from '../../../src/plugin/index.ts';
import { kept, testFilter } from '../../support/extensions.ts';
import { DAY, HOUR, NOW, Scene } from '../../support/scene.ts';

/** Filters on times, counts and parents. */

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
const MIDNIGHT = Date.UTC(2023, 10, 14) / 1000;
testFilter(
  'start_timestamp',
  new Scene()
    .item('before', { created_at: WEEK_AGO - 0.001 })
    .item('at', { created_at: WEEK_AGO })
    .item('before midnight', { created_at: MIDNIGHT - 0.001 })
    .item('midnight', { created_at: MIDNIGHT })
    .item('hour', { created_at: NOW - HOUR })
    .item('now', { created_at: NOW }),
  {
    'keeps items created at or after the moment, given in any form': [
      'days_ago:7',
      'hours_ago:168',
      ...formsOf(WEEK_AGO),
    ].map((form) => [form, ['at', 'before midnight', 'midnight', 'hour', 'now']]),
    'evaluates relative forms at the time of the request': [
      ['hours_ago:1', ['hour', 'now']],
      ['hours_ago:1', ['now'], { now: NOW + 1 }],
      ['days_ago:0', ['now']],
      [0, 6],
    ],
    'treats a date as its first instant in UTC': [['2023-11-14', ['midnight', 'hour', 'now']]],
    'accepts ISO times before 1970, which keep every item': LONG_AGO.map((form) => [form, 6]),
  },
  NO_MOMENTS,
);

testFilter(
  'end_timestamp',
  new Scene()
    .item('old', { created_at: NOW - 2 * HOUR })
    .item('at', { created_at: NOW - HOUR })
    .item('after', { created_at: NOW - HOUR + 0.001 }),
  {
    'keeps items created at or before the moment': ['hours_ago:1', ...formsOf(NOW - HOUR)].map((form) => [
      form,
      ['old', 'at'],
    ]),
    'evaluates relative forms at the time of the request': [
      ['hours_ago:1', ['old', 'at', 'after'], { now: NOW + 1 }],
      [0, []],
      ['1960-01-01', []],
      ['9999-12-31', 3],
    ],
  },
  [...NO_MOMENTS, 'tomorrow'],
);

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

testFilter(
  'engagement',
  new Scene().item('none').item('few').count('few', 2, 1, 0).item('many').count('many', 10, 5, 3),
  {
    'keeps the items within the bounds, which are inclusive': [
      [{ min_likes_count: 2 }, ['few', 'many']],
      [{ max_likes_count: 2 }, ['none', 'few']],
      [{ min_likes_count: 2, max_likes_count: 2 }, ['few']],
      [{ min_comments_count: 2 }, ['many']],
      [{ max_comments_count: 0 }, ['none']],
      [{ min_shares_count: 4 }, []],
      [{ max_shares_count: 2, min_likes_count: 1 }, ['few']],
    ],
    'keeps every item without bounds': [
      [{}, 3],
      [{ min_likes_count: 0 }, 3],
    ],
  },
  [
    ...[5, 'many', [10], { likes_count: 1 }, { min_likes: 1 }],
    ...[
      { min_likes_count: 3, max_likes_count: 2 },
      { min_shares_count: 1, max_shares_count: 0 },
    ],
    ...[-1, 1.5, Number.NaN, Infinity, '3', null, true, 2 ** 53].map((min_comments_count) => ({
      min_comments_count,
    })),
  ],
);

test("engagement adds interactions since the source's count to that count", () => {
  const live = new Scene().item('a').count('a', 1);
  live.now = NOW + 1;
  live.act('u', 'like', 'a');
  expect(kept(live, 'engagement', { min_likes_count: 2 })).toEqual(['a']);
  live.now = NOW + 2;
  live.unact('u', 'like', 'a');
  expect(kept(live, 'engagement', { min_likes_count: 2 })).toEqual([]);
});

testFilter(
  'replies',
  new Scene()
    .item('topic')
    .item('reply', { parent_item_id: 'topic', root_item_id: 'topic' })
    .item('reply to a stranger', { parent_item_id: 'nowhere' })
    .item('of a thread', { root_item_id: 'topic' }),
  {
    'keeps only items with a parent, or only items without one': [
      ['only', ['reply', 'reply to a stranger']],
      ['exclude', ['topic', 'of a thread']],
    ],
    'keeps replies and other items if it is not set': [null, '', 'none', []].map((off) => [off, 4]),
  },
  ['both', 'Only', 'include', true, 1, ['only'], { only: true }],
);

test('replies uses the current parent of an item, also after it was added or removed', () => {
  const changed = new Scene().item('a').item('b', { parent_item_id: 'a' });
  changed.item('a', { parent_item_id: 'x' }).item('b', {});
  expect(kept(changed, 'replies', 'only')).toEqual(['a']);
  changed.delete('a');
  expect(kept(changed, 'replies', 'only')).toEqual([]);
});
