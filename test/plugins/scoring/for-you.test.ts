import { describe, expect, test } from 'bun:test';
import { faults, scores } from '../../support/extensions.ts';
import { forYouScene, order, partsOf, times, VIEWER } from '../../support/for-you.ts';
import { DAY, NOW } from '../../support/scene.ts';

/**
 * The scores of the example items by the scoring functions of for-you feeds, with the signals that they use. A change of a
 * formula or of a signal shows here.
 */
const FUNCTIONS: Record<string, { signals: string[]; scores: Record<string, number> }> = {
  'balanced_feed_v0.0.1': {
    signals: ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'],
    scores: {
      'of long taste': 0.196368769,
      'of the crowd': 0.166775408,
      'of recent taste': 0.106701713,
      'of the closest': 0.086297284,
      'by the musician': 0.047649409,
      'of three friends': 0.047569984,
      'of no user': 0.012155748,
      'of the hidden': 0.006077874,
    },
  },
  'balanced_feed_interest_bias_v0.0.1': {
    signals: ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'],
    scores: {
      'of long taste': 0.755615442,
      'of recent taste': 0.465542997,
      'of the closest': 0.353698557,
      'by the musician': 0.18126857,
      'of the crowd': 0.16513226,
      'of three friends': 0.109557932,
      'of no user': 0.068978722,
      'of the hidden': 0.034489361,
    },
  },
  'balanced_feed_affinity_bias_v0.0.1': {
    signals: ['interest_all', 'profile', 'momentum', 'affinity_all', 'dislike'],
    scores: {
      'of the crowd': 0.304488843,
      'of three friends': 0.200424257,
      'of the closest': 0.146225856,
      'of long taste': 0.172226803,
      'of recent taste': 0.107701079,
      'by the musician': 0.06738644,
      'of no user': 0.022193257,
      'of the hidden': 0.011096629,
    },
  },
  'user_affinity_all_following_v0.0.1': {
    signals: ['affinity_all', 'momentum', 'dislike'],
    scores: {
      'of three friends': 0.173231483,
      'of the crowd': 0.0525,
      'of the closest': 0.031637232,
      'by the musician': 0.004954936,
      'of long taste': 0.004876861,
      'of recent taste': 0.004126595,
      'of no user': 0.003052755,
      'of the hidden': 0.001526378,
    },
  },
  'user_affinity_closest_following_v0.0.1': {
    signals: ['affinity_closest', 'momentum', 'dislike'],
    scores: {
      'of the closest': 0.086658504,
      'of the crowd': 0.0525,
      'of three friends': 0.040856621,
      'by the musician': 0.004954936,
      'of long taste': 0.004876861,
      'of recent taste': 0.004126595,
      'of no user': 0.003052755,
      'of the hidden': 0.001526378,
    },
  },
  'user_interest_all_v0.0.1': {
    signals: ['interest_all', 'profile', 'semantic_interest', 'momentum', 'dislike'],
    scores: {
      'of long taste': 1.000000048,
      'of recent taste': 0.681527977,
      'of the closest': 0.499572876,
      'by the musician': 0.100000049,
      'of the crowd': 0.000001,
      'of three friends': 1.15e-7,
      'of no user': 1.1e-8,
      'of the hidden': 6e-9,
    },
  },
  'user_interest_recent_v0.0.1': {
    signals: ['interest_recent', 'momentum', 'dislike'],
    scores: {
      'of recent taste': 0.45448509,
      'of the closest': 0.295359743,
      'of the crowd': 0.100595847,
      'of three friends': 0.05483819,
      'by the musician': 0.044858113,
      'of long taste': 0.044551564,
      'of no user': 0.035289046,
      'of the hidden': 0.017644523,
    },
  },
};

describe.each(Object.entries(FUNCTIONS))('%s', (id, expected) => {
  test('gives the expected score to each example item', () => {
    const all = scores(forYouScene(), id, VIEWER);
    expect(Object.keys(expected.scores).toSorted()).toEqual(order(id).toSorted());
    for (const [item, score] of Object.entries(expected.scores))
      expect([item, all[item]]).toEqual([item, expect.closeTo(score, 6)]);
  });

  test("explains each signal's part of the score, and is only for for-you feeds", () => {
    for (const request of [VIEWER, {}, { viewer: 'new' }, { viewer: 'viewer', now: NOW + 30 * DAY }]) {
      for (const parts of Object.values(partsOf(id, request))) {
        expect(Object.keys(parts)).toEqual(['base', ...expected.signals]);
        expect(Object.values(parts).every(Number.isFinite)).toBe(true);
      }
    }
    for (const feed_type of ['trending', 'popular'] as const)
      expect(faults({ scoring: id }, feed_type)[0]).toContain('/scoring: ');
  });
});

