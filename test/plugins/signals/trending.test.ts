import { describe, expect, test } from 'bun:test';
import { refusedOptions, signalValues } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

describe('trending', () => {
  test('is t / (t + 1) with t = e / (hours + 2)^1.8', () => {
    const scene = new Scene();
    scene
      .item('fresh')
      .count('fresh', 6)
      .item('old', { created_at: NOW - 10 * HOUR })
      .count('old', 3, 2, 1);
    const value = (hours: number) => {
      const rate = 6 / (hours + 2) ** 1.8;
      return rate / (rate + 1);
    };
    const { fresh, old } = signalValues(scene, 'trending');
    expect(fresh).toBeCloseTo(value(0), 12);
    expect(old).toBeCloseTo(value(10), 12);
  });

  test('is 0 without engagement, and takes the future for now', () => {
    const scene = new Scene().item('none').item('now').count('now', 5);
    scene.item('future', { created_at: NOW + 50 }).count('future', 5);
    const { none, now, future } = signalValues(scene, 'trending');
    expect(none).toBe(0);
    expect(future).toBe(now);
  });

  test('falls with time', () => {
    const scene = new Scene().item('a').count('a', 5);
    const later = [0, 1, 24, 1000].map(
      (hours) => signalValues(scene, 'trending', { now: NOW + hours * HOUR }).a,
    );
    expect(later).toEqual(later.toSorted((one, other) => other - one));
  });

  test('has sound options', () => refusedOptions('signals', 'trending', [1, 'x', null, []]));
});
