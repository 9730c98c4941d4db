import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Ordinal, Type } from '../../src/plugin/index.ts';
import { GlobalRankings } from '../../src/signals/global-rankings.ts';
import { driftSeconds } from '../../src/signals/ranking-building.ts';
import { check } from '../support/long.ts';
import { itemIds, itemOf, NOW, Scene } from '../support/scene.ts';
import { by, corpus, ITEMS, NEVER, ranked } from './ranking-support.ts';

const change = fc.record({
  kind: fc.constantFrom('count', 'count', 'like', 'new', 'delete', 'hide', 'revive', 'retire', 'recycle'),
  which: fc.nat(ITEMS - 1),
  likes: fc.integer({ min: 0, max: 100 }),
});
const step = fc.record({
  changes: fc.array(change, { maxLength: 12 }),
  /** Rarely more changes than can be corrected one by one. */
  burst: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  limit: fc.constantFrom(1, 10, 600, 1200, 5000),
});

function applyTo(scene: Scene, { kind, which, likes }: { kind: string; which: number; likes: number }): void {
  const id = `i${which}`;
  if (kind === 'count') scene.count(id, likes);
  else if (kind === 'like') scene.act(`u${likes}`, 'like', id);
  else if (kind === 'new')
    scene.item(`new ${which}`, { created_at: NOW - likes }).count(`new ${which}`, likes);
  else if (kind === 'delete') scene.delete(id);
  else if (kind === 'retire') scene.retire(id);
  else if (kind === 'recycle') scene.recycle();
  else scene.item(id, { created_at: NOW - likes, hidden: kind === 'hide' });
}

function agrees(lag_ms: number): void {
  check(8, [fc.array(step, { minLength: 1, maxLength: 12, size: 'max' })], (steps) => {
    const scene = corpus();
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, lag_ms, () => ms);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    for (const { changes, burst, limit } of steps) {
      scene.now += 0.001;
      for (const each of changes) applyTo(scene, each);
      if (burst) for (let which = 0; which < 300; which++) scene.count(`i${which}`, (which * 31) % 101);
      // The ranking may lag only after a burst, and never for longer than this.
      ms += lag_ms;
      const best = itemIds(scene.state, rankings.best(by('likes', score, NEVER), scene.now, limit));
      const expected = ranked(scene, score);
      expect(best.length).toBeGreaterThanOrEqual(Math.min(limit, expected.length));
      expect(best).toEqual(expected.slice(0, best.length));
    }
  });
}

