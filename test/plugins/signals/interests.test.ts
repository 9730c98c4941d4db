import { TEST_NOW, type TestInteraction, type TestItem, testSignal } from 'feedloom/plugin/testing';
import { acts, builtIn, DAY, HOUR } from '../built-in.ts';

const at = (timestamp: number) => ({ timestamp });
const named = (...ids: string[]): Record<string, TestItem> =>
  Object.fromEntries(ids.map((id) => [id, { created_at: TEST_NOW - 100 * DAY }]));
const zeros = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, 0]));

/** Two disjoint interests: music and chess. Each has three fans, who liked two, three and four items of it. */
const TASTES = ['music', 'chess'];
const tastes = {
  items: named(...TASTES.flatMap((taste) => [0, 1, 2, 3].map((index) => `${taste} ${index}`))),
  interactions: TASTES.flatMap((taste) =>
    [1, 2, 3].flatMap((fan) =>
      [0, 1, 2, 3]
        .slice(0, fan + 1)
        .flatMap((index) => acts(`${taste} fan ${fan}`, 'like', `${taste} ${index}`)),
    ),
  ),
};
const also = (...more: TestInteraction[][]) => [...tastes.interactions, ...more.flat()];
const music = acts('viewer', 'like', 'music 0');
const CHESS = zeros('chess 0', 'chess 1', 'chess 2', 'chess 3');

/** The viewer liked `old` long ago and `new` now. A fan of each likes another item. */
const longAgo = {
  items: named('old', 'new', 'beside old', 'beside new', 'alone'),
  interactions: [
    ...acts('f', 'like', 'old', at(TEST_NOW - 10)),
    ...acts('f', 'like', 'beside old', at(TEST_NOW - 5)),
    ...acts('g', 'like', 'new', at(TEST_NOW - 10)),
    ...acts('g', 'like', 'beside new', at(TEST_NOW - 5)),
    ...acts('viewer', 'like', 'old', at(TEST_NOW - 60 * DAY)),
    ...acts('viewer', 'like', 'new', at(TEST_NOW - 1)),
  ],
};

/** Music, chess and tea: a fan of each likes two items of it. The viewer likes the first ones at some hours before. */
const pairs = (hours: Record<string, number>) => ({
  items: named('music', 'more music', 'chess', 'more chess', 'tea', 'more tea'),
  interactions: [
    ...['music', 'chess', 'tea'].flatMap((taste) =>
      acts(`${taste} fan`, 'like', [taste, `more ${taste}`], at(TEST_NOW - 999 * HOUR)),
    ),
    ...Object.entries(hours).flatMap(([taste, ago]) =>
      acts('viewer', 'like', taste, at(TEST_NOW - ago * HOUR)),
    ),
  ],
});
const RECENT = pairs({ tea: 37, music: 12, chess: 0 });

const nobody = (signal: { items: Record<string, TestItem>; interactions: TestInteraction[] }) =>
  ['somebody', 'unknown', undefined].map((viewer) => ({
    name: `is 0 for every item ${viewer === undefined ? 'without a viewer' : `for a viewer who is ${viewer}`}`,
    ...signal,
    users: { somebody: {} },
    viewer,
    expect: zeros(...Object.keys(signal.items)),
  }));

testSignal(builtIn, 'interest_all', {
  viewer: 'viewer',
  cases: [
    {
      name: 'is 1 for the item reached most, above 0 for other choices of similar users, else 0',
      ...tastes,
      interactions: also(music),
      // Items that the viewer acted on are starting points and not reached.
      expect: { ...CHESS, 'music 0': 0, 'music 1': 1, 'music 2': 0.432822602, 'music 3': 0.140785924 },
    },
    {
      name: 'gives later interactions more weight',
      ...tastes,
      interactions: also(music, acts('viewer', 'like', 'chess 0', at(TEST_NOW - 2 * DAY))),
      expect: { 'music 1': 1, 'chess 1': 0.23570226 },
    },
    {
      name: 'changes with the next like',
      ...tastes,
      interactions: also(music, acts('viewer', 'like', 'chess 0')),
      expect: { 'music 1': 1, 'chess 1': 1 },
    },
    {
      name: 'changes when a like is taken back',
      ...tastes,
      interactions: also(
        music,
        acts('viewer', 'like', 'chess 0'),
        acts('viewer', 'like', 'chess 0', { action: 'remove' }),
      ),
      expect: { 'music 1': 1, 'chess 1': 0 },
    },
    { name: 'fades', ...longAgo, expect: { 'beside new': 1, 'beside old': 0.0115919166, alone: 0 } },
    {
      name: 'fades slowly',
      ...RECENT,
      expect: { 'more chess': 1, 'more music': 0.471404521, 'more tea': 0.227154204 },
    },
    ...nobody(tastes),
  ],
});

