import { describe, expect, test } from 'bun:test';
import { faults, refusedOptions, scores } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

const ID = 'newest_v0.0.1';

describe(ID, () => {
  test('scores every item with its time', () => {
    const scene = new Scene().item('old', { created_at: NOW - 5 }).item('new', { created_at: NOW - 0.5 });
    expect(scores(scene, ID)).toEqual({ old: NOW - 5, new: NOW - 0.5 });
  });

  test('is for every feed type and takes no options', () => {
    for (const feed_type of ['for-you', 'trending', 'popular'] as const)
      expect(faults({ scoring: ID }, feed_type)).toEqual([]);
    refusedOptions('scoring_functions', ID, [{ days: 1 }, 1, null]);
  });
});
