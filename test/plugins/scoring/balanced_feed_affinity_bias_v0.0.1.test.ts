import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'balanced_feed_affinity_bias_v0.0.1';

describe(ID, () => {
  test("ranks activity of followed users above items of the viewer's interests", () => {
    const all = order(ID);
    expect(all.indexOf('of three friends')).toBeLessThan(all.indexOf('of long taste'));
    expect(all.indexOf('of the closest')).toBeLessThan(all.indexOf('by the musician'));
    for (const other of ['balanced_feed_v0.0.1', 'balanced_feed_interest_bias_v0.0.1']) {
      for (const id of ['of long taste', 'by the musician', 'of no user']) {
        expect(times(ID, 'of three friends', id)).toBeGreaterThan(times(other, 'of three friends', id) * 2);
      }
    }
  });

  test('gives the expected score to each example item', () =>
    expectScores(ID, {
      'of the crowd': 0.304488843,
      'of three friends': 0.200424257,
      'of the closest': 0.146225856,
      'of long taste': 0.172226803,
      'of recent taste': 0.107701079,
      'by the musician': 0.06738644,
      'of no user': 0.022193257,
      'of the hidden': 0.011096629,
    }));

  test("explains each signal's part, is only for for-you feeds and takes no options", () =>
    expectSound(ID, ['interest_all', 'profile', 'momentum', 'affinity_all', 'dislike']));
});
