import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

/** A fan's items, the first of which the viewer liked recently, and another fan's, liked long ago. */
function fans(items: number): Scene {
  const scene = new Scene();
  for (let index = 0; index < items; index++) {
    for (const fan of ['now', 'then']) scene.item(`${fan} ${index}`).act(fan, 'like', `${fan} ${index}`);
  }
  return scene.act('viewer', 'like', 'then 0', NOW - 40 * HOUR).act('viewer', 'like', 'now 0', NOW - HOUR);
}

describe('recent', () => {
  test("proposes choices of users similar to the viewer's last hours, four per item of the page", () => {
    const found = proposed(fans(4), 'recent', { viewer: 'viewer' });
    for (const index of [1, 2, 3]) {
      expect(found).toContain(`now ${index}`);
      expect(found).not.toContain(`then ${index}`);
    }
    expect(proposed(fans(20), 'recent', { viewer: 'viewer', page_length: 2 })).toHaveLength(8);
  });

  test('proposes nothing without history or without a viewer', () => {
    for (const viewer of ['new', undefined]) expect(proposed(fans(4), 'recent', { viewer })).toEqual([]);
  });
});
