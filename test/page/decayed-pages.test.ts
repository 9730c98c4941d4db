import { describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { compileFeed, type TimeDecay } from '../../src/feeds/compile-feed.ts';
import type { Engine } from '../../src/page/engine.ts';
import { check } from '../support/long.ts';
import { builtIn, DAY, engineOn, HOUR, itemIds, NOW, Scene } from '../support/scene.ts';
import { pageOf } from './pools-support.ts';

const ITEMS = 4096;
const registry = builtIn();

/** More items than a ranking holds, one per minute in no order, and a service with cached rankings. */
function decaying(time_decay: TimeDecay) {
  const scene = new Scene();
  for (let index = 0; index < ITEMS; index++) {
    scene.item(`i${index}`, { author: `a${index % 50}`, created_at: NOW - 60 * ((index * 277) % ITEMS) });
    scene.count(`i${index}`, 50 + (index % 37));
  }
  const feed = compileFeed(registry, 'popular', { time_decay });
  const kept = engineOn(scene.state, { registry, lag_ms: 100 });
  const page = (engine: Engine) =>
    itemIds(
      scene.state,
      pageOf(feed, engine, 'unknown', scene.now, 12).map(({ item }) => item),
    );
  return { scene, kept, page: () => page(kept), afresh: () => page(engineOn(scene.state, { registry })) };
}

describe('a popular page that decays', () => {
  test('shows items that are liked days after its ranking was built', () => {
    const { scene, page, afresh } = decaying('high');
    const [, second] = page();
    scene.now += 2 * DAY;
    scene.act('somebody', 'like', second).item('brand new', { author: 'x' });
    for (const user of ['one', 'two']) scene.act(user, 'like', 'brand new');
    expect(page()).toContain(second);
    expect(page()).toEqual(afresh());
  });

  test('places items correctly that were dated ahead when its ranking was built', () => {
    const { scene, page, afresh } = decaying({ half_life_hours: 1 });
    scene.item('ahead', { author: 'x', created_at: NOW + 6 * HOUR }).count('ahead', 3);
    page();
    scene.now += 7 * HOUR;
    scene.item('i0', { author: 'a0', created_at: NOW }).count('i0', 60);
    expect(page()).toEqual(afresh());
    expect(page()[0]).toBe('ahead');
  });

  test('is correct even if building its ranking took longer than a half-life', () => {
    const { scene, kept, page, afresh } = decaying({ half_life_hours: 1 });
    page();
    scene.now += 65 * HOUR;
    page();
    let steps = 0;
    do {
      scene.now += 600;
      scene.act(`u${steps}`, 'like', `i${(steps * 101) % ITEMS}`);
      steps++;
    } while (kept.rankings.buildStep(scene.now));
    expect(steps).toBeGreaterThan(8);
    expect(page()).toEqual(afresh());
  });

  test('equals a page without cached rankings, after any changes and any time', () => {
    const step = fc.record({
      which: fc.oneof(fc.nat(30), fc.nat(ITEMS - 1)),
      likes: fc.constantFrom(0, 40, 90, 5000),
      kind: fc.constantFrom('count', 'like', 'delete', 'post'),
      wait: fc.constantFrom(0, 1, 600, HOUR, 7 * HOUR, 3 * DAY),
    });
    const decay = fc.constantFrom<TimeDecay>('low', 'medium', 'high');
    check(10, [decay, fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })], (time_decay, steps) => {
      const { scene, kept, page, afresh } = decaying(time_decay);
      page();
      for (const [at, { which, likes, kind, wait }] of steps.entries()) {
        const id = `i${which}`;
        scene.now += wait;
        if (kind === 'delete') scene.delete(id);
        else if (kind === 'post')
          scene.item(id, { author: 'x', created_at: scene.now - 60 }).count(id, likes);
        else if (kind === 'like') scene.act(`u${at}`, 'like', id);
        else scene.count(id, likes);
        if (at % 3 === 0) kept.rankings.keepUp(scene.now);
        if (at % 4 === 0) kept.rankings.buildStep(scene.now);
        if (at % 5 === 0) expect(page()).toEqual(afresh());
      }
      expect(page()).toEqual(afresh());
    });
  });

  test('places items dated slightly ahead by adjusted score, on one page and on plain pages', () => {
    const item = fc.record({
      seconds: fc.integer({ min: -90, max: 60 }),
      likes: fc.integer({ min: 30, max: 40 }),
    });
    const decay = fc.constantFrom<TimeDecay | undefined>(
      undefined,
      'high',
      { half_life_hours: 1 },
      { half_life_hours: 0.001 },
    );
    check(100, [decay, fc.array(item, { minLength: 1, maxLength: 60, size: 'max' })], (time_decay, items) => {
      const scene = new Scene();
      for (const [index, { seconds, likes }] of items.entries()) {
        const id = `i${String(index).padStart(2, '0')}`;
        scene.item(id, { author: `a${index}`, created_at: NOW + seconds }).count(id, likes);
      }
      const feed = compileFeed(registry, 'popular', { time_decay });
      const engine = engineOn(scene.state, { registry });
      const list = pageOf(feed, engine, 'unknown', NOW, items.length);
      expect(list).toHaveLength(items.length);
      for (const [at, { adjusted_score }] of list.slice(1).entries()) {
        expect(adjusted_score).toBeLessThanOrEqual(list[at].adjusted_score);
      }
      for (const length of [1, 5, 20]) {
        expect(pageOf(feed, engine, 'unknown', NOW, length)).toEqual(list.slice(0, length));
      }
    });
  });

  test('scores no items planned for later, even if the ranking is full of them', () => {
    const scene = new Scene();
    for (let index = 0; index < 30; index++) {
      scene.item(`i${index}`, { author: 'a', created_at: NOW - index }).count(`i${index}`, 40);
    }
    for (let index = 0; index < 3000; index++) {
      scene.item(`later ${index}`, { author: 'b', created_at: NOW + DAY + index }).count(`later ${index}`, 5);
    }
    const feed = compileFeed(registry, 'popular', { time_decay: 'high' });
    const engine = engineOn(scene.state, { registry, lag_ms: 1_000_000 });
    pageOf(feed, engine, 'unknown', NOW, 10);
    const looked_at = spyOn(scene.state.items, 'likes_count');
    expect(pageOf(feed, engine, 'unknown', NOW, 10)).toHaveLength(10);
    expect(looked_at.mock.calls.length).toBeLessThan(100);
  });
});
