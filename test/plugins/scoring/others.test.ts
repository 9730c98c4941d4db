import { expect, test } from 'bun:test';
import { TEST_NOW, testScoringFunction } from 'feedloom/plugin/testing';
import { acts, builtIn, DAY } from '../built-in.ts';
import { forYou } from './for-you-world.ts';

/** Scoring functions that are one signal, those of wallets, and that of weights. */

test.each([
  ['newest_v0.0.1', undefined],
  ['weighted_v0.0.1', undefined],
  ['popular_v0.0.1', ['popular']],
  ['1day', ['popular']],
  ['7day', ['popular']],
  ['30day', ['popular']],
  ['trending_v0.0.1', ['trending']],
  ['wallet_popular_v0.0.1', ['popular']],
  ['wallet_v0.0.1', ['for-you']],
] as const)('%s is for feeds of the types %j', (id, types) => {
  expect(builtIn.scoring_functions![id].feeds as unknown).toEqual(types);
});

const items = {
  none: { created_at: TEST_NOW },
  some: { created_at: TEST_NOW, likes_count: 1, comments_count: 2, shares_count: 3 },
  old: { created_at: TEST_NOW - 2 * DAY, likes_count: 100 },
};
const POPULAR = { none: 0, some: 6 / 26, old: 100 / 120 };

testScoringFunction(builtIn, 'popular_v0.0.1', {
  items,
  cases: [{ name: 'is the signal popular', expect: POPULAR }],
});
testScoringFunction(builtIn, 'newest_v0.0.1', {
  items,
  cases: [
    {
      name: 'is the time of an item',
      expect: { none: TEST_NOW, some: TEST_NOW, old: TEST_NOW - 2 * DAY },
    },
  ],
});
testScoringFunction(builtIn, 'trending_v0.0.1', {
  items,
  cases: [
    { name: 'ranks what is fresh first', expect: ['some', 'none', 'old'] },
    { name: 'is the signal trending', signals: { trending: { old: 0.5 } }, expect: { old: 0.5, some: 0 } },
  ],
});
testScoringFunction(builtIn, 'wallet_popular_v0.0.1', {
  items,
  cases: [
    {
      name: 'is the signal popular_lately',
      signals: { popular_lately: { old: 0.5 } },
      expect: { old: 0.5, some: 0 },
    },
  ],
});

const at = (ago: number) => ({ timestamp: TEST_NOW - ago });
testScoringFunction(builtIn, 'wallet_v0.0.1', {
  items: {
    mine: { channel: 'collection' },
    'same collection': { channel: 'collection' },
    'of like holdings': { channel: 'other' },
    popular: {},
    nothing: {},
    'of less like ones': {},
  },
  interactions: [
    ...acts('viewer', 'share', 'mine', at(100)),
    ...['f', 'g'].flatMap((user) => [
      ...acts(user, 'share', 'mine', at(90)),
      ...acts(user, 'share', 'of like holdings', at(80)),
    ]),
    ...acts('g', 'share', 'of less like ones', at(80)),
    ...Array.from({ length: 9 }, (_, user) => acts(`u${user}`, 'share', 'popular', at(70))).flat(),
  ],
  viewer: 'viewer',
  cases: [
    {
      name: 'ranks items of similar wallets first, and items of a held collection above others',
      expect: ['of like holdings', 'same collection', 'nothing'],
    },
    { name: 'ranks items of similar wallets above popular ones', expect: ['of like holdings', 'popular'] },
    {
      name: 'adds up similar holdings, collections, momentum and recent popularity, in [0, 1]',
      signals: {
        interest_lasting: { mine: 1, popular: 0.5 },
        profile: { mine: 1, nothing: 0.5 },
        momentum: { mine: 1, popular: 0.25 },
        popular_lately: { mine: 1, nothing: 1 },
      },
      expect: {
        mine: 1,
        popular: (0.5 ** 0.7 + 0.8 * 0.25) / 2.2,
        nothing: (0.2 * 0.5 + 0.2) / 2.2,
        'same collection': 0,
      },
    },
  ],
});

const weights = (given: Record<string, unknown>) => ({ weights: given });
const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`signal ${index}`, 1]));
const given = {
  interest_all: { chess: 0.5, 'jazz 0': 1 },
  affinity_all: { chess: 0.5 },
  momentum: { chess: 0.25 },
  dislike: { chess: 1 },
};

testScoringFunction(builtIn, 'weighted_v0.0.1', {
  ...forYou,
  cases: [
    {
      name: 'uses interest_all, and affinity_all and momentum at half weight, by default',
      signals: given,
      expect: { chess: 0.5 + 0.5 * 0.5 + 0.5 * 0.25, 'jazz 0': 1, 'of no user': 0 },
    },
    {
      name: 'is the sum of the named signals, each times its weight',
      signals: given,
      options: weights({ interest_all: 2, affinity_all: 0.25, dislike: 0 }),
      expect: { chess: 2 * 0.5 + 0.25 * 0.5, 'jazz 0': 2 },
    },
    {
      name: 'uses the signals of the viewer',
      options: weights({ affinity_closest: 3, momentum: 2, popular: 0 }),
      expect: ['of the closest', 'of the crowd', 'of no user'],
    },
    {
      name: 'says to name a signal',
      options: weights({}),
      expect: { error: 'name at least one signal' },
    },
    {
      name: 'names the known signals',
      options: weights({ popular: 1, popularity: 1 }),
      expect: {
        error: `/scoring/options: 'popularity' is not a known signal; known are ${Object.keys(builtIn.signals!).join(', ')}`,
      },
    },
  ],
  refuses: [
    ...[-1, 1e6 + 1, Number.NaN, Infinity, '1', null].map((weight) => weights({ popular: weight })),
    ...[{}, many, [], 1, 'popular'].map((bad) => ({ weights: bad })),
    { signals: {} },
  ],
});
