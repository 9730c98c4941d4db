import { TEST_NOW, type TestItem, testScoringFunction, testSignal } from 'feedloom/plugin/testing';
import { acts, builtIn, DAY, HOUR } from '../built-in.ts';

const MONTH_AGO = TEST_NOW - 30 * DAY;
const likes = (likes_count: number, updated_at?: number): TestItem => ({ likes_count, updated_at });
const old = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { created_at: MONTH_AGO }]));

testSignal(builtIn, 'popular', {
  cases: [
    {
      name: 'is engagement e as e / (e + 20), at any age',
      items: {
        none: {},
        half: { created_at: 1, likes_count: 10, comments_count: 7, shares_count: 3 },
        much: likes(1e9),
      },
      expect: { none: 0, half: 0.5, much: 1e9 / (1e9 + 20) },
    },
    {
      name: 'counts interactions with the service',
      items: { a: {} },
      interactions: [...acts('u', 'like', 'a'), ...acts('u', 'bookmark', 'a'), ...acts('u', 'view', 'a')],
      expect: { a: 1 / 21 },
    },
  ],
});

const at = (timestamp: number) => ({ timestamp });
const ONE = 1 / 21;
/** A comment every second before a time. */
const comments = (user: (time: number) => string, item: string, count: number, before: number) =>
  Array.from({ length: count }, (_, time) => acts(user(time), 'comment', item, at(before - time))).flat();
const fan = () => 'fan';
const crowd = Array.from({ length: 500 }, (_, user) => acts(`u${user}`, 'like', 'much')).flat();

testSignal(builtIn, 'popular_lately', {
  cases: [
    {
      name: 'is the mean of engagement in six hours, a day, a week and ever, each as e / (e + 20)',
      items: old('now', 'today', 'this week', 'long ago', 'never'),
      interactions: [
        ...acts('u', 'like', 'now', at(TEST_NOW - HOUR)),
        ...acts('u', 'like', 'today', at(TEST_NOW - 20 * HOUR)),
        ...acts('u', 'share', 'this week', at(TEST_NOW - 3 * DAY)),
        ...acts('u', 'comment', 'long ago', at(TEST_NOW - 20 * DAY)),
      ],
      expect: { now: ONE, today: (3 * ONE) / 4, 'this week': ONE / 2, 'long ago': ONE / 4, never: 0 },
    },
    {
      name: 'counts each user once per window',
      items: old('liked', 'talked about', 'pushed'),
      interactions: [
        ...[0, 1, 2, 3, 4].flatMap((user) => acts(`u${user}`, 'like', 'liked', at(TEST_NOW - HOUR))),
        ...comments(fan, 'pushed', 100, TEST_NOW - HOUR),
        ...comments(fan, 'pushed', 100, TEST_NOW - 20 * DAY),
        ...comments((time) => `u${time % 3}`, 'talked about', 100, TEST_NOW - 3 * DAY),
        ...acts('fan', 'like', 'pushed'),
        ...acts('fan', 'share', 'pushed'),
        ...acts('u9', 'like', 'talked about'),
      ],
      expect: { liked: 5 / 25, pushed: ONE, 'talked about': (2 * ONE + (2 * 4) / 24) / 4 },
    },
    {
      name: "takes a source's counts as they are, and counts users once after the last count",
      items: { x: { created_at: MONTH_AGO, likes_count: 10 } },
      interactions: [...comments(fan, 'x', 9, TEST_NOW - 3 * HOUR), ...comments(fan, 'x', 9, TEST_NOW)],
      records: [
        {
          kind: 'item',
          record: { item_id: 'x', ...likes(30), comments_count: 0, updated_at: TEST_NOW - 2 * HOUR },
        },
      ],
      expect: { x: (3 * (21 / 41) + 31 / 51) / 4 },
    },
    ...[
      [0, 500 / 520],
      [7 * HOUR, (3 * (500 / 520)) / 4],
    ].map(([later, much]) => ({
      name: 'stays below 1 and moves with the clock',
      items: old('much'),
      interactions: crowd.map((act) => ({ ...act, timestamp: TEST_NOW - later })),
      expect: { much },
    })),
  ],
});

