import { describe, expect, test } from 'bun:test';
import { faults, refusedOptions, scores, signalValues } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

const ID = 'trending_v0.0.1';
const scene = new Scene()
  .item('fresh')
  .count('fresh', 5)
  .item('old', { created_at: NOW - 48 * HOUR })
  .count('old', 50);

describe('trending_v0.0.1', () => {
  test('scores every item with the signal trending', () => {
    expect(scores(scene, ID)).toEqual(signalValues(scene, 'trending'));
    expect(scores(scene, ID).fresh).toBeGreaterThan(scores(scene, ID).old);
  });

  test('is only for trending feeds and takes no options', () => {
    expect(faults({ scoring: ID }, 'trending')).toEqual([]);
    for (const feed_type of ['for-you', 'popular'] as const)
      expect(faults({ scoring: ID }, feed_type)).toHaveLength(1);
    refusedOptions('scoring_functions', ID, [{ window: '1h' }, 1, null]);
  });
});
