import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'user_affinity_closest_following_v0.0.1';

describe(ID, () => {
  test('ranks an item of the closest followed user above an item of several others', () => {
    expect(order(ID)[0]).toBe('of the closest');
    expect(times(ID, 'of the closest', 'of three friends')).toBeGreaterThan(2);
  });

  test('gives the expected score to each example item', () =>
    expectScores(ID, {
      'of the closest': 0.086658504,
      'of the crowd': 0.0525,
      'of three friends': 0.040856621,
      'by the musician': 0.004954936,
      'of long taste': 0.004876861,
      'of recent taste': 0.004126595,
      'of no user': 0.003052755,
      'of the hidden': 0.001526378,
    }));

  test("explains each signal's part, is only for for-you feeds and takes no options", () =>
    expectSound(ID, ['affinity_closest', 'momentum', 'dislike']));
});
