import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'user_affinity_closest_following_v0.0.1';

describe(ID, () => {
  test('puts first what the closest of the followed did, before what more of them did', () => {
    expect(order(ID)[0]).toBe('of the closest');
    expect(times(ID, 'of the closest', 'of three friends')).toBeGreaterThan(2);
  });

  test('gives these scores', () =>
    expectScores(ID, {
      'of the closest': 0.086658504,
      'of the crowd': 0.0525,
      'of three friends': 0.040856621,
      'by the musician': 0.004954936,
      'of long taste': 0.004876861,
      'of recent taste': 0.004126595,
      'of nobody': 0.003052755,
      'of the hidden': 0.001526378,
    }));

  test('says what each signal adds, is for for-you feeds alone and takes no options', () =>
    expectSound(ID, ['affinity_closest', 'momentum', 'dislike']));
});
