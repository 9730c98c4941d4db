import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'balanced_feed_interest_bias_v0.0.1';

describe(ID, () => {
  test("ranks items of the viewer's interests above activity of friends and of all users", () => {
    expect(order(ID).slice(0, 4)).toEqual([
      'of long taste',
      'of recent taste',
      'of the closest',
      'by the musician',
    ]);
    for (const other of ['balanced_feed_v0.0.1', 'balanced_feed_affinity_bias_v0.0.1']) {
      for (const id of ['of long taste', 'of recent taste', 'by the musician']) {
        expect(times(ID, id, 'of three friends')).toBeGreaterThan(times(other, id, 'of three friends') * 1.5);
        expect(times(ID, id, 'of the crowd')).toBeGreaterThan(times(other, id, 'of the crowd') * 1.5);
      }
    }
  });

  test('gives the expected score to each example item', () =>
    expectScores(ID, {
      'of long taste': 0.755615442,
      'of recent taste': 0.465542997,
      'of the closest': 0.353698557,
      'by the musician': 0.18126857,
      'of the crowd': 0.16513226,
      'of three friends': 0.109557932,
      'of no user': 0.068978722,
      'of the hidden': 0.034489361,
    }));

  test("explains each signal's part, is only for for-you feeds and takes no options", () =>
    expectSound(ID, ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike']));
});
