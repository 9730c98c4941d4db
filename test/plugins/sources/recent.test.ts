import { describe, expect, test } from 'bun:test';
import { proposed, refusedOptions } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

/** A fan's items, of which the viewer liked the first lately, and another fan's, long ago. */
function fans(items: number): Scene {
  const scene = new Scene();
  for (let index = 0; index < items; index++) {
    for (const fan of ['now', 'then']) scene.item(`${fan} ${index}`).act(fan, 'like', `${fan} ${index}`);
  }
  return scene.act('viewer', 'like', 'then 0', NOW - 40 * HOUR).act('viewer', 'like', 'now 0', NOW - HOUR);
}

describe('recent', () => {
  test('proposes what users chose who are like the viewer of the last hours, four for each item of the page', () => {
    const found = proposed(fans(4), 'recent', { viewer: 'viewer' });
    for (const index of [1, 2, 3]) {
      expect(found).toContain(`now ${index}`);
      expect(found).not.toContain(`then ${index}`);
    }
    expect(proposed(fans(20), 'recent', { viewer: 'viewer', page_length: 2 })).toHaveLength(8);
  });

  test('proposes nothing to a viewer without history, and without one', () => {
    for (const viewer of ['new', undefined]) expect(proposed(fans(4), 'recent', { viewer })).toEqual([]);
  });

  test('refuses numbers that are none', () =>
    refusedOptions(
      'candidate_sources',
      'recent',
      [0, 101, -1, '2', null].map((per_item) => ({ per_item })),
    ));
});
