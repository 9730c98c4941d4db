import { describe, expect, test } from 'bun:test';
import type { Ordinal } from '../../src/plugin/index.ts';
import { GlobalRankings } from '../../src/signals/global-rankings.ts';
import { itemIds, NOW, Scene } from '../support/scene.ts';
import { corpus, ITEMS, NEVER, ranked } from './ranking-support.ts';

describe('a global ranking at work', () => {
  test('built between requests has what changed meanwhile in its place', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const best = (now: number) => itemIds(scene.state, rankings.best('likes', score, now, 5000, 5));
    best(NOW);
    for (let round = 1; round < 4; round++) {
      const now = NOW + 6 * round;
      best(now);
      let steps = 0;
      do {
        scene.now += 0.001;
        scene.count(`i${(steps * 7) % ITEMS}`, 1000 * round + steps);
        steps++;
      } while (rankings.buildStep());
      expect(steps).toBeGreaterThan(5);
      expect(best(now)).toEqual(ranked(scene, score));
    }
  });

  test('gives up building between requests when more changes than is known, and begins again', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const best = (now: number) => itemIds(scene.state, rankings.best('likes', score, now, 10, 5));
    best(NOW);
    best(NOW + 6);
    for (let change = 0; change < 5000; change++) scene.count(`i${change % 3}`, change + 200);
    expect([rankings.buildStep(), rankings.buildStep()]).toEqual([true, false]);
    best(NOW + 6);
    while (rankings.buildStep());
    const renewed = best(NOW + 6);
    expect(renewed).toEqual(ranked(scene, score).slice(0, renewed.length));
  });

  test('is cut when nobody has read far for a while, and grows again', () => {
    const scene = new Scene();
    for (let index = 0; index < 9000; index++) scene.item(`i${index}`, { created_at: NOW - index });
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    const score = (item: Ordinal) => scene.state.items.created_at(item);
    const length = (limit: number) => rankings.best('age', score, NOW, limit, NEVER).length;
    expect(length(9000)).toBe(9000);
    ms = 59_999;
    expect(length(10)).toBe(9000);
    ms = 60_000;
    // Read in full within the last minute.
    expect(length(10)).toBe(9000);
    ms = 120_000;
    expect(length(10)).toBe(1024);
    scene.now += 1;
    scene.item('newest', { created_at: NOW + 1 }).item('old', { created_at: NOW - 8999.5 });
    expect(itemIds(scene.state, rankings.best('age', score, NOW, 10, NEVER)).slice(0, 3)).toEqual([
      'newest',
      'i0',
      'i1',
    ]);
    const all = itemIds(scene.state, rankings.best('age', score, NOW, 9002, NEVER));
    expect(all).toEqual(ranked(scene, score));
  });
});
