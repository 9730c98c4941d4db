import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

describe('popular', () => {
  test('is engagement e as e / (e + 20), at any age', () => {
    const scene = new Scene().item('none').item('half', { created_at: 1 }).count('half', 10, 7, 3);
    scene.item('much').count('much', 1e15);
    const { none, half, much } = signalValues(scene, 'popular');
    expect([none, half]).toEqual([0, 0.5]);
    expect(much).toBeGreaterThan(0.99);
    expect(much).toBeLessThanOrEqual(1);
  });

  test('counts interactions with the service', () => {
    const scene = new Scene().item('a').act('u', 'like', 'a').act('u', 'bookmark', 'a').act('u', 'view', 'a');
    expect(signalValues(scene, 'popular')).toEqual({ a: 1 / 21 });
  });
});