describe('a global ranking', () => {
  test('a global ranking without lag equals a full sort at every request', () => agrees(0));

  test('a global ranking with lag equals a full sort once the lag has passed', () => agrees(100));

  test('a global ranking is exact right after changes, however recent it is', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    rankings.best(by('likes', score, NEVER), NOW, 100);
    scene.now += 1;
    for (let index = 0; index < 256; index++) scene.count(`i${index}`, 500 + ((index * 7) % 256));
    const best = itemIds(scene.state, rankings.best(by('likes', score, NEVER), NOW, 100));
    expect(best).toEqual(ranked(scene, score).slice(0, best.length));
    expect(best.slice(0, 256).sort()).toEqual(Array.from({ length: 256 }, (_, index) => `i${index}`).sort());
  });

  test('a global ranking lags after too many changes until the lag has passed, without duplicates', () => {
    const scene = corpus();
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    rankings.best(by('likes', score, NEVER), NOW, 100);
    scene.now += 1;
    // Every item changes five times, which overflows the ring of changes.
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 1000; index++) scene.count(`i${index}`, 500 + index + round);
    }
    ms = 99;
    const early = rankings.best(by('likes', score, NEVER), NOW, 100);
    expect(new Set(early).size).toBe(early.length);
    expect(itemIds(scene.state, early.slice(0, 3))).toEqual(['i999', 'i998', 'i997']);
    ms = 100;
    const late = itemIds(scene.state, rankings.best(by('likes', score, NEVER), NOW, 100));
    expect(late).toEqual(ranked(scene, score).slice(0, late.length));
  });

  test('a global ranking is exact after thousands of items were removed and their ordinals reused, once the lag has passed', () => {
    const scene = new Scene();
    const ids = Array.from({ length: 6000 }, (_, index) => `i${index}`);
    for (const [index, id] of ids.entries())
      scene.item(id, { created_at: NOW - index }).count(id, index % 97);
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const best = () => itemIds(scene.state, rankings.best(by('likes', score, NEVER), NOW, 100));
    best();
    scene.retire(...ids.slice(1000)).recycle();
    for (let index = 0; index < 5000; index++) scene.item(`new ${index}`).count(`new ${index}`, index % 89);
    ms = 99;
    best();
    ms = 100;
    const found = best();
    expect(found).toEqual(ranked(scene, score).slice(0, found.length));
  });

  test('a global ranking is exact when its last item is removed and the ordinal belongs to a newer item', () => {
    const scene = new Scene();
    for (let index = 0; index < 1100; index++) scene.item(`i${index}`, { created_at: NOW - index });
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    const score = (item: Ordinal) => scene.state.items.likes_count(item);
    const best = () => itemIds(scene.state, rankings.best(by('likes', score, NEVER), NOW, 100));
    const last = best().at(-1) ?? '';
    expect(last).toBe('i1023');
    // With the same count as the last item, it belongs after it.
    scene
      .retire(last)
      .recycle()
      .item('in its place', { created_at: NOW + 1 })
      .item('i1090', { created_at: NOW - 1 });
    expect(itemOf(scene, 'in its place')).toBe(1023);
    const found = best();
    expect(found).toEqual(ranked(scene, score).slice(0, found.length));
  });

  test('a build restarts when ordinals are freed during it', () => {
    const scene = new Scene();
    for (let index = 0; index < 5000; index++) scene.item(`i${index}`);
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let asked = 0;
    const score = () => ++asked;
    rankings.best(by('asked', score, 5), NOW, 10);
    rankings.best(by('asked', score, 5), NOW + 6, 10);
    expect(rankings.buildStep(NOW)).toBe(true);
    const before = asked;
    scene.retire('i0').recycle();
    expect([rankings.buildStep(NOW), rankings.buildStep(NOW)]).toEqual([true, false]);
    expect(asked).toBe(before);
  });

  test('a ranking by a score that changes with time is rebuilt between requests, after a minute at most', () => {
    const scene = new Scene().item('old', { created_at: NOW - 100 }).item('new', { created_at: NOW });
    let ms = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    let now = NOW;
    const score = (item: Ordinal) => ((scene.state.items.created_at(item) === NOW) === now > NOW + 2 ? 1 : 0);
    const best = () => itemIds(scene.state, rankings.best(by('age', score, 5), now, 10));
    const at = (seconds: number) => {
      now = NOW + seconds;
      ms = seconds * 1000;
    };
    expect(best()).toEqual(['old', 'new']);
    at(5);
    expect([best(), rankings.buildStep(NOW)]).toEqual([['old', 'new'], false]);
    at(6);
    expect([best(), rankings.buildStep(NOW)]).toEqual([['old', 'new'], true]);
    expect(best()).toEqual(['new', 'old']);
    at(2);
    expect(best()).toEqual(['new', 'old']);
    at(-60);
    expect(best()).toEqual(['old', 'new']);
  });

  test('a ranking is as old as its signal allows, and at most twelve times as old', () => {
    const scene = new Scene().item('a');
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let asked = 0;
    const score = () => {
      asked++;
      return 0;
    };
    const builds = (seconds: number) => {
      asked = 0;
      rankings.best(by('slow', score, 100), NOW + seconds, 1);
      const at_once = asked > 0;
      return [at_once, rankings.buildStep(NOW)];
    };
    expect([0, 100].map(builds)).toEqual([
      [true, false],
      [false, false],
    ]);
    expect([101, 201, 202].map(builds)).toEqual([
      [false, true],
      [false, false],
      [false, true],
    ]);
    expect([202 + 1200, 1402 + 1201].map(builds)).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('only signals that depend on time make a ranking drift', () => {
    const signal = (depends_on: 'item' | 'time' | 'viewer', drift_seconds?: number) =>
      driftSeconds({
        summary: '',
        options: Type.Object({}),
        compile: () => () => () => 0,
        depends_on,
        drift_seconds,
      });
    expect([signal('item'), signal('item', 5), signal('time', 70)]).toEqual([NEVER, NEVER, 70]);
    expect(signal('time')).toBeGreaterThan(0);
    expect(signal('time')).toBeLessThan(NEVER);
  });

  test('a ranking that fails between requests stays unchanged until a request builds it', () => {
    const scene = new Scene().item('old', { created_at: NOW - 100 }).item('new', { created_at: NOW });
    const rankings = new GlobalRankings(scene.state, 100, () => 0);
    let broken = false;
    const score = (item: Ordinal) => {
      if (broken) throw new Error('out of luck');
      return scene.state.items.created_at(item);
    };
    const best = (now: number) => itemIds(scene.state, rankings.best(by('age', score, 5), now, 10));
    expect(best(NOW)).toEqual(['new', 'old']);
    broken = true;
    expect(best(NOW + 6)).toEqual(['new', 'old']);
    expect([rankings.buildStep(NOW), rankings.buildStep(NOW)]).toEqual([true, false]);
    expect(best(NOW + 6)).toEqual(['new', 'old']);
    expect(() => best(NOW + 61)).toThrow('out of luck');
  });

  test('rankings are separate per signal', () => {
    const scene = corpus();
    const rankings = new GlobalRankings(scene.state, 0, () => 0);
    const likes = (item: Ordinal) => scene.state.items.likes_count(item);
    const none = () => 0;
    for (let round = 0; round < 2; round++) {
      expect(itemIds(scene.state, rankings.best(by('likes', likes, NEVER), NOW, 5000))).toEqual(
        ranked(scene, likes),
      );
      expect(itemIds(scene.state, rankings.best(by('none', none, NEVER), NOW, 5000))).toEqual(
        ranked(scene, none),
      );
    }
  });

  test('a global ranking without items is empty', () => {
    const rankings = new GlobalRankings(new Scene().state, 100, () => 0);
    expect(
      rankings.best(
        by('any', () => 1, NEVER),
        NOW,
        10,
      ),
    ).toEqual([]);
  });
});
