import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'user_affinity_all_following_v0.0.1';

describe(ID, () => {
  test('ranks items by the number of followed users who acted on them', () => {
    expect(order(ID)[0]).toBe('of three friends');
    expect(times(ID, 'of three friends', 'of the closest')).toBeGreaterThan(3);
    expect(
      times('user_affinity_closest_following_v0.0.1', 'of three friends', 'of the closest'),
    ).toBeLessThan(1);
  });

  test("ignores the viewer's interests", () => {
    const all = order(ID);
    for (const taste of ['of long taste', 'of recent taste', 'by the musician']) {
      expect(all.indexOf(taste)).toBeGreaterThan(all.indexOf('of the closest'));
    }
  });

  test('gives the expected score to each example item', () =>
    expectScores(ID, {
      'of three friends': 0.173231483,
      'of the crowd': 0.0525,
      'of the closest': 0.031637232,
      'by the musician': 0.004954936,
      'of long taste': 0.004876861,
      'of recent taste': 0.004126595,
      'of no user': 0.003052755,
      'of the hidden': 0.001526378,
    }));

  test("explains each signal's part, is only for for-you feeds and takes no options", () =>
    expectSound(ID, ['affinity_all', 'momentum', 'dislike']));
});
