import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'balanced_feed_v0.0.1';

describe(ID, () => {
  test('ranks between the interest-biased and the affinity-biased function', () => {
    const leaning = (scoring: string) => times(scoring, 'of long taste', 'of three friends');
    expect(leaning(ID)).toBeGreaterThan(leaning('balanced_feed_affinity_bias_v0.0.1') * 2);
    expect(leaning(ID)).toBeLessThan(leaning('balanced_feed_interest_bias_v0.0.1') / 1.5);
  });

  test('ranks items without engagement last but one, and items that the viewer would hide last', () => {
    expect(order(ID).slice(-2)).toEqual(['of no user', 'of the hidden']);
    expect(times(ID, 'of the hidden', 'of no user')).toBeCloseTo(0.5, 9);
  });

  test('ranks only by momentum without a viewer and for a new viewer', () => {
    for (const request of [{}, { viewer: 'new' }]) {
      expect(order(ID, request).slice(0, 2)).toEqual(['of the crowd', 'of three friends']);
    }
  });

  test('gives the expected score to each example item', () =>
    expectScores(ID, {
      'of long taste': 0.196368769,
      'of the crowd': 0.166775408,
      'of recent taste': 0.106701713,
      'of the closest': 0.086297284,
      'by the musician': 0.047649409,
      'of three friends': 0.047569984,
      'of no user': 0.012155748,
      'of the hidden': 0.006077874,
    }));

  test("explains each signal's part, is only for for-you feeds and takes no options", () =>
    expectSound(ID, ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike']));
});
