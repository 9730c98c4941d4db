import { TEST_NOW, testSignal } from 'feedloom/plugin/testing';
import { acts, builtIn, DAY } from '../built-in.ts';

/** Two followed users acted on one item, and a third one on the other. */
const ofFriends = [
  ...acts('one', 'like', 'of two'),
  ...acts('two', 'like', 'of two'),
  ...acts('close', 'like', 'of one'),
];
const friends = { viewer: { follows: ['one', 'two', 'close'] } };

/** Without follows, without acts, and without a viewer. */
const forOthers = (expect: Record<string, number>) =>
  ['somebody', 'unknown', undefined].map((viewer) => ({
    name: `is 0 for every item for ${viewer ?? 'no'} viewer`,
    viewer,
    interactions: ofFriends,
    expect,
  }));
const OF_FRIENDS = { 'of two': 0, 'of one': 0, shared: 0, 'of no user': 0 };

testSignal(builtIn, 'affinity_all', {
  viewer: 'viewer',
  items: { none: {}, one: {}, old: {}, three: { author_id: 'a', created_at: TEST_NOW } },
  users: { viewer: { follows: ['a', 'b', 'c'] } },
  cases: [
    {
      name: 'counts followed users by recency, divided by the count of the best item',
      interactions: [
        ...acts('a', 'like', 'one'),
        ...acts('b', 'share', 'three'),
        ...acts('c', 'bookmark', 'three'),
        ...acts('b', 'like', 'old', { timestamp: TEST_NOW - 3 * DAY }),
        ...acts('stranger', 'like', 'none'),
        ...acts('a', 'view', 'none'),
      ],
      expect: { none: 0, one: 1 / 3, old: 1 / 12, three: 1 },
    },
    ...forOthers({ none: 0, one: 0, old: 0, three: 0 }),
  ],
});

testSignal(builtIn, 'affinity_closest', {
  viewer: 'viewer',
  items: { 'of two': {}, 'of one': {}, shared: {}, 'of no user': {} },
  cases: [
    {
      name: 'gives equally close users the same weight',
      users: friends,
      interactions: ofFriends,
      expect: { 'of two': 1, 'of one': 0.5, shared: 0, 'of no user': 0 },
    },
    {
      name: 'ranks an item of one close mutual follow above an item of two distant ones',
      users: { ...friends, close: { follows: ['viewer'] } },
      interactions: [...ofFriends, ...acts('viewer', 'like', 'shared'), ...acts('close', 'like', 'shared')],
      expect: ['of one', 'of two', 'of no user'],
    },
    ...forOthers(OF_FRIENDS),
  ],
});

testSignal(builtIn, 'author_affinity', {
  viewer: 'viewer',
  items: {
    a1: { author_id: 'a' },
    a2: { author_id: 'a' },
    b: { author_id: 'b' },
    c: { author_id: 'c' },
    unknown: {},
  },
  interactions: [
    ...acts('viewer', 'like', 'a1'),
    ...acts('viewer', 'share', 'a1'),
    ...acts('viewer', 'comment', 'a2'),
    ...acts('viewer', 'view', 'b'),
    ...acts('viewer', 'hide', 'c'),
    ...acts('viewer', 'like', 'unknown'),
  ],
  cases: [
    {
      name: 'is n / (n + 3) for n interactions with items of the author',
      expect: { a1: 0.5, a2: 0.5, b: 0.2 / 3.2, c: 0, unknown: 0 },
    },
    ...forOthers({ a1: 0, a2: 0, b: 0, c: 0, unknown: 0 }),
  ],
});

const channels = {
  other: { author_id: 'b', channel: 'chess' },
  a0: { author_id: 'a', channel: 'music' },
  a1: { author_id: 'a', channel: 'music' },
  a2: { author_id: 'a', channel: 'music' },
  'in music': { author_id: 'b', channel: 'music' },
};
const undisliked = Object.fromEntries(Object.keys(channels).map((id) => [id, 0]));

testSignal(builtIn, 'dislike', {
  viewer: 'viewer',
  items: channels,
  cases: [
    {
      name: 'is the greatest n / (n + p + 2) for n hides and p likes of the author, channel or labels',
      interactions: [
        ...acts('viewer', 'hide', 'a0'),
        ...acts('viewer', 'report', 'a1'),
        ...acts('viewer', 'like', ['in music', 'other']),
      ],
      expect: { other: 0, a0: 0.5, a1: 0.5, a2: 0.5, 'in music': 0.4 },
    },
    ...['viewer', 'unknown', undefined].map((viewer) => ({
      name: `is 0 for ${viewer ?? 'no viewer'}, who hid nothing`,
      viewer,
      interactions: [...acts('viewer', 'like', 'a0'), ...acts('other', 'hide', 'a0')],
      expect: undisliked,
    })),
  ],
});