/** Likes of 30 users. */
const thirty = (item: string, timestamp: number) =>
  Array.from({ length: 30 }, (_, index) => acts(`user ${index}`, 'like', item, { timestamp })).flat();

testSignal(builtIn, 'trending', {
  cases: [
    {
      name: 'is r / (r + 10) with the engagements r expected per hour',
      items: { fresh: {}, old: { created_at: TEST_NOW - 10 * HOUR }, none: {} },
      interactions: [...thirty('fresh', TEST_NOW), ...thirty('old', TEST_NOW - 9 * HOUR)],
      expect: { fresh: 0.963757504, old: 0.0565748899, none: 0.0295748614 },
    },
    ...[undefined, 'viewer'].map((viewer) => ({
      name: 'is the same for every viewer, and treats future items as items of now',
      items: {
        now: { created_at: TEST_NOW, likes_count: 5 },
        future: { created_at: TEST_NOW + 50, likes_count: 5, updated_at: TEST_NOW },
      },
      interactions: acts('viewer', 'view', 'now'),
      viewer,
      expect: { now: 3 / 13, future: 3 / 13 },
    })),
    ...[
      [0, 3 / 13],
      [HOUR, 2 / 12],
      [DAY, 0.0102498398],
      [1000 * HOUR, 0.00057996931],
    ].map(([later, a]) => ({
      name: `falls with time: ${later} s later`,
      items: { a: { created_at: TEST_NOW - later, likes_count: 5 } },
      expect: { a },
    })),
  ],
});

testSignal(builtIn, 'newest', {
  cases: [
    {
      name: 'grows with the time of an item, exactly',
      items: { old: { created_at: 0 }, a: { created_at: TEST_NOW - 0.001 }, b: { created_at: TEST_NOW } },
      expect: ['b', 'a', 'old'],
    },
    {
      name: 'is the time divided by a power of two',
      items: { old: { created_at: 0 }, b: { created_at: TEST_NOW } },
      expect: { old: 0, b: TEST_NOW / 2 ** 33 },
    },
  ],
});

/** Items with engagement right inside and outside of a window, and earlier. */
function around(days: number) {
  const start = TEST_NOW - days * DAY;
  const known = Object.fromEntries(
    ['quiet', 'old', 'risen', 'liked'].map((id) => [
      id,
      { created_at: start - HOUR, likes_count: id === 'quiet' ? 0 : 500, comments_count: 0, shares_count: 0 },
    ]),
  );
  return {
    items: { ...known, new: { created_at: start + 1, likes_count: 60, updated_at: TEST_NOW } },
    interactions: [
      ...acts('u', 'like', 'old', at(start)),
      ...acts('u', 'comment', 'liked', at(start + 1)),
      ...acts('v', 'share', 'liked', at(TEST_NOW)),
    ],
    records: [
      {
        kind: 'item',
        record: {
          item_id: 'risen',
          likes_count: 510,
          comments_count: 5,
          shares_count: 5,
          updated_at: TEST_NOW,
        },
      } as const,
    ],
  };
}

const WITHIN = { quiet: 0, old: 0, risen: 20 / 40, liked: 2 / 22, new: 60 / 80 };

for (const [signal, scoring, days] of [
  ['popular_1day', '1day', 1],
  ['popular_7day', '7day', 7],
  ['popular_30day', '30day', 30],
] as const) {
  const world = around(days);
  const name = `is the engagement e of the last ${days} days as e / (e + 20)`;
  testSignal(builtIn, signal, {
    ...world,
    cases: [
      { name, expect: WITHIN },
      { name: 'moves with the clock', now: TEST_NOW + 1, expect: { ...WITHIN, liked: 1 / 21, new: 0 } },
      {
        name: 'is 0 when all of that is past',
        now: TEST_NOW + days * DAY,
        expect: { quiet: 0, old: 0, risen: 0, liked: 0, new: 0 },
      },
      {
        name: 'is below 1',
        items: { much: likes(1e9) },
        interactions: [],
        records: [],
        expect: { much: 1e9 / (1e9 + 20) },
      },
    ],
  });
  testScoringFunction(builtIn, scoring, { ...world, cases: [{ name, expect: WITHIN }] });
}
