import { describe, expect, test } from 'bun:test';
import type { Ordinal } from '../../src/plugin/index.ts';
import { GlobalRankings } from '../../src/signals/global-rankings.ts';
import { NOW, Scene } from '../support/scene.ts';
import { by } from './ranking-support.ts';

describe('a global ranking without requests', () => {
  /** A ranking whose score is the age of the item. */
  function aging(items = 1300) {
    const scene = new Scene();
    for (let index = 0; index < items; index++) scene.item(`i${index}`, { created_at: NOW - index });
    let ms = 0;
    let scored_count = 0;
    const rankings = new GlobalRankings(scene.state, 100, () => ms);
    const ranking = {
      name: 'age',
      drift_seconds: 5,
      scoreAt: (now: number) => (item: Ordinal) => {
        scored_count++;
        return (scene.state.items.created_at(item) - now) % 100;
      },
    };
    const takes = (step_ms: number) => {
      const { scoreAt } = ranking;
      ranking.scoreAt = (now) => {
        const score = scoreAt(now);
        return (item) => {
          ms += step_ms;
          return score(item);
        };
      };
    };
    const at = (seconds: number) => {
      ms = seconds * 1000;
      return NOW + seconds;
    };
    const renewed = (seconds: number) => {
      const began = rankings.renew(at(seconds));
      while (rankings.buildStep(NOW));
      return began;
    };
    /** The number of items that are scored during requests. */
    const waitsFor = (seconds: number) => {
      const now = at(seconds);
      scored_count = 0;
      rankings.best(ranking, now, 10);
      return scored_count;
    };
    return { scene, rankings, ranking, takes, renewed, waitsFor };
  }

  test('an idle ranking is rebuilt now and then, so that later requests need not wait', () => {
    const { renewed, waitsFor } = aging();
    expect(waitsFor(0)).toBeGreaterThanOrEqual(1300);
    expect([30, 31, 60, 61, 62, 92, 93].map(renewed)).toEqual([false, true, false, false, true, false, true]);
    expect(waitsFor(150)).toBe(0);
    // Without that the request would build it.
    expect(waitsFor(300)).toBeGreaterThanOrEqual(1300);
  });

  test('an idle ranking is no longer rebuilt after a day', () => {
    const { renewed, waitsFor } = aging();
    waitsFor(0);
    const day = 24 * 3600;
    expect([renewed(day), renewed(day + 40)]).toEqual([true, false]);
    waitsFor(day + 41);
    expect([renewed(day + 42), renewed(day + 80)]).toEqual([false, true]);
  });

  test('rebuilding takes at most a sixteenth of the time with requests, and a ninety-sixth without', () => {
    const { renewed, waitsFor, takes, rankings } = aging(1300);
    takes(1);
    // It takes 1.3 seconds, so it is due after 20.8 seconds.
    waitsFor(0);
    expect(rankings.buildStep(NOW)).toBe(false);
    waitsFor(20.5);
    expect(rankings.buildStep(NOW)).toBe(false);
    expect([renewed(120), renewed(126)]).toEqual([false, true]);
    waitsFor(150);
    expect(rankings.buildStep(NOW)).toBe(true);
  });

  test('an expected ranking is built before its first request', () => {
    const { rankings, ranking, renewed, waitsFor } = aging();
    rankings.expect(ranking);
    expect([renewed(0), renewed(1)]).toEqual([true, false]);
    expect(waitsFor(2)).toBe(0);
    rankings.expect(ranking);
    expect(renewed(3)).toBe(false);
  });

  test('an idle ranking that fails to build is not retried until a request', () => {
    const { rankings, ranking, renewed, waitsFor } = aging();
    const { scoreAt } = ranking;
    waitsFor(0);
    ranking.scoreAt = () => () => {
      throw new Error('out of luck');
    };
    expect([renewed(40), renewed(41), renewed(100)]).toEqual([true, false, false]);
    ranking.scoreAt = () => {
      throw new Error('out of luck');
    };
    rankings.expect({ ...ranking, name: 'another' });
    expect([renewed(101), renewed(102)]).toEqual([true, false]);
    ranking.scoreAt = scoreAt;
    expect(waitsFor(103)).toBeGreaterThanOrEqual(1300);
    expect(renewed(140)).toBe(true);
  });

  test('a ranking without lag is never built in the background', () => {
    const scene = new Scene().item('a');
    const rankings = new GlobalRankings(scene.state, 0, () => 0);
    const ranking = by('any', () => 1, 5);
    rankings.expect(ranking);
    rankings.best(ranking, NOW, 1);
    expect([rankings.renew(NOW), rankings.renew(NOW + 100)]).toEqual([false, false]);
  });
});
