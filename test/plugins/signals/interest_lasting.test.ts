import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { DAY, NOW, Scene } from '../../support/scene.ts';

/** The viewer liked `old` long ago and `new` now. A fan of each likes another item. */
function scene(): Scene {
  const scene = new Scene();
  for (const id of ['old', 'new', 'beside old', 'beside new', 'alone']) scene.item(id);
  for (const [fan, item] of [
    ['f', 'old'],
    ['g', 'new'],
  ]) {
    scene.act(fan, 'like', item, NOW - 10).act(fan, 'like', `beside ${item}`, NOW - 5);
  }
  return scene.act('viewer', 'like', 'old', NOW - 60 * DAY).act('viewer', 'like', 'new', NOW - 1);
}

describe('interest_lasting', () => {
  test('does not fade as interest_all does', () => {
    const request = { viewer: 'viewer' };
    const lasting = signalValues(scene(), 'interest_lasting', request);
    const fading = signalValues(scene(), 'interest_all', request);
    expect(lasting['beside new']).toBe(1);
    expect(lasting['beside old']).toBeGreaterThan(2 * fading['beside old']);
    expect(lasting.alone).toBe(0);
  });
});
