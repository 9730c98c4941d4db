import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const VIEWER = { viewer: 'viewer' };

/** Two followed users acted on one item, and a third one on the other. */
function scene(): Scene {
  const scene = new Scene().item('of two').item('of one').item('shared').item('of no user');
  for (const friend of ['one', 'two', 'close']) scene.follow('viewer', friend);
  for (const friend of ['one', 'two']) scene.act(friend, 'like', 'of two');
  return scene.act('close', 'like', 'of one');
}

describe('affinity_closest', () => {
  test('gives equally close users the same weight', () => {
    const values = signalValues(scene(), 'affinity_closest', VIEWER);
    expect(values).toEqual(signalValues(scene(), 'affinity_all', VIEWER));
    expect(values).toEqual({ 'of two': 1, 'of one': 0.5, shared: 0, 'of no user': 0 });
  });

  test('ranks an item of one close mutual follow above an item of two distant ones', () => {
    const close = scene()
      .follow('close', 'viewer')
      .act('viewer', 'like', 'shared')
      .act('close', 'like', 'shared');
    const { 'of two': two, 'of one': one } = signalValues(close, 'affinity_closest', VIEWER);
    expect(one).toBe(1);
    expect(two).toBeLessThan(0.5);
    expect(two).toBeGreaterThan(0);
  });
});
