import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

const VIEWER = { viewer: 'viewer' };

/** Music, chess and tea: a fan of each likes two items of it. */
function tastes(): Scene {
  const scene = new Scene();
  for (const taste of ['music', 'chess', 'tea']) {
    for (const id of [taste, `more ${taste}`])
      scene.item(id).act(`${taste} fan`, 'like', id, NOW - 99 * HOUR);
  }
  return scene;
}

describe('interest_recent', () => {
  test('fades within hours, and ignores interactions 36 hours before the latest', () => {
    const scene = tastes().act('viewer', 'like', 'tea', NOW - 37 * HOUR);
    scene.act('viewer', 'like', 'music', NOW - 12 * HOUR).act('viewer', 'like', 'chess');
    const recent = signalValues(scene, 'interest_recent', VIEWER);
    const all = signalValues(scene, 'interest_all', VIEWER);
    expect([recent['more chess'], all['more chess']]).toEqual([1, 1]);
    // With the same history: (1 + 12 / 24) compared to (1 + 12 / 4).
    expect(recent['more music'] / all['more music']).toBeCloseTo(1.5 / 4, 6);
    expect(recent['more tea']).toBe(0);
    expect(all['more tea']).toBeGreaterThan(0);
  });

  test("measures time from the viewer's latest interaction, even if that is old", () => {
    const then = tastes()
      .act('viewer', 'like', 'music', NOW - 900 * HOUR)
      .act('viewer', 'like', 'chess', NOW - 895 * HOUR);
    const values = signalValues(then, 'interest_recent', VIEWER);
    expect(values['more chess']).toBe(1);
    expect(values['more music']).toBeGreaterThan(0.2);
  });
});
