import { describe, expect, test } from 'bun:test';
import { faults, refusedOptions, scores, signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const ID = 'popular_v0.0.1';
const scene = new Scene().item('none').item('some').count('some', 1, 2, 3).item('many').count('many', 100);

describe('popular_v0.0.1', () => {
  test('scores every item with the signal popular', () => {
    expect(scores(scene, ID)).toEqual(signalValues(scene, 'popular'));
    expect(scores(scene, ID)).toEqual({ none: 0, some: 6 / 26, many: 100 / 120 });
  });

  test('is only for popular feeds and takes no options', () => {
    expect(faults({ scoring: ID }, 'popular')).toEqual([]);
    for (const feed_type of ['for-you', 'trending'] as const)
      expect(faults({ scoring: ID }, feed_type)).toHaveLength(1);
    refusedOptions('scoring_functions', ID, [{ days: 1 }, 1, null]);
  });
});
