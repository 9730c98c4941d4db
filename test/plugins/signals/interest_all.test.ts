import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { DAY, itemOf, NOW, requestIn, Scene } from '../../support/scene.ts';

/** Two disjoint interests: music and chess. */
function tastes(): Scene {
  const scene = new Scene();
  for (const taste of ['music', 'chess']) {
    for (let index = 0; index < 4; index++) scene.item(`${taste} ${index}`);
    for (let user = 0; user < 3; user++) {
      for (let index = 0; index <= user + 1; index++)
        scene.act(`${taste} fan ${user}`, 'like', `${taste} ${index}`);
    }
  }
  return scene;
}

describe('interest_all', () => {
  test('is 1 for the item reached most, above 0 for other choices of similar users, else 0', () => {
    const scene = tastes().act('viewer', 'like', 'music 0');
    const values = signalValues(scene, 'interest_all', { viewer: 'viewer' });
    expect(Math.max(...Object.values(values))).toBe(1);
    for (const [id, value] of Object.entries(values)) {
      // Items that the viewer acted on are starting points and not reached.
      if (id.startsWith('chess') || id === 'music 0') expect(value).toBe(0);
      else expect(value).toBeGreaterThan(0);
    }
  });

  test('is 1 for the item reached most among those that the feed may show', () => {
    const scene = tastes().act('viewer', 'like', 'music 0');
    const all = signalValues(scene, 'interest_all', { viewer: 'viewer' });
    const [best, second, third] = Object.keys(all).toSorted((one, other) => all[other] - all[one]);
    const request = requestIn(scene, { viewer: 'viewer' });
    request.restrictTo({ filtered: (item) => item !== itemOf(scene, best), visible: () => true });
    const value = request.signal('interest_all');
    expect([best, second, third].map((id) => value(itemOf(scene, id)))).toEqual([
      1,
      1,
      expect.closeTo(all[third] / all[second], 12),
    ]);
  });

  test('gives later interactions more weight', () => {
    const scene = tastes()
      .act('viewer', 'like', 'chess 0', NOW - 2 * DAY)
      .act('viewer', 'like', 'music 0');
    const values = signalValues(scene, 'interest_all', { viewer: 'viewer' });
    expect(values['music 1']).toBeGreaterThan(3 * values['chess 1']);
    expect(values['chess 1']).toBeGreaterThan(0);
  });

  test('changes with the next like', () => {
    const scene = tastes().act('viewer', 'like', 'music 0').act('viewer', 'like', 'chess 0');
    const values = signalValues(scene, 'interest_all', { viewer: 'viewer' });
    expect(values['chess 1']).toBeGreaterThan(0);
    scene.unact('viewer', 'like', 'chess 0');
    expect(signalValues(scene, 'interest_all', { viewer: 'viewer' })['chess 1']).toBe(0);
  });
});
