import { describe, expect, test } from 'bun:test';
import { refusedOptions, scores, signalValues } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

const ID = 'wallet_v0.0.1';

function scene(): Scene {
  const scene = new Scene()
    .item('mine', { channel: 'collection' })
    .item('same collection', { channel: 'collection' });
  scene.item('of like holdings', { channel: 'other' }).item('popular').item('nothing');
  scene.act('viewer', 'share', 'mine', NOW - 100);
  scene.act('f', 'share', 'mine', NOW - 90).act('f', 'share', 'of like holdings', NOW - 80);
  for (let user = 0; user < 9; user++) scene.act(`u${user}`, 'share', 'popular', NOW - 70);
  return scene;
}

describe('wallet_v0.0.1', () => {
  test('adds up similar holdings, collections, momentum and recent popularity, in [0, 1]', () => {
    const request = { viewer: 'viewer' };
    const [interest, collections, momentum, popular] = [
      'interest_lasting',
      'profile',
      'momentum',
      'popular_lately',
    ].map((signal) => signalValues(scene(), signal, request));
    for (const [id, score] of Object.entries(scores(scene(), ID, request))) {
      const sum = interest[id] ** 0.7 + 0.2 * collections[id] + 0.8 * momentum[id] + 0.2 * popular[id];
      expect(score).toBeCloseTo(sum / 2.2, 12);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  test('ranks items of similar wallets first, and items of a held collection above others', () => {
    const all = scores(scene(), ID, { viewer: 'viewer' });
    for (const id of ['same collection', 'popular', 'nothing'])
      expect(all['of like holdings']).toBeGreaterThan(all[id]);
    expect(all['same collection']).toBeGreaterThan(all.nothing);
  });

  test('takes no options', () => refusedOptions('scoring_functions', ID, [{ weight: 1 }, 1, null, []]));
});
