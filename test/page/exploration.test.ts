import { describe, expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import type { PageItem } from '../../src/page/page-item.ts';
import { buildList } from '../../src/page/pipeline.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import { tieBreak } from '../../src/signals/order.ts';
import { builtIn, DAY, engineOn, itemOf, NOW, requestOn, Scene } from '../support/scene.ts';

const REGISTRY = builtIn();
const PAGE = 20;

/**
 * 60 popular items of a famous author. Of unknown authors: 40 new items with little engagement, 20 old items, and 20
 * new and popular items.
 */
function scene(followers = 30): Scene {
  const made = new Scene();
  // Two days of observation, so that paces are known and scores differ.
  made.now = NOW - 2 * DAY;
  for (let user = 0; user < followers; user++) made.follow(`user ${user}`, 'famous');
  for (let index = 0; index < 60; index++) {
    made
      .item(`hit ${index}`, { author: 'famous', created_at: NOW - 2 * DAY })
      .count(`hit ${index}`, 100 + index);
  }
  made.now = NOW;
  for (let index = 0; index < 40; index++) {
    made.item(`new ${index}`, { author: `author ${index}`, channel: 'small', created_at: NOW - index });
  }
  for (let index = 0; index < 20; index++) {
    made.item(`old ${index}`, { author: `author ${index}`, created_at: NOW - 4 * DAY });
    made.item(`risen ${index}`, { author: `author ${index}`, created_at: NOW - DAY });
    made.count(`risen ${index}`, 50 + index);
  }
  for (let index = 0; index < 5; index++) made.act('viewer', 'like', `hit ${index}`);
  return made;
}

const SCENE = scene();
const { state } = SCENE;

interface Asked {
  percent: number;
  seed?: number;
  length?: number;
  feed_type?: FeedType;
  settings?: FeedSettings;
}

function page({ percent, seed = 1, length = PAGE, feed_type = 'for-you', settings = {} }: Asked): PageItem[] {
  const engine = engineOn(state, { exploration_percent: percent });
  const request = requestOn(engine, { viewer: 'viewer', page_length: length, seed });
  return buildList(compileFeed(REGISTRY, feed_type, settings), request);
}

const isNew = ({ item }: PageItem) => state.items.names.id(item).startsWith('new ');
const explored = (items: PageItem[]) => items.filter((item) => item.explored);
const ids = (items: PageItem[]) => items.map(({ item }) => state.items.names.id(item));

describe('exploration', () => {
  test('gives only new items of small authors a share of for-you pages', () => {
    const pages = Array.from({ length: 400 }, (_, seed) => page({ percent: 12, seed }));
    const found = pages.flatMap(explored);
    expect(found.every(isNew)).toBe(true);
    for (const items of pages) expect(explored(items).length).toBeLessThanOrEqual(3);
    // 2.4 of 20 slots on average; the standard error over 400 pages is 0.03.
    expect(found.length / pages.length).toBeGreaterThan(2.2);
    expect(found.length / pages.length).toBeLessThan(2.6);
    expect(new Set(ids(found)).size).toBe(40);
  });

  test('keeps the upper half and the order of scores, and shows no item twice', () => {
    const plain = page({ percent: 0 });
    for (let seed = 0; seed < 200; seed++) {
      const items = page({ percent: 10, seed });
      expect(ids(items.slice(0, PAGE / 2))).toEqual(ids(plain.slice(0, PAGE / 2)));
      expect(new Set(ids(items)).size).toBe(PAGE);
      const known = items.filter((item) => !item.explored);
      expect(ids(known)).toEqual(ids(plain.slice(0, known.length)));
      for (let slot = 1; slot < items.length; slot++) {
        const [one, other] = [items[slot - 1], items[slot]];
        const order = other.adjusted_score - one.adjusted_score || tieBreak(state, one.item, other.item);
        expect(order).toBeLessThan(0);
      }
    }
  });

  test('sets the adjusted score to the decayed score', () => {
    const settings: FeedSettings = { time_decay: 'high' };
    const [found] = explored(page({ percent: 50, settings }));
    const decay = 2 ** (-(NOW - state.items.created_at(found.item)) / (12 * 3600));
    expect(found.adjusted_score).toBeCloseTo(found.score * decay, 12);
  });

  test('gives explored items finite scores with any half-life', () => {
    for (const half_life_hours of [0.0001, 1e-312]) {
      const items = page({ percent: 50, settings: { time_decay: { half_life_hours } } });
      expect(items).toHaveLength(PAGE);
      for (const { score, adjusted_score } of items) {
        expect([Number.isFinite(score), Number.isFinite(adjusted_score)]).toEqual([true, true]);
      }
    }
  });

  test('respects filters, seen items and hidden items', () => {
    const filtered = page({
      percent: 50,
      settings: { filters: { remove_author_ids: ['author 3', 'famous'] } },
    });
    expect(ids(filtered)).not.toContain('new 3');
    const hiding = scene();
    for (let index = 0; index < 39; index++) hiding.act('viewer', 'hide', `new ${index}`);
    const engine = engineOn(hiding.state, { exploration_percent: 50 });
    const request = requestOn(engine, { viewer: 'viewer', page_length: PAGE });
    const items = explored(buildList(compileFeed(REGISTRY, 'for-you', {}), request));
    expect(items.map(({ item }) => item)).toEqual([itemOf(hiding, 'new 39')]);
  });

  test('shows no item twice if diversity needs more items than the page and an explored item is already queued', () => {
    const made = new Scene();
    made.now = NOW - DAY;
    for (let user = 0; user < 30; user++) made.follow(`user ${user}`, 'famous');
    for (let index = 0; index < 12; index++) {
      made
        .item(`hit ${index}`, { author: 'famous', created_at: NOW - DAY })
        .count(`hit ${index}`, 100 + index);
    }
    made.now = NOW;
    for (let index = 0; index < 12; index++)
      made.item(`new ${index}`, { author: 'unknown', created_at: NOW - index });
    made.follow('viewer', 'famous');
    for (let index = 0; index < 8; index++) {
      made.item(`liked ${index}`, { author: 'famous', created_at: NOW - 5 * DAY });
      made.act('viewer', 'like', `liked ${index}`);
    }
    const engine = engineOn(made.state, { exploration_percent: 20 });
    const settings: FeedSettings = {
      filters: { start_timestamp: NOW - 2 * DAY },
      feed_diversity_config: { max_posts_per_author: 5 },
    };
    let found = 0;
    for (let seed = 0; seed < 200; seed++) {
      const request = requestOn(engine, { viewer: 'viewer', page_length: 10, seed });
      const items = buildList(compileFeed(REGISTRY, 'for-you', settings), request);
      expect(new Set(items.map(({ item }) => item)).size).toBe(items.length);
      found += explored(items).length;
    }
    expect(found).toBeGreaterThan(200);
  });

  test('is repeatable with the seed, and off for 0 %, short pages and other feed types', () => {
    expect(ids(page({ percent: 10, seed: 7 }))).toEqual(ids(page({ percent: 10, seed: 7 })));
    expect(explored(page({ percent: 0 }))).toEqual([]);
    expect(explored(page({ percent: 50, length: 9 }))).toEqual([]);
    expect(explored(page({ percent: 50, feed_type: 'trending' }))).toEqual([]);
    expect(explored(page({ percent: 50, feed_type: 'popular' }))).toEqual([]);
  });

  test('does not shorten lists: successive pages reach every item', () => {
    const all = page({ percent: 20, length: 140 });
    expect(new Set(ids(all)).size).toBe(135);
  });

  /** How many seeds show explored items, and which items. */
  function found(made: Scene, seeds = 200): string[] {
    const engine = engineOn(made.state, { exploration_percent: 10 });
    return Array.from({ length: seeds }, (_, seed) => {
      const request = requestOn(engine, { viewer: 'viewer', page_length: PAGE, seed });
      const items = explored(buildList(compileFeed(REGISTRY, 'for-you', {}), request));
      return items.map(({ item }) => made.state.items.names.id(item));
    }).flat();
  }

  /** The usual scene with the given number of newer items. */
  function flooded(count: number, content: Partial<ItemContent> = {}): Scene {
    const made = scene();
    for (let index = 0; index < count; index++) made.item(`spam ${index}`, { author: 'spammer', ...content });
    return made;
  }

  test('draws from the same items if other items are dated ahead', () => {
    expect(found(flooded(10_000, { created_at: NOW + 61 }), 50)).toEqual(found(scene(), 50));
  });

  test.each<[string, () => Scene]>([
    ['moderation took out', () => flooded(600, { hidden: true })],
    ['is by somebody whom moderation took out', () => flooded(600).user('spammer', { hidden: true })],
    ['is by somebody whom the viewer blocks', () => flooded(600).block('viewer', 'spammer')],
    ['is by somebody who blocks the viewer', () => flooded(600).block('spammer', 'viewer')],
  ])('is among the newest without what %s', (_, made) => {
    const items = found(made());
    // Two per page of 20, with equal probability.
    expect(items.length).toBe(400);
    const times = Map.groupBy(items, (id) => id);
    expect(times.size).toBe(40);
    expect(Math.max(...[...times.values()].map(({ length }) => length))).toBeLessThan(30);
  });

  test('examines at most eight items per slot', () => {
    const beyond = (count: number) => found(flooded(count, { hidden: true }), 20).length;
    expect(beyond(8 * 512 - 20)).toBe(40);
    expect(beyond(8 * 512)).toBe(0);
  });

  test('includes all authors if all have equally many followers, else only those with fewer', () => {
    const whose = (made: Scene) => new Set(found(made)).size;
    const made = scene(0);
    expect(whose(made)).toBe(40);
    expect(found(made.follow('viewer', 'author 3'))).not.toContain('new 3');
    expect(whose(made)).toBe(39);
    const all = ['viewer', 'famous', ...Array.from({ length: 40 }, (_, index) => `author ${index}`)];
    const ring = scene(0);
    for (const [at, user] of all.entries()) ring.follow(user, all[(at + 1) % all.length]);
    expect(whose(ring)).toBe(40);
    // Two authors then have at least two followers, and none of the others is above the average.
    expect(whose(ring.follow('viewer', 'author 3').follow('viewer', 'author 4'))).toBe(38);
  });
});
