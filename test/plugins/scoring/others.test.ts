import { expect, test } from 'bun:test';
import { faults, scores, signalValues } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

/** Scoring functions that are one signal, and those of wallets. */

const TYPES = ['for-you', 'trending', 'popular'] as const;
const scene = new Scene()
  .item('none')
  .item('some')
  .count('some', 1, 2, 3)
  .item('old', { created_at: NOW - 48 * HOUR })
  .count('old', 100);

test.each([
  ['newest_v0.0.1', TYPES, 'newest', 2 ** 33],
  ['popular_v0.0.1', ['popular'], 'popular', 1],
  ['trending_v0.0.1', ['trending'], 'trending', 1],
  ['wallet_popular_v0.0.1', undefined, 'popular_lately', 1],
] as const)(
  '%s is for feeds of the types %j, and scores every item with the signal %s',
  (id, types, signal, times) => {
    const values = Object.entries(signalValues(scene, signal)).map(([item, value]) => [item, times * value]);
    expect(scores(scene, id)).toEqual(Object.fromEntries(values));
    if (types !== undefined)
      expect(TYPES.filter((type) => faults({ scoring: id }, type).length === 0)).toEqual([...types]);
  },
);

test('popular feeds rank by all engagement, trending ones by what is fresh, and newest ones by time', () => {
  expect(scores(scene, 'popular_v0.0.1')).toEqual({ none: 0, some: 6 / 26, old: 100 / 120 });
  const trending = scores(scene, 'trending_v0.0.1');
  expect(trending.some).toBeGreaterThan(trending.old);
  expect(scores(scene, 'newest_v0.0.1')).toEqual({ none: NOW, some: NOW, old: NOW - 48 * HOUR });
});

const VIEWER = { viewer: 'viewer' };
const wallets = new Scene()
  .item('mine', { channel: 'collection' })
  .item('same collection', { channel: 'collection' })
  .item('of like holdings', { channel: 'other' })
  .item('popular')
  .item('nothing')
  .act('viewer', 'share', 'mine', NOW - 100)
  .act('f', 'share', 'mine', NOW - 90)
  .act('f', 'share', 'of like holdings', NOW - 80)
  .item('of less like ones')
  .act('g', 'share', 'mine', NOW - 90)
  .act('g', 'share', 'of like holdings', NOW - 80)
  .act('g', 'share', 'of less like ones', NOW - 80);
for (let user = 0; user < 9; user++) wallets.act(`u${user}`, 'share', 'popular', NOW - 70);

test('wallet_v0.0.1 adds up similar holdings, collections, momentum and recent popularity, in [0, 1]', () => {
  const signals = ['interest_lasting', 'profile', 'momentum', 'popular_lately'];
  const [interest, collections, momentum, popular] = signals.map((signal) =>
    signalValues(wallets, signal, VIEWER),
  );
  for (const [id, score] of Object.entries(scores(wallets, 'wallet_v0.0.1', VIEWER))) {
    const sum = interest[id] ** 0.7 + 0.2 * collections[id] + 0.8 * momentum[id] + 0.2 * popular[id];
    expect(score).toBeCloseTo(sum / 2.2, 12);
    expect(score).toBeLessThanOrEqual(1);
  }
});

test('wallet_v0.0.1 ranks items of similar wallets first, and items of a held collection above others', () => {
  const all = scores(wallets, 'wallet_v0.0.1', VIEWER);
  for (const id of ['same collection', 'popular', 'nothing'])
    expect(all['of like holdings']).toBeGreaterThan(all[id]);
  expect(all['same collection']).toBeGreaterThan(all.nothing);
});