testSignal(builtIn, 'interest_lasting', {
  viewer: 'viewer',
  cases: [
    {
      name: 'does not fade as interest_all does',
      ...longAgo,
      expect: { 'beside new': 1, 'beside old': 0.705946322, alone: 0 },
    },
    ...nobody(longAgo),
  ],
});

testSignal(builtIn, 'interest_recent', {
  viewer: 'viewer',
  cases: [
    {
      // With the same history, interest_all has (1 + 12 / 4) / (1 + 12 / 24) times that for music.
      name: 'fades within hours, and ignores interactions 36 hours before the latest',
      ...RECENT,
      expect: { 'more chess': 1, 'more music': 0.176776695, 'more tea': 0 },
    },
    {
      name: "measures time from the viewer's latest interaction, even if that is old",
      ...pairs({ music: 900, chess: 895 }),
      expect: { 'more chess': 1, 'more music': 0.314269681 },
    },
    ...nobody(RECENT),
  ],
});

const authored = {
  items: {
    read: { author_id: 'a', channel: 'music' },
    'by a in music': { author_id: 'a', channel: 'music' },
    'by a': { author_id: 'a', channel: 'tea' },
    'in music': { author_id: 'b', channel: 'music' },
    neither: { author_id: 'c', channel: 'chess' },
  },
  interactions: acts('viewer', 'like', 'read'),
};

testSignal(builtIn, 'profile', {
  viewer: 'viewer',
  cases: [
    {
      name: 'is 1 for the best match, and above 0 for matching items without interactions',
      ...authored,
      expect: { read: 1, 'by a in music': 1, 'by a': 5 / 9, 'in music': 4 / 9, neither: 0 },
    },
    ...nobody(authored),
  ],
});

/** The latest of two items of each author, channel and label has the weight 64, and the one before it 63. */
const wanted = {
  items: {
    ...named('other'),
    'by ann': { author_id: 'ann' },
    'in jazz': { channel: 'jazz' },
    'earlier in jazz': { channel: 'jazz', created_at: TEST_NOW - 2 * HOUR },
    blue: { ai_labels: { blue: 0.9 } },
    both: { author_id: 'bob', channel: 'tea' },
  },
  interactions: acts('viewer', 'like', 'other'),
};
const more = [
  { kind: 'author', value: 'ann' },
  { kind: 'channel', value: 'jazz' },
  { kind: 'label', value: 'blue' },
] as const;
const none = { 'by ann': 0, 'in jazz': 0, 'earlier in jazz': 0, blue: 0, both: 0, other: 0 };

testSignal(builtIn, 'more_of', {
  viewer: 'viewer',
  ...wanted,
  cases: [
    {
      name: 'is 1 for the newest item of each author, channel and label that the viewer wants more of',
      users: { viewer: { preferences: { more: [...more] } } },
      expect: { ...none, 'by ann': 1, 'in jazz': 1, 'earlier in jazz': 63 / 64, blue: 1 },
    },
    {
      name: 'is 1 for an item that matches two entries',
      users: {
        viewer: {
          preferences: {
            more: [{ kind: 'author', value: 'bob' }, { kind: 'channel', value: 'tea' }, ...more.slice(0, 1)],
          },
        },
      },
      expect: { ...none, both: 1, 'by ann': 0.5 },
    },
    {
      name: 'is 0 after the end of an entry, for less, and for unknown values',
      users: {
        viewer: {
          preferences: {
            more: [
              { kind: 'author', value: 'ann', until: TEST_NOW },
              { kind: 'channel', value: 'unknown' },
            ],
            less: [{ kind: 'channel', value: 'jazz' }],
          },
        },
      },
      expect: none,
    },
    ...['viewer', 'unknown', undefined].map((viewer) => ({
      name: `is 0 for every item for ${viewer ?? 'no viewer'}, who set no preferences`,
      viewer,
      expect: none,
    })),
  ],
});

/** A vector of 16 numbers that begins with these. */
const vector = (...numbers: number[]) => ({ embedding: [...numbers, ...Array(16 - numbers.length).fill(0)] });
const embedded = {
  items: {
    read: vector(100),
    close: vector(100, 20),
    further: vector(100, 80),
    other: vector(0, 0, 100),
    without: {},
  },
  interactions: acts('viewer', 'like', 'read'),
};

testSignal(builtIn, 'semantic_interest', {
  viewer: 'viewer',
  cases: [
    {
      name: 'is 1 for the most similar item, also without interactions, and 0 for items without similarity',
      ...embedded,
      expect: { close: 1, further: 0.6, read: 0, other: 0, without: 0 },
    },
    {
      name: 'is 0 without embeddings',
      items: named('a', 'b'),
      interactions: acts('viewer', 'like', 'a'),
      expect: { a: 0, b: 0 },
    },
    ...nobody(embedded),
  ],
});
