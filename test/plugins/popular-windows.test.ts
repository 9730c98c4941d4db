import { describe, expect, test } from 'bun:test';
import { faults, scores, signalValues } from '../support/extensions.ts';
import { DAY, HOUR, NOW, Scene } from '../support/scene.ts';

/** Items with engagement right inside and outside of a window, and earlier. */
function sceneAround(days: number): Scene {
  const scene = new Scene();
  const start = NOW - days * DAY;
  scene.now = start - HOUR;
  for (const id of ['quiet', 'old', 'risen', 'liked']) {
    scene.item(id, { created_at: start - HOUR }).count(id, id === 'quiet' ? 0 : 500);
  }
  scene.now = NOW;
  scene
    .act('u', 'like', 'old', start)
    .act('u', 'comment', 'liked', start + 1)
    .act('v', 'share', 'liked');
  scene
    .count('risen', 510, 5, 5)
    .item('new', { created_at: start + 1 })
    .count('new', 60);
  return scene;
}

const EXPECTED = { quiet: 0, old: 0, risen: 20 / 40, liked: 2 / 22, new: 60 / 80 };

describe.each([
  ['popular_1day', '1day', 1],
  ['popular_7day', '7day', 7],
  ['popular_30day', '30day', 30],
])('%s', (id, scoring, days) => {
  test(`is the engagement e of the last ${days} days as e / (e + 20)`, () => {
    expect(signalValues(sceneAround(days), id)).toEqual(EXPECTED);
  });

  test('moves with the clock', () => {
    const scene = sceneAround(days);
    const at = (now: number) => signalValues(scene, id, { now });
    expect(at(NOW + 1)).toEqual({ ...EXPECTED, liked: 1 / 21, new: 0 });
    expect(at(NOW + days * DAY)).toEqual({ quiet: 0, old: 0, risen: 0, liked: 0, new: 0 });
  });

  test('is below 1 and never above the signal of all time', () => {
    const scene = sceneAround(days).item('much').count('much', 1e15);
    const all = signalValues(scene, 'popular');
    for (const [item, value] of Object.entries(signalValues(scene, id))) {
      expect(value).toBeLessThanOrEqual(all[item]);
      expect(value).toBeLessThanOrEqual(1);
    }
  });

  test('is the scoring function of the window, for popular feeds alone', () => {
    expect(scores(sceneAround(days), scoring)).toEqual(EXPECTED);
    expect(faults({ scoring }, 'popular')).toEqual([]);
    for (const feed_type of ['for-you', 'trending'] as const)
      expect(faults({ scoring }, feed_type)).toHaveLength(1);
  });
});
