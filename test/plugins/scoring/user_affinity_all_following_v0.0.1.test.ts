import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'user_affinity_all_following_v0.0.1';

describe(ID, () => {
  test('puts first what all of the followed did, the more of them the better', () => {
    expect(order(ID)[0]).toBe('of three friends');
    expect(times(ID, 'of three friends', 'of the closest')).toBeGreaterThan(3);
    expect(
      times('user_affinity_closest_following_v0.0.1', 'of three friends', 'of the closest'),
    ).toBeLessThan(1);
  });

  test("does not know the viewer's taste", () => {
    const all = order(ID);
    for (const taste of ['of long taste', 'of recent taste', 'by the musician']) {
      expect(all.indexOf(taste)).toBeGreaterThan(all.indexOf('of the closest'));
    }
  });

  test('gives these scores', () =>
    expectScores(ID, {
      'of three friends': 0.173231483,
      'of the crowd': 0.0525,
      'of the closest': 0.031637232,
      'by the musician': 0.004954936,
      'of long taste': 0.004876861,
      'of recent taste': 0.004126595,
      'of nobody': 0.003052755,
      'of the hidden': 0.001526378,
    }));

  test('says what each signal adds, is for for-you feeds alone and takes no options', () =>
    expectSound(ID, ['affinity_all', 'momentum', 'dislike']));
});
