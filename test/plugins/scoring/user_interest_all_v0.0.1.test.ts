import { describe, expect, test } from 'bun:test';
import { expectScores, expectSound, order, times } from '../../support/for-you.ts';

const ID = 'user_interest_all_v0.0.1';

describe(ID, () => {
  test("ranks items of long-term interests above items of the last hour's interests", () => {
    expect(order(ID).slice(0, 3)).toEqual(['of long taste', 'of recent taste', 'of the closest']);
    expect(times('user_interest_recent_v0.0.1', 'of long taste', 'of recent taste')).toBeLessThan(0.2);
  });

  test('ranks new items of a favourite author first, and uses momentum only to order the rest', () => {
    const all = order(ID);
    expect(all.slice(3)).toEqual([
      'by the musician',
      'of the crowd',
      'of three friends',
      'of no user',
      'of the hidden',
    ]);
    expect(times(ID, 'of the crowd', 'of recent taste')).toBeLessThan(1e-5);
  });

  test('gives the expected score to each example item', () =>
    expectScores(ID, {
      'of long taste': 1.000000048,
      'of recent taste': 0.681527977,
      'of the closest': 0.499572876,
      'by the musician': 0.100000049,
      'of the crowd': 0.000001,
      'of three friends': 1.15e-7,
      'of no user': 1.1e-8,
      'of the hidden': 6e-9,
    }));

  test("explains each signal's part, is only for for-you feeds and takes no options", () =>
    expectSound(ID, ['interest_all', 'profile', 'semantic_interest', 'momentum', 'dislike']));
});
