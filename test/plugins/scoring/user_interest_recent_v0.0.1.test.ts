import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'user_interest_recent_v0.0.1';

describe(ID, () => {
  test('goes by what the viewer did in the last hours: what was liked for days is as if it had not been', () => {
    const all = order(ID);
    expect(all[0]).toBe('of recent taste');
    expect(all.indexOf('of long taste')).toBeGreaterThan(all.indexOf('of three friends'));
    expect(times(ID, 'of recent taste', 'of long taste')).toBeGreaterThan(5);
    expect(times('user_interest_all_v0.0.1', 'of recent taste', 'of long taste')).toBeLessThan(1);
  });

  test('gives these scores', () =>
    expectScores(ID, {
      'of recent taste': 0.45448509,
      'of the closest': 0.29685503,
      'of the crowd': 0.100595847,
      'of three friends': 0.05483819,
      'by the musician': 0.044858113,
      'of long taste': 0.044551564,
      'of nobody': 0.035289046,
      'of the hidden': 0.017644523,
    }));

  test('says what each signal adds, is for for-you feeds alone and takes no options', () =>
    expectSound(ID, ['interest_recent', 'momentum', 'dislike']));
});
