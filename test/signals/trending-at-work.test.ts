import { describe, expect, test } from 'bun:test';
import { engineOn, HOUR, itemIds, itemOf, NOW, requestOn, Scene } from '../support/scene.ts';

/** Items with a like each, a trending request, and a user who likes items after that. */
function trending() {
  const scene = new Scene();
  for (let index = 0; index < 1300; index++) scene.item(`i${index}`, { created_at: NOW - 2 * HOUR - index });
  for (let index = 0; index < 1300; index++) scene.act(`u${index}`, 'like', `i${index}`);
  const engine = engineOn(scene.state, { lag_ms: 100 });
  const at = (now: number) => {
    scene.now = now;
    return requestOn(engine, { now });
  };
  const best = (now: number) => itemIds(scene.state, at(now).best('trending', 5));
  const like = (id: string, users: number) => {
    for (let user = 0; user < users; user++) scene.act(`fan ${user}`, 'like', id);
  };
  /** The served ranking, and the one from a full sort. */
  const scoreOf = (now: number, id: string) => {
    const rebuilt = requestOn(engineOn(scene.state), { now }).signal('trending')(itemOf(scene, id));
    return [at(now).signal('trending')(itemOf(scene, id)), rebuilt];
  };
  return { scene, rankings: engine.rankings, best, like, scoreOf };
}

describe('the trending ranking', () => {
  test('the trending ranking contains all acts of a burst that came before the first request', () => {
    const { scene, rankings, best, like, scoreOf } = trending();
    best(NOW + 1);
    scene.now = NOW + 4;
    like('i700', 200);
    for (let index = 0; index < 1100; index++) {
      scene.act(`another ${index}`, 'like', `i${index}`);
      if (index % 250 === 249) rankings.keepUp(scene.now);
    }
    expect(best(NOW + 5)[0]).toBe('i700');
    const [served, rebuilt] = scoreOf(NOW + 5, 'i700');
    expect(served).toBeCloseTo(rebuilt, 2);
  });

  test.each([
    ['an unscored item', 0, 'i3'],
    ['a scored item', 1, 'i1250'],
    ['a sorted item', 3, 'i1299'],
  ])('the trending ranking contains acts on %s during the build', (_what, steps, id) => {
    const { scene, rankings, best, like } = trending();
    best(NOW + 1);
    best(NOW + 7);
    for (let step = 0; step < steps; step++) expect(rankings.buildStep(scene.now)).toBe(true);
    like(id, 50);
    while (rankings.buildStep(scene.now));
    expect(best(NOW + 8)[0]).toBe(id);
  });
});
