import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileFeed, type FeedSettings } from '../../src/feed/compile-feed.ts';
import type { CompiledFeed } from '../../src/pipeline/compiled-feed.ts';
import type { Engine } from '../../src/pipeline/engine.ts';
import { buildPage } from '../../src/pipeline/pipeline.ts';
import type { FeedType, Filter, Ordinal, RequestContext } from '../../src/plugin/index.ts';
import { Type } from '../../src/plugin/index.ts';
import { State } from '../../src/state/state.ts';
import { RECYCLING, randomChanges, START } from '../support/random-changes.ts';
import { builtIn, engineOn, itemIds, NOW, requestOn, Scene } from '../support/scene.ts';

const RUNS = { numRuns: Number(Bun.env.RUNS ?? 100) };
const REGISTRY = builtIn();
const ITEMS = Array.from({ length: 12 }, (_, index) => `i${index}`);

/** Each filter that lasts, such that it keeps some of the random items, and some that do not. */
const FILTERS: NonNullable<FeedSettings['filters']>[] = [
  { channels: ['music'] },
  { author_ids: ['u0', 'u3', 'nobody'] },
  { remove_author_ids: ['u1'] },
  { languages: ['en'], app_fids: ['app'] },
  { publication_types: ['image'], remove_ai_labels: ['spam'] },
  { embed_domains: ['example.com'] },
  { ai_labels: [{ label: 'music', threshold: 0.3 }] },
  { geo_locations: ['1,2', '0,0'] },
  { remove_geo_locations: ['1,2'] },
  { engagement: { min_likes_count: 1 } },
  { engagement: { max_comments_count: 1 }, channels: ['music', 'chess'] },
  { start_timestamp: START, end_timestamp: START + 2 },
  { start_timestamp: 'hours_ago:1', channels: ['music'] },
  { author_ids: 'following', engagement: { max_likes_count: 2 } },
];

function pageOf(feed: CompiledFeed, engine: Engine, viewer: string, now: number, page_length: number) {
  try {
    return buildPage(feed, requestOn(engine, { viewer, now, page_length }));
  } finally {
    engine.scratch.takeBack();
    engine.pools.takeBack();
  }
}

/** What the pool of a feed holds, of items with content; undefined without one. */
function heldFor(feed: CompiledFeed, engine: Engine): Ordinal[] | undefined {
  const { items } = engine.state;
  return engine.pools
    .of(feed, engine)
    ?.items()
    .filter((item) => items.described(item));
}

/** What its lasting filters keep, asked one by one. */
function keptBy(feed: CompiledFeed, engine: Engine): Ordinal[] {
  const { items } = engine.state;
  const request = requestOn(engine);
  const tests = feed.filters.filter(({ depends_on }) => depends_on).map((filter) => filter.bind(request));
  return Array.from({ length: items.size }, (_, item) => item).filter(
    (item) => items.described(item) && tests.every((keeps) => keeps(item)),
  );
}

function buildAll({ pools }: Engine): void {
  while (pools.buildStep());
}

/** Asks until there is a pool. */
function pooled(feed: CompiledFeed, engine: Engine): void {
  for (let times = 0; times < 2; times++) engine.pools.of(feed, engine);
  buildAll(engine);
}

describe('pages', () => {
  test('are the same with pools and without, whatever changes and is asked meanwhile', () => {
    const drawn = fc.record({
      changes: fc.oneof(
        randomChanges({ longest: 150, items: ITEMS }),
        randomChanges({ ...RECYCLING, items: ITEMS }),
      ),
      filters: fc.uniqueArray(fc.constantFrom(...FILTERS), { minLength: 1, maxLength: 3 }),
      feed_type: fc.constantFrom<FeedType>('for-you', 'trending', 'popular'),
      between: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 15, maxLength: 60 }),
      steps: fc.integer({ min: 0, max: 3 }),
      page_length: fc.constantFrom(1, 3, 10),
    });
    fc.assert(
      fc.property(drawn, ({ changes, filters, feed_type, between, steps, page_length }) => {
        const state = new State();
        const pool_limits = { bytes_max: 1e9, step_items: 5 };
        const engine = engineOn(state, { registry: REGISTRY, pool_limits });
        const feeds = filters.map((given) => compileFeed(REGISTRY, feed_type, { filters: given }));
        let next = 0;
        for (const [index, count] of [...between, changes.length].entries()) {
          for (const change of changes.slice(next, next + count)) state.apply(change);
          next += count;
          const feed = feeds[index % feeds.length];
          const now = state.applied_at + 60;
          const page = pageOf(feed, engine, 'u0', now, page_length);
          const without = engineOn(state, { registry: REGISTRY });
          expect(page).toEqual(pageOf(feed, without, 'u0', now, page_length));
          const held = heldFor(feed, engine);
          if (held !== undefined) expect(held).toEqual(keptBy(feed, engine));
          for (let step = 0; step < steps; step++) engine.pools.buildStep();
        }
        for (const feed of feeds) pooled(feed, engine);
        for (const feed of feeds) expect(heldFor(feed, engine)).toEqual(keptBy(feed, engine));
      }),
      RUNS,
    );
  });
});