/** Whether the item ranks above the others. */
function above(id: string, item: string, ...others: string[]): boolean {
  const all = order(id);
  return others.every((other) => all.indexOf(item) < all.indexOf(other));
}

describe('balanced_feed_v0.0.1', () => {
  const [ID, AFFINITY, INTEREST] = ['', '_affinity_bias', '_interest_bias'].map(
    (bias) => `balanced_feed${bias}_v0.0.1`,
  );

  test('ranks between the interest-biased and the affinity-biased function', () => {
    const leaning = (scoring: string) => times(scoring, 'of long taste', 'of three friends');
    expect(leaning(ID)).toBeGreaterThan(leaning(AFFINITY) * 2);
    expect(leaning(ID)).toBeLessThan(leaning(INTEREST) / 1.5);
  });

  test('ranks items without engagement last but one, and items that the viewer would hide last', () => {
    expect(order(ID).slice(-2)).toEqual(['of no user', 'of the hidden']);
    expect(times(ID, 'of the hidden', 'of no user')).toBeCloseTo(0.5, 9);
  });

  test('ranks only by momentum without a viewer and for a new viewer', () => {
    for (const request of [{}, { viewer: 'new' }])
      expect(order(ID, request).slice(0, 2)).toEqual(['of the crowd', 'of three friends']);
  });

  test('with a bias for affinity ranks activity of followed users above items of interests', () => {
    expect(above(AFFINITY, 'of three friends', 'of long taste')).toBe(true);
    expect(above(AFFINITY, 'of the closest', 'by the musician')).toBe(true);
    for (const id of ['of long taste', 'by the musician', 'of no user']) {
      for (const other of [ID, INTEREST])
        expect(times(AFFINITY, 'of three friends', id)).toBeGreaterThan(
          times(other, 'of three friends', id) * 2,
        );
    }
  });

  test('with a bias for interests ranks their items above activity of friends and of all users', () => {
    const first = ['of long taste', 'of recent taste', 'of the closest', 'by the musician'];
    expect(order(INTEREST).slice(0, 4)).toEqual(first);
    for (const id of ['of long taste', 'of recent taste', 'by the musician']) {
      for (const other of [ID, AFFINITY]) {
        for (const crowd of ['of three friends', 'of the crowd'])
          expect(times(INTEREST, id, crowd)).toBeGreaterThan(times(other, id, crowd) * 1.5);
      }
    }
  });
});

describe('functions of one signal', () => {
  const [ALL, CLOSEST] = ['all', 'closest'].map((which) => `user_affinity_${which}_following_v0.0.1`);
  const [LONG, RECENT] = ['all', 'recent'].map((which) => `user_interest_${which}_v0.0.1`);

  test('rank items by the number of followed users who acted on them, or by the closest of these', () => {
    expect([order(ALL)[0], order(CLOSEST)[0]]).toEqual(['of three friends', 'of the closest']);
    expect(times(ALL, 'of three friends', 'of the closest')).toBeGreaterThan(3);
    expect(times(CLOSEST, 'of the closest', 'of three friends')).toBeGreaterThan(2);
    expect(above(ALL, 'of the closest', 'of long taste', 'of recent taste', 'by the musician')).toBe(true);
  });

  test("rank items of long-term interests first, or those of the last hour's interests", () => {
    expect(order(LONG).slice(0, 3)).toEqual(['of long taste', 'of recent taste', 'of the closest']);
    expect(order(RECENT)[0]).toBe('of recent taste');
    expect(above(RECENT, 'of three friends', 'of long taste')).toBe(true);
    expect(times(RECENT, 'of recent taste', 'of long taste')).toBeGreaterThan(5);
  });

  test('rank new items of a favourite author after these, and use momentum only to order the rest', () => {
    const rest = ['by the musician', 'of the crowd', 'of three friends', 'of no user', 'of the hidden'];
    expect(order(LONG).slice(3)).toEqual(rest);
    expect(times(LONG, 'of the crowd', 'of recent taste')).toBeLessThan(1e-5);
  });
});
