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

  test('keeps up with any number of changes that it is told of, and is not built for it', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let asked = 0;
    const score = (item: Ordinal) => {
      asked++;
      return scene.state.items.likes_count(item);
    };
    const best = () => itemIds(scene.state, rankings.best('likes', score, NOW, 10, NEVER));
    best();
    for (let change = 0; change < 20_010; change++) {
      scene.count(`i${(change * 7919) % ITEMS}`, 500 + change);
      if (change % 250 === 249) rankings.keepUp();
    }
    asked = 0;
    const kept = best();
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(ITEMS / 4);
    expect(kept).toEqual(ranked(scene, score).slice(0, kept.length));
  });

  test('that nobody asks for does not grow by what comes in', () => {
    const scene = new Scene();
    for (let index = 0; index < 9000; index++) scene.item(`i${index}`, { created_at: NOW - index });
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const order = rankings.best('likes', score, NOW, 10, NEVER);
    expect(order).toHaveLength(1024);
    for (let change = 0; change < 9000; change++) {
      scene.count(`i${change}`, 1 + change);
      if (change % 250 === 249) rankings.keepUp();
    }
    expect(order.length).toBeGreaterThan(2048);
    ms = 60_000;
    for (let change = 0; change < 2000; change++) scene.count(`i${change}`, 9000 + change);
    rankings.keepUp();
    expect(order).toHaveLength(1024);
  });

  test('that fails to keep up is built by whoever asks, who is told', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let broken = false;
    const score = (item: Ordinal) => {
      if (broken) throw new Error('broken');
      return scene.state.items.likes_count(item);
    };
    const best = () => itemIds(scene.state, rankings.best('likes', score, NOW, 10, NEVER));
    best();
    broken = true;
    for (let change = 0; change < 2000; change++) scene.count(`i${change % ITEMS}`, 500 + change);
    rankings.keepUp();
    expect(best).toThrow('broken');
    broken = false;
    expect(best()).toEqual(ranked(scene, score).slice(0, best().length));
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
