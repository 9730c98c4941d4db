import { describe, expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import type { Filter, Ordinal, RequestContext } from '../../src/plugin/index.ts';
import { Type } from '../../src/plugin/index.ts';
import { builtIn, engineOn, itemIds, NOW } from '../support/scene.ts';
import { buildAll, heldFor, keptBy, pageOf, pooled, scene } from './pools-support.ts';

const REGISTRY = builtIn();

describe('a filter pool', () => {
  const feedWith = (filters: FeedSettings['filters'], registry = REGISTRY) =>
    compileFeed(registry, 'for-you', { filters });

  test('is built for a feed that is requested again and has a filter with depends_on', () => {
    const engine = engineOn(scene().state, { registry: REGISTRY });
    const lasting = feedWith({ channels: ['even'], start_timestamp: 'hours_ago:1' });
    expect(engine.pools.of(lasting, engine)).toBeUndefined();
    expect(engine.pools.buildStep()).toBe(false);
    pooled(lasting, engine);
    expect(engine.pools.of(lasting, engine)?.size).toBe(1500);
    for (const filters of [{}, { start_timestamp: 'days_ago:1', author_ids: 'following' }]) {
      const feed = feedWith(filters);
      pooled(feed, engine);
      pooled(feed, engine);
      expect(engine.pools.of(feed, engine)).toBeUndefined();
    }
    expect(engine.pools.figures).toMatchObject({ kept: 1, waiting: 0 });
  });

  test('reflects every kind of change that its filters depend on', () => {
    const built = scene();
    const engine = engineOn(built.state, { registry: REGISTRY });
    const feeds = {
      channel: feedWith({ channels: ['rare'] }),
      author: feedWith({ author_ids: ['late'] }),
      label: feedWith({ ai_labels: ['rare'] }),
      likes: feedWith({ engagement: { min_likes_count: 1000 } }),
      place: feedWith({ geo_locations: ['10,10'] }),
    };
    for (const feed of Object.values(feeds)) pooled(feed, engine);
    const held = () =>
      Object.fromEntries(
        Object.entries(feeds).map(([name, feed]) => [
          name,
          itemIds(built.state, heldFor(feed, engine) ?? []),
        ]),
      );
    const none = { channel: [], author: [], label: [], likes: [], place: [] };
    expect(held()).toEqual(none);
    built.item('new', { author: 'late', channel: 'rare', ai_labels: { rare: 0.9 } }).count('new', 999);
    expect(held()).toEqual({ ...none, channel: ['new'], author: ['new'], label: ['new'] });
    built.now += 1;
    built.act('viewer', 'like', 'new');
    expect(held()).toMatchObject({ likes: ['new'], place: [] });
    built.user('late', { geo_location: '10,10.1' });
    expect(held()).toMatchObject({ likes: ['new'], place: ['new'] });
    built.item('new', { author: 'late', hidden: true }).unact('viewer', 'like', 'new', built.now + 1);
    expect(held()).toEqual({ ...none, author: ['new'], place: ['new'] });
    built.user('late');
    expect(held()).toEqual({ ...none, author: ['new'] });
    built.delete('new');
    expect(held()).toEqual(none);
    built.item('new', { author: 'late', geo_location: '10,10' });
    expect(held()).toEqual({ ...none, author: ['new'], place: ['new'] });
    built.erase('late');
    expect(held()).toEqual(none);
  });

  test('does not test unchanged items again', () => {
    const registry = builtIn();
    let tests = 0;
    const counting: Filter = {
      summary: 'Counts.',
      kind: 'inclusion',
      options: Type.Object({}),
      depends_on: 'content',
      compile: () => (request: RequestContext) => (item) => {
        tests++;
        return request.item.created_at(item) > NOW - 2000;
      },
    };
    registry.addBuiltIn({ filters: { count: counting } });
    const built = scene();
    const engine = engineOn(built.state, { registry });
    const feed = feedWith({ count: {} }, registry);
    pooled(feed, engine);
    expect(tests).toBe(3000);
    const page = pageOf(feed, engine, 'viewer', built.now, 25);
    expect(page).toHaveLength(25);
    expect(tests).toBe(3000);
    built.item('i0', { author: 'a0' }).act('viewer', 'like', 'i5');
    pageOf(feed, engine, 'viewer', built.now, 25);
    expect(tests).toBe(3001);
  });

  test('reflects changes of a list of users, and is built again after the change of a large one', () => {
    const built = scene();
    const engine = engineOn(built.state, { registry: REGISTRY });
    const feeds = [{ author_ids: 'list:l' }, { remove_author_ids: 'list:l' }].map((each) => feedWith(each));
    const every = Array.from({ length: 50 }, (_, at) => `a${at}`);
    const steps = [
      () => built.list('l', ['a1', 'a2', 'without posts']),
      () => built.list('l', ['a3'], ['a1']),
      () => built.erase('a2'),
      () => built.item('i6', { author: 'a3' }),
      () => built.list('l', every).list('l', [], every).list('l', ['a7']),
    ];
    for (const change of steps) {
      for (const feed of feeds) pooled(feed, engine);
      change();
      for (const feed of feeds) {
        const held = heldFor(feed, engine);
        if (held !== undefined) expect(held).toEqual(keptBy(feed, engine));
        else expect(change).toBe(steps[steps.length - 1]);
      }
    }
  });

  test('is dropped after too many changes, and built again on request', () => {
    const built = scene();
    const engine = engineOn(built.state, { registry: REGISTRY });
    const feed = feedWith({ channels: ['even'] });
    pooled(feed, engine);
    for (let change = 0; change < 5000; change++) built.item(`i${change % 10}`, { channel: 'even' });
    expect(engine.pools.of(feed, engine)).toBeUndefined();
    expect(engine.pools.figures).toMatchObject({ kept: 0, bytes: 0 });
    pooled(feed, engine);
    expect(heldFor(feed, engine)).toEqual(keptBy(feed, engine));
  });

  test('is never built for a filter that violates its depends_on', () => {
    const lies: Record<string, (request: RequestContext) => (item: Ordinal) => boolean> = {
      viewer: (request) => (item) => request.item.author(item) !== request.viewer.user,
      time: (request) => (item) => request.item.created_at(item) < request.now,
      counters: (request) => (item) => request.item.likes_count(item) > 3,
      follows: (request) => (item) => request.user.following(request.item.author(item)).includes(0),
      'another item': (request) => (item) =>
        request.item.created_at(request.item.find('i0')) <= request.item.created_at(item),
    };
    const built = scene();
    for (const [name, bind] of Object.entries(lies)) {
      const registry = builtIn();
      const lie = { summary: 'Lies.', kind: 'inclusion' as const, options: Type.Object({}) };
      registry.addBuiltIn({
        filters: { [name]: { ...lie, depends_on: 'content' as const, compile: () => bind } },
      });
      const engine = engineOn(built.state, { registry });
      const feed = feedWith({ [name]: {} }, registry);
      const before = pageOf(feed, engineOn(built.state, { registry }), 'viewer', built.now, 25);
      pooled(feed, engine);
      pooled(feed, engine);
      expect([name, engine.pools.of(feed, engine)]).toEqual([name, undefined]);
      expect(engine.pools.figures.waiting).toBe(0);
      expect(pageOf(feed, engine, 'viewer', built.now, 25)).toEqual(before);
    }
  });

  test('evicts the least recently used pool if all pools are too large', () => {
    let ms = 0;
    const pool_limits = { bytes_max: 3500, step_items: 1000 };
    const engine = engineOn(scene().state, { registry: REGISTRY, monotonicMs: () => ms++, pool_limits });
    const [one, two, three] = ['even', 'odd', 'even'].map((channel) => feedWith({ channels: [channel] }));
    pooled(one, engine);
    pooled(two, engine);
    expect(engine.pools.of(one, engine)).toBeDefined();
    pooled(three, engine);
    expect(engine.pools.figures.kept).toBe(2);
    expect(engine.pools.figures.bytes).toBeLessThanOrEqual(3500);
    expect(engine.pools.of(one, engine)).toBeDefined();
    expect(engine.pools.of(two, engine)).toBeUndefined();
  });

  test('is removed after ten minutes without use', () => {
    let ms = 0;
    const engine = engineOn(scene().state, { registry: REGISTRY, monotonicMs: () => ms });
    const [used, unused] = ['even', 'odd'].map((channel) => feedWith({ channels: [channel] }));
    for (const feed of [used, unused]) pooled(feed, engine);
    ms = 500_000;
    expect(engine.pools.of(used, engine)).toBeDefined();
    ms = 610_000;
    buildAll(engine);
    expect(engine.pools.figures.kept).toBe(1);
    expect(engine.pools.of(used, engine)).toBeDefined();
  });
});
