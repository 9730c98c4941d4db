import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { RECYCLING, randomChanges, START } from '../support/random-changes.ts';
import { builtIn, DAY, engineOn, HOUR, NOW, Scene } from '../support/scene.ts';
import { heldFor, keptBy, pageOf, pooled, scene } from './pools-support.ts';

const RUNS = 20;
const REGISTRY = builtIn();
const ITEMS = Array.from({ length: 12 }, (_, index) => `i${index}`);

/** Filters with `depends_on`: some keep some of the random items, and some keep none. */
const FILTERS: NonNullable<FeedSettings['filters']>[] = [
  { channels: ['music'] },
  { author_ids: ['u0', 'u3', 'unknown'] },
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

describe('pages', () => {
  test('are the same with and without pools, after any changes and requests', () => {
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
    check(RUNS, [drawn], ({ changes, filters, feed_type, between, steps, page_length }) => {
      const state = new State();
      const pool_limits = { bytes_max: 1e9, step_items: 5 };
      const engine = engineOn(state, { registry: REGISTRY, pool_limits });
      const feeds = filters.map((given) => compileFeed(REGISTRY, feed_type, { filters: given }));
      let next = 0;
      for (const [index, count] of [...between, changes.length].entries()) {
        for (const change of changes.slice(next, next + count)) applyChange(state, change);
        next += count;
        // Both pages are of one state: acts of users who were hidden or shown would be suspended while the first is built.
        state.settle(Number.POSITIVE_INFINITY);
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
    });
  });
});

describe('pages of 3,000 items', () => {
  const { state } = scene();
  const cases: NonNullable<FeedSettings['filters']>[] = [
    { channels: ['even'] },
    { channels: ['even', 'odd'] },
    // Few of its items are popular, or all are.
    { start_timestamp: NOW - 1200 },
    { engagement: { min_likes_count: 18 } },
    { engagement: { min_likes_count: 29 } },
    // None of its items are among the first 512 of a ranking, and they are most of all items, or few.
    { engagement: { max_likes_count: 20 } },
    { engagement: { max_likes_count: 14 } },
    { engagement: { max_likes_count: 3 } },
    { channels: ['odd'], start_timestamp: 'hours_ago:1', author_ids: 'following:viewer' },
    { channels: ['odd'], start_timestamp: 'hours_ago:1' },
  ];

  test.each(cases.map((filters) => [JSON.stringify(filters), filters] as const))(
    'are the same with and without a pool: %s',
    (_, filters) => {
      for (const feed_type of ['for-you', 'trending', 'popular'] as const) {
        for (const time_decay of [undefined, 'high'] as const) {
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

test('a feed that becomes narrow or stops being narrow has the same page with and without a pool', () => {
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
  // The sources and the tail do not return the very best items.
  expect(compare()).not.toEqual(narrow);
  for (let index = 1000; index < 1003; index++) built.delete(`i${index}`);
  compare();
});

test('a feed without trending items has the same page with and without a pool', () => {
  const here = new Scene();
  here.now = NOW - 3 * HOUR;
  for (let index = 0; index < 2400; index++) {
    here.item(`busy${index}`, { author: 'busy', created_at: NOW - 40 * DAY });
  }
  for (let index = 0; index < 600; index++) {
    here.item(`quiet${index}`, { author: `a${index % 20}`, created_at: NOW - 40 * DAY });
  }
  here.now = NOW;
  for (let index = 0; index < 600; index++) {
    for (let fan = 0; fan < 12; fan++) here.act(`f${fan}`, 'like', `busy${index}`, NOW - fan * 60);
  }
  // Most reached items are rejected, so all of them are examined.
  for (let like = 0; like < 20; like++) {
    here.act('viewer', 'like', `busy${600 + like}`, NOW - 3 * DAY);
    for (const kin of [2 * like, 2 * like + 1]) {
      here.act(`kin${kin}`, 'like', `busy${600 + like}`, NOW - 4 * DAY);
      for (let index = 0; index < 8; index++)
        here.act(`kin${kin}`, 'like', `quiet${kin * 8 + index}`, NOW - (10 + index) * DAY);
      for (let index = 0; index < 40; index++)
        here.act(`kin${kin}`, 'like', `busy${620 + ((kin * 40 + index) % 1780)}`, NOW - 2 * DAY);
    }
  }
  for (let index = 0; index < 320; index += 7) {
    for (let user = 0; user < index % 8; user++)
      here.act(`s${user}`, 'like', `quiet${index}`, NOW - user * 60);
  }
  const feed = compileFeed(REGISTRY, 'for-you', { filters: { remove_author_ids: ['busy'] } });
  const engine = engineOn(here.state, { registry: REGISTRY });
  const page = pageOf(feed, engine, 'viewer', NOW, 25);
  pooled(feed, engine);
  expect(engine.pools.of(feed, engine)).toBeDefined();
  expect(pageOf(feed, engine, 'viewer', NOW, 25)).toEqual(page);
});