/** 3,000 items, of which the newest are hardly liked; the viewer has a history. */
function scene(): Scene {
  const built = new Scene();
  for (let index = 0; index < 3000; index++) {
    const channel = index % 2 === 0 ? 'even' : 'odd';
    built.item(`i${index}`, { author: `a${index % 50}`, channel, created_at: NOW - index });
    built.count(`i${index}`, Math.floor(index / 100));
  }
  for (let index = 0; index < 200; index++) built.act(`u${index % 20}`, 'like', `i${(index * 7) % 3000}`);
  for (let index = 0; index < 20; index++) built.act('viewer', 'like', `i${(index * 77) % 3000}`);
  return built;
}

describe('pages of 3,000 items', () => {
  const { state } = scene();
  const cases: NonNullable<FeedSettings['filters']>[] = [
    { channels: ['even'] },
    { channels: ['even', 'odd'] },
    // Hardly anything of it is popular, and all of it is.
    { start_timestamp: NOW - 1200 },
    { engagement: { min_likes_count: 18 } },
    { engagement: { min_likes_count: 29 } },
    { channels: ['odd'], start_timestamp: 'hours_ago:1', author_ids: 'following:viewer' },
    { channels: ['odd'], start_timestamp: 'hours_ago:1' },
  ];

  test.each(cases.map((filters) => [JSON.stringify(filters), filters] as const))(
    'are the same with a pool and without: %s',
    (_, filters) => {
      for (const feed_type of ['for-you', 'trending', 'popular'] as const) {
        for (const time_decay of ['none', 'high'] as const) {
          const feed = compileFeed(REGISTRY, feed_type, { filters, time_decay });
          const engine = engineOn(state, { registry: REGISTRY });
          pooled(feed, engine);
          expect(engine.pools.of(feed, engine)).toBeDefined();
          for (const page_length of [1, 25, 400, 3000]) {
            const page = pageOf(feed, engine, 'viewer', NOW, page_length);
            const without = engineOn(state, { registry: REGISTRY });
            expect(page).toEqual(pageOf(feed, without, 'viewer', NOW, page_length));
          }
        }
      }
    },
  );
});

test('a feed that grows out of being narrow, or shrinks, has the same page with a pool and without', () => {
  const built = scene();
  const engine = engineOn(built.state, { registry: REGISTRY });
  const feed = compileFeed(REGISTRY, 'for-you', { filters: { channels: ['growing'] } });
  const grow = (from: number, to: number) => {
    for (let index = from; index < to; index++) built.item(`i${index}`, { channel: 'growing' });
  };
  const compare = () => {
    const page = pageOf(feed, engine, 'viewer', built.now, 25);
    const without = engineOn(built.state, { registry: REGISTRY });
    expect(page).toEqual(pageOf(feed, without, 'viewer', built.now, 25));
    return page;
  };
  grow(0, 1000);
  pooled(feed, engine);
  const narrow = compare();
  grow(1000, 1003);
  // What the sources and the tail give is not the very best.
  expect(compare()).not.toEqual(narrow);
  for (let index = 1000; index < 1003; index++) built.delete(`i${index}`);
  compare();
});

describe('a pool', () => {
  const feedWith = (filters: FeedSettings['filters'], registry = REGISTRY) =>
    compileFeed(registry, 'for-you', { filters });

  test('is for feeds that are asked for again and have a filter that lasts', () => {
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

  test('follows each kind of change that its filters can see', () => {
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

  test('saves the tests of what did not change', () => {
    const registry = builtIn();
    let tests = 0;
    const counting: Filter = {
      summary: 'Counts.',
      kind: 'inclusion',
      options: Type.Object({}),
      depends_on: () => 'content',
      compile: () => (request: RequestContext) => (item) => {
        tests++;
        return request.created_at(item) > NOW - 2000;
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

  test('is given up when more changed than is known, and built again when it is asked for', () => {
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

  test('is never made of a filter that looks at more than it says', () => {
    const lies: Record<string, (request: RequestContext) => (item: Ordinal) => boolean> = {
      viewer: (request) => (item) => request.author(item) !== request.viewer,
      time: (request) => (item) => request.created_at(item) < request.now,
      counters: (request) => (item) => request.likes_count(item) > 3,
      follows: (request) => (item) => request.follows(request.author(item), 0),
    };
    const built = scene();
    for (const [name, bind] of Object.entries(lies)) {
      const registry = builtIn();
      const lie = { summary: 'Lies.', kind: 'inclusion' as const, options: Type.Object({}) };
      registry.addBuiltIn({
        filters: { [name]: { ...lie, depends_on: () => 'content' as const, compile: () => bind } },
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

  test('makes room when all of them are too large: the one used longest ago goes', () => {
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

  test('goes when it was not used for ten minutes', () => {
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
