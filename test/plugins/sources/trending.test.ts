import { describe, expect, test } from 'bun:test';
import { proposed, refusedOptions } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

describe('trending', () => {
  test('proposes what gathers most engagement for its age, two for each of the page', () => {
    const scene = new Scene().item('old', { created_at: NOW - 100 * HOUR }).count('old', 20);
    scene
      .item('fresh')
      .count('fresh', 2)
      .item('rising', { created_at: NOW - HOUR })
      .count('rising', 9)
      .item('none');
    expect(proposed(scene, 'trending', { page_length: 1 })).toEqual(['rising', 'fresh']);
    expect(proposed(scene, 'trending')).toEqual(['rising', 'fresh', 'old', 'none']);
  });

  test('refuses numbers that are none', () =>
    refusedOptions(
      'candidate_sources',
      'trending',
      [0, 101, 1.5, '2', null].map((per_item) => ({ per_item })),
    ));
});
