import { describe, expect, test } from 'bun:test';
import { engineOn, HOUR, itemIds, itemOf, NOW, requestOn, Scene } from '../support/scene.ts';

/** Items with a like each, somebody asking for what trends, and who likes what after that. */
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
  /** What is served, and what would be if it was all looked at. */
  const scoreOf = (now: number, id: string) => {
    const afresh = requestOn(engineOn(scene.state), { now }).signal('trending')(itemOf(scene, id));
    return [at(now).signal('trending')(itemOf(scene, id)), afresh];
  };
  return { scene, rankings: engine.rankings, best, like, scoreOf };
}

describe('what trends', () => {
  test('has all acts of a burst that was taken in before anybody asked', () => {
    const { scene, rankings, best, like, scoreOf } = trending();
    best(NOW + 1);
    scene.now = NOW + 4;
    like('i700', 200);
    for (let index = 0; index < 1100; index++) {
      scene.act(`another ${index}`, 'like', `i${index}`);
      if (index % 250 === 249) rankings.keepUp(scene.now);
    }
    expect(best(NOW + 5)[0]).toBe('i700');
    const [served, afresh] = scoreOf(NOW + 5, 'i700');
    expect(served).toBeCloseTo(afresh, 2);
  });

  test.each([
    ['an item that was not looked at', 0, 'i3'],
    ['an item that was looked at', 1, 'i1250'],
    ['an item that was put in order', 3, 'i1299'],
  ])('has what happened to %s while it was built', (_what, steps, id) => {
    const { scene, rankings, best, like } = trending();
    best(NOW + 1);
    best(NOW + 7);
    for (let step = 0; step < steps; step++) expect(rankings.buildStep(scene.now)).toBe(true);
    like(id, 50);
    while (rankings.buildStep(scene.now));
    expect(best(NOW + 8)[0]).toBe(id);
  });
});
