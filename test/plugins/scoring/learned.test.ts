import { expect, test } from 'bun:test';
import { TEST_NOW, testScoringFunction } from 'feedloom/plugin/testing';
import { builtIn } from '../built-in.ts';

const created_at = TEST_NOW - 3_600;
const items = {
  one: { created_at, author_id: 'a' },
  two: { created_at, author_id: 'b' },
  three: { created_at },
};
const signals = {
  interest_all: { one: 0.5, two: 0.2 },
  momentum: { one: 0.5, two: 0.5, three: 0.5 },
  click_rate: { one: 0, two: 0.3, three: 0 },
};

/** The odds of a chance are those of the default, which is the score of `balanced_feed_v0.0.1` plus 0.001. */
const byDefault = (interest: number) => {
  const pace = Math.sqrt(0.52);
  const odds = 0.001 + (0.3 + interest) ** 1.5 * pace ** 1.5;
  return odds / (1 + odds);
};
const feature = (value: number) => Math.log10(1 + value / 0.001);
const chance = (logit: number) => 1 / (1 + Math.exp(-logit));

testScoringFunction(builtIn, 'learned_v0.0.1', {
  items,
  signals,
  cases: [
    {
      name: 'is the chance by the default score while nothing is learnt',
      expect: { one: byDefault(0.5), two: byDefault(0.2), three: byDefault(0) },
    },
    {
      name: 'ranks by what was learnt',
      learnt: { click_rate: 3 },
      expect: ['two', 'one', 'three'],
    },
    {
      name: 'adds a term for each weight, and the intercept',
      learnt: { default: 0, intercept: -1, interest_all: 2 },
      signals: { interest_all: { one: 1, two: 0.25 } },
      expect: { one: chance(2 * feature(1) - 1), two: chance(2 * feature(0.25) - 1), three: chance(-1) },
    },
    {
      name: 'learns signals that its options name',
      options: { signals: ['newest'] },
      learnt: { default: 0, newest: 1 },
      items: { early: { created_at: 0 }, late: { created_at: 2 ** 31 } },
      now: 2 ** 31,
      expect: { early: 0.5, late: chance(feature(0.25)) },
    },
  ],
  refuses: [{ signals: Array(13).fill('newest') }, { signals: 'newest' }],
});

test('learned_v0.0.1 is for for-you and trending feeds', () => {
  const { feeds, signals: named, learns } = builtIn.scoring_functions!['learned_v0.0.1'];
  expect(feeds).toEqual(['for-you', 'trending']);
  for (const feed_type of ['for-you', 'trending'] as const)
    expect(named?.({ signals: ['newest'] }, feed_type)).toEqual(learns!({ signals: ['newest'] }, feed_type));
});
