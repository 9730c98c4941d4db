import { describe, expect, test } from 'bun:test';
import { faults, refusedOptions, scores, signalValues } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

const ID = 'balanced_feed_v0.0.1';

function scene(): Scene {
  const scene = new Scene().follow('viewer', 'friend').item('liked').act('viewer', 'like', 'liked');
  scene.item('of taste').act('fan', 'like', 'liked').act('fan', 'like', 'of taste');
  scene.item('of a friend', { author: 'friend' });
  scene.item('popular', { created_at: NOW - 1000 * HOUR }).count('popular', 500);
  scene.item('trending').count('trending', 9);
  return scene.item('nothing');
}

describe('balanced_feed_v0.0.1', () => {
  test('is half interest, three tenths affinity, the rest what moves everybody', () => {
    const request = { viewer: 'viewer' };
    const [interest, affinity, trending, popular] = [
      'interest_all',
      'affinity_all',
      'trending',
      'popular',
    ].map((signal) => signalValues(scene(), signal, request));
    for (const [id, score] of Object.entries(scores(scene(), ID, request))) {
      const expected = 0.5 * interest[id] + 0.3 * affinity[id] + 0.15 * trending[id] + 0.05 * popular[id];
      expect(score).toBeCloseTo(expected, 12);
    }
  });

  test('puts taste before friends before the crowd, and the rest last', () => {
    const all = scores(scene(), ID, { viewer: 'viewer' });
    expect(all['of taste']).toBeGreaterThan(all['of a friend']);
    expect(all['of a friend']).toBeGreaterThan(all.trending);
    expect(all.trending).toBeGreaterThan(all.nothing);
    expect(all.nothing).toBe(0);
  });

  test('without a viewer knows only what moves everybody', () => {
    const { trending, popular, 'of a friend': friend, nothing } = scores(scene(), ID);
    expect(trending).toBeGreaterThan(popular);
    expect(popular).toBeGreaterThan(0);
    expect([friend, nothing]).toEqual([0, 0]);
  });

  test('is for for-you feeds alone, takes no options, and is the default', () => {
    expect(faults({ scoring: ID })).toEqual([]);
    expect(faults({ scoring: ID }, 'trending')[0]).toContain('/scoring: ');
    refusedOptions('scoring_functions', ID, [{ weight: 1 }, 1, null, []]);
  });
});
