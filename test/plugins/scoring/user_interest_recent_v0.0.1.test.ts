import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'user_interest_recent_v0.0.1';

describe(ID, () => {
  test("uses only the viewer's interactions of the last hours", () => {
    const all = order(ID);
    expect(all[0]).toBe('of recent taste');
    expect(all.indexOf('of long taste')).toBeGreaterThan(all.indexOf('of three friends'));
    expect(times(ID, 'of recent taste', 'of long taste')).toBeGreaterThan(5);
    expect(times('user_interest_all_v0.0.1', 'of recent taste', 'of long taste')).toBeLessThan(1);
  });

  test('gives the expected score to each example item', () =>
    expectScores(ID, {
      'of recent taste': 0.45448509,
      'of the closest': 0.295359743,
      'of the crowd': 0.100595847,
      'of three friends': 0.05483819,
      'by the musician': 0.044858113,
      'of long taste': 0.044551564,
      'of no user': 0.035289046,
      'of the hidden': 0.017644523,
    }));

  test("explains each signal's part, is only for for-you feeds and takes no options", () =>
    expectSound(ID, ['interest_recent', 'momentum', 'dislike']));
});
