import { describe, expect, test } from 'bun:test';
import { refusedOptions, signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** Two tastes that share nothing: music and chess. */
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
  test('is 1 for the item reached most, above 0 for what people of like taste chose, else 0', () => {
    const scene = tastes().act('viewer', 'like', 'music 0');
    const values = signalValues(scene, 'interest_all', { viewer: 'viewer' });
    expect(Math.max(...Object.values(values))).toBe(1);
    for (const [id, value] of Object.entries(values)) {
      if (id.startsWith('chess')) expect(value).toBe(0);
      else expect(value).toBeGreaterThan(0);
    }
  });

  test('changes with the next like', () => {
    const scene = tastes().act('viewer', 'like', 'music 0').act('viewer', 'like', 'chess 0');
    const values = signalValues(scene, 'interest_all', { viewer: 'viewer' });
    expect(values['chess 1']).toBeGreaterThan(0);
    scene.unact('viewer', 'like', 'chess 0');
    expect(signalValues(scene, 'interest_all', { viewer: 'viewer' })['chess 1']).toBe(0);
  });

  test('is 0 for everything for a viewer without history, and without one', () => {
    const scene = tastes().user('new');
    for (const viewer of ['new', 'unknown', undefined]) {
      expect(new Set(Object.values(signalValues(scene, 'interest_all', { viewer })))).toEqual(new Set([0]));
    }
  });

  test('refuses histories that are none', () =>
    refusedOptions(
      'signals',
      'interest_all',
      [0, -1, 1.5, 501, Number.NaN, Infinity, '5', null].map((history) => ({ history })),
    ));
});
