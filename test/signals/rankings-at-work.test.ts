import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Ordinal } from '../../src/plugin/index.ts';
import { GlobalRankings } from '../../src/signals/global-rankings.ts';
import { check } from '../support/long.ts';
import { itemIds, NOW, Scene } from '../support/scene.ts';
import { by, corpus, ITEMS, NEVER, ranked } from './ranking-support.ts';

/** A ranking by likes, the next version of which is asked for but not built. */
function beingBuilt(scene: Scene, score = (item: Ordinal) => scene.state.items.likes_count(item)) {
  const rankings = new GlobalRankings(scene.state, 100, () => 0);
  const best = () => itemIds(scene.state, rankings.best(by('likes', score, 5), NOW + 6, 10));
  rankings.best(by('likes', score, 5), NOW, 10);
  best();
  return { rankings, score, best };
}

describe('a global ranking under changes', () => {
  test('a ranking built between requests contains the changes of that time', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const best = (now: number) => itemIds(scene.state, rankings.best(by('likes', score, 5), now, 5000));
    best(NOW);
    for (let round = 1; round < 4; round++) {
      const now = NOW + 6 * round;
      best(now);
      let steps = 0;
      do {
        scene.now += 0.001;
        scene.count(`i${(steps * 7) % ITEMS}`, 1000 * round + steps);
        steps++;
      } while (rankings.buildStep(NOW));
      expect(steps).toBeGreaterThan(5);
      expect(best(now)).toEqual(ranked(scene, score));
    }
  });

  test('a ranking built between requests does not use the request that started it', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let sign = 1;
    const score = (item: Ordinal) => 100 + sign * scene.state.items.likes_count(item);
    const best = (now: number) => {
      let ended = false;
      const ofRequest = (item: Ordinal) => {
        if (ended) throw new Error('the request has ended');
        return score(item);
      };
      const found = itemIds(scene.state, rankings.best(by('likes', score, 5), now, 10, ofRequest));
      ended = true;
      return found;
    };
    best(NOW);
    // Only time passes, and no change is recorded.
    sign = -1;
    best(NOW + 6);
    while (rankings.buildStep(NOW + 6));
    const renewed = best(NOW + 6);
    expect(renewed).toEqual(ranked(scene, score).slice(0, renewed.length));
  });

  test('a ranking that fails to build between requests stays unchanged and keeps answering', () => {
    const rankings = new GlobalRankings(corpus().state, 100, () => 0);
    const likes = () => 1;
    let fails = false;
    const broken = {
      ...by('likes', likes, 5),
      scoreAt: () => {
        if (fails) throw new Error('without a viewer it does not know');
        return likes;
      },
    };
    const before = [...rankings.best(broken, NOW, 10, likes)];
    fails = true;
    expect(rankings.best(broken, NOW + 6, 10, likes)).toEqual(before);
    expect(rankings.buildStep(NOW + 6)).toBe(false);
  });

  test('a background build stops after too many changes, and restarts', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const best = (now: number) => itemIds(scene.state, rankings.best(by('likes', score, 5), now, 10));
    best(NOW);
    best(NOW + 6);
    for (let change = 0; change < 5000; change++) scene.count(`i${change % 3}`, change + 200);
    expect([rankings.buildStep(NOW), rankings.buildStep(NOW)]).toEqual([true, false]);
    best(NOW + 6);
    while (rankings.buildStep(NOW));
    const renewed = best(NOW + 6);
    expect(renewed).toEqual(ranked(scene, score).slice(0, renewed.length));
  });

  test('a ranking keeps up with any number of reported changes without a rebuild', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let scored_count = 0;
    const score = (item: Ordinal) => {
      scored_count++;
      return scene.state.items.likes_count(item);
    };
    const best = () => itemIds(scene.state, rankings.best(by('likes', score, NEVER), NOW, 10));
    best();
    for (let change = 0; change < 20_010; change++) {
      scene.count(`i${(change * 7919) % ITEMS}`, 500 + change);
      if (change % 250 === 249) rankings.keepUp(NOW);
    }
    scored_count = 0;
    const kept = best();
    expect(scored_count).toBeGreaterThan(0);
    expect(scored_count).toBeLessThan(ITEMS / 4);
    expect(kept).toEqual(ranked(scene, score).slice(0, kept.length));
  });

  test('a ranking without requests does not grow by new items', () => {
    const scene = new Scene();
    for (let index = 0; index < 9000; index++) scene.item(`i${index}`, { created_at: NOW - index });
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const order = rankings.best(by('likes', score, NEVER), NOW, 10);
    expect(order).toHaveLength(1024);
    for (let change = 0; change < 9000; change++) {
      scene.count(`i${change}`, 1 + change);
      if (change % 250 === 249) rankings.keepUp(NOW);
    }
    expect(order.length).toBeGreaterThan(2048);
    ms = 60_000;
    for (let change = 0; change < 2000; change++) scene.count(`i${change}`, 9000 + change);
    rankings.keepUp(NOW);
    expect(order).toHaveLength(1024);
  });

  test('a ranking that fails to keep up is built by the next request, which gets the error', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let broken = false;
    const score = (item: Ordinal) => {
      if (broken) throw new Error('broken');
      return scene.state.items.likes_count(item);
    };
    const best = () => itemIds(scene.state, rankings.best(by('likes', score, NEVER), NOW, 10));
    best();
    broken = true;
    for (let change = 0; change < 2000; change++) scene.count(`i${change % ITEMS}`, 500 + change);
    rankings.keepUp(NOW);
    expect(best).toThrow('broken');
    broken = false;
    expect(best()).toEqual(ranked(scene, score).slice(0, best().length));
  });

  test('a ranking is cut after a minute without long reads, and grows again', () => {
    const scene = new Scene();
    for (let index = 0; index < 9000; index++) scene.item(`i${index}`, { created_at: NOW - index });
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    const score = (item: Ordinal) => scene.state.items.created_at(item);
    const length = (limit: number) => rankings.best(by('age', score, NEVER), NOW, limit).length;
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
    expect(itemIds(scene.state, rankings.best(by('age', score, NEVER), NOW, 10)).slice(0, 3)).toEqual([
      'newest',
      'i0',
      'i1',
    ]);
    const all = itemIds(scene.state, rankings.best(by('age', score, NEVER), NOW, 9002));
    expect(all).toEqual(ranked(scene, score));
  });

  test('a ranking that lost many items is rebuilt between requests, before any request needs them', () => {
    const scene = new Scene();
    for (let index = 0; index < 3000; index++)
      scene.item(`i${index}`, { created_at: NOW - index }).count(`i${index}`, index % 700);
    let built = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const ranking = { ...by('likes', score, NEVER), scoreAt: () => score };
    const best = () => rankings.best(ranking, NOW, 512);
    expect(best()).toHaveLength(1024);
    for (const id of itemIds(scene.state, best()).slice(0, 400)) scene.delete(id);
    expect(best()).toHaveLength(624);
    while (rankings.buildStep(NOW)) built++;
    expect(built).toBeGreaterThan(0);
    expect(best()).toHaveLength(1024);
    expect(itemIds(scene.state, best())).toEqual(ranked(scene, score).slice(0, 1024));
    expect(rankings.buildStep(NOW)).toBe(false);
  });

  test('a ranking built during any changes equals a full sort', () => {
    const change = fc.record({ which: fc.nat(ITEMS - 1), likes: fc.nat(200), gone: fc.nat(9) });
    check(
      50,
      [fc.array(fc.array(change, { maxLength: 60, size: 'max' }), { minLength: 8, maxLength: 8 })],
      (steps) => {
        const scene = corpus();
        const rankings = new GlobalRankings(scene.state, 100, () => 0);
        const score = (item: Ordinal) => scene.state.items.likes_count(item);
        const best = (now: number) => itemIds(scene.state, rankings.best(by('likes', score, 5), now, 10));
        best(NOW);
        best(NOW + 6);
        let building = true;
        for (let at = 0; building; at++) {
          for (const { which, likes, gone } of steps[at] ?? []) {
            scene.now += 0.001;
            if (gone === 0) scene.delete(`i${which}`);
            else scene.item(`i${which}`, { created_at: NOW - (which % 50) }).count(`i${which}`, likes);
          }
          building = rankings.buildStep(NOW);
        }
        const found = best(NOW + 6);
        expect(found.length).toBeGreaterThanOrEqual(Math.min(10, ranked(scene, score).length));
        expect(found).toEqual(ranked(scene, score).slice(0, found.length));
      },
    );
  });

  describe('of equal scores', () => {
    function equals() {
      const scene = new Scene();
      for (let index = 0; index < 1300; index++) {
        scene.item(`i${index}`, { created_at: NOW - index }).count(`i${index}`, 5);
      }
      const { rankings, score, best } = beingBuilt(scene);
      // None of the newest 276 has been scored or sorted yet.
      for (let step = 0; step < 2; step++) rankings.buildStep(NOW);
      return { scene, rankings, best, expected: () => ranked(scene, score) };
    }

    test('a ranking of equal scores is in order if items were deleted and posted again during the build', () => {
      const { scene, rankings, best, expected } = equals();
      rankings.buildStep(NOW);
      for (let index = 0; index < 1024; index += 2) scene.delete(`i${index}`);
      rankings.buildStep(NOW);
      for (let index = 0; index < 1024; index += 2) scene.item(`i${index}`, { created_at: NOW - index });
      while (rankings.buildStep(NOW));
      expect(best()).toEqual(expected().slice(0, best().length));
    });

    test('a ranking of equal scores ends at the same place if its last items were deleted during the build', () => {
      const { scene, rankings, best, expected } = equals();
      for (let index = 700; index < 1024; index++) scene.delete(`i${index}`);
      while (rankings.buildStep(NOW));
      expect(best()).toHaveLength(700);
      scene.count('i1200', 5);
      expect(best()).toEqual(expected().slice(0, best().length));
    });
  });

  test('a ranking built during changes leaves only changed items with a place to the next request', () => {
    const scene = new Scene();
    for (let index = 0; index < 9000; index++) scene.item(`i${index}`).count(`i${index}`, 10_000 + index);
    let scored_count = 0;
    const { rankings, best } = beingBuilt(scene, (item) => {
      scored_count++;
      return scene.state.items.likes_count(item);
    });
    // After all were scored, nearly all of them change, most to lower scores.
    for (let step = 0; step < 18; step++) rankings.buildStep(NOW);
    for (let index = 0; index < 3900; index++) scene.count(`i${index}`, index);
    scene.count('i0', 50_000);
    while (rankings.buildStep(NOW));
    scored_count = 0;
    expect(best().slice(0, 2)).toEqual(['i0', 'i8999']);
    expect(scored_count).toBeLessThan(100);
  });

  test('a ranking whose last item rose during the build keeps its end', () => {
    const scene = new Scene();
    for (let index = 0; index < 1100; index++) scene.item(`i${index}`).count(`i${index}`, 2000 - index);
    const { rankings, score, best } = beingBuilt(scene);
    for (let step = 0; step < 2; step++) rankings.buildStep(NOW);
    scene.count('i1023', 1500.5);
    scene.count('i1099', 1200.5);
    while (rankings.buildStep(NOW));
    const found = best();
    expect(found).toEqual(ranked(scene, score).slice(0, found.length));
    expect(found).toContain('i1099');
  });
});
