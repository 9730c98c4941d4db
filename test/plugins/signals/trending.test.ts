import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { HOUR, itemOf, NOW, Scene } from '../../support/scene.ts';

describe('trending', () => {
  test('is r / (r + 10) with the engagements r expected per hour', () => {
    const scene = new Scene()
      .item('fresh')
      .item('old', { created_at: NOW - 10 * HOUR })
      .item('none');
    for (let index = 0; index < 30; index++) {
      scene.act(`user ${index}`, 'like', 'fresh').act(`user ${index}`, 'like', 'old', NOW - 9 * HOUR);
    }
    const values = signalValues(scene, 'trending');
    for (const [id, value] of Object.entries(values)) {
      const rate = scene.state.trend.rate(itemOf(scene, id), NOW);
      expect(value).toBeCloseTo(rate / (rate + 10), 12);
    }
    expect(values.fresh).toBeGreaterThan(0.5);
    expect(values.fresh).toBeGreaterThan(3 * values.old);
    expect(values.none).toBeGreaterThan(0);
  });

  test('is the same for every viewer, and treats future items as items of now', () => {
    const scene = new Scene().item('now').count('now', 5);
    scene.item('future', { created_at: NOW + 50 }).count('future', 5);
    const values = signalValues(scene, 'trending');
    expect(values.future).toBe(values.now);
    expect(signalValues(scene.act('viewer', 'view', 'now'), 'trending', { viewer: 'viewer' })).toEqual(
      values,
    );
  });

  test('falls with time', () => {
    const scene = new Scene().item('a').count('a', 5);
    const later = [0, 1, 24, 1000].map(
      (hours) => signalValues(scene, 'trending', { now: NOW + hours * HOUR }).a,
    );
    expect(later).toEqual(later.toSorted((one, other) => other - one));
    expect(later[3]).toBeLessThan(later[0] / 100);
  });
});
