import { describe, expect, test } from 'bun:test';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { Type } from '../../src/plugin/index.ts';
import { builtIn, DAY, engineOn, HOUR, itemIds, NOW, Scene } from '../support/scene.ts';
import { pageOf, pooled } from './pools-support.ts';

const REGISTRY = builtIn();

/** More trending and popular items than sources examine, some that trend less, and mostly old liked items. */
function scene(hot = 520): Scene {
  const here = new Scene();
  here.now = NOW - 3 * HOUR;
  for (let index = 0; index < hot; index++) {
    here.item(`hot ${index}`, { language: 'en', created_at: NOW - DAY }).count(`hot ${index}`, 60);
  }
  for (let index = 0; index < 100; index++) {
    here.item(`warm ${index}`, { language: 'fr', created_at: NOW - DAY });
  }
  for (let index = 0; index < 2000; index++) {
    here.item(`old ${index}`, { language: 'fr', created_at: NOW - 200 * DAY }).count(`old ${index}`, 50);
  }
  here.now = NOW;
  const like = (kind: string, items: number, users: number) => {
    for (let index = 0; index < items; index++) {
      for (let user = 0; user < users; user++)
        here.act(`user ${user}`, 'like', `${kind} ${index}`, NOW - user * 60);
    }
  };
  like('hot', hot, 12);
  like('warm', 100, 8);
  return here;
}

describe('unknown viewers', () => {
  const here = scene();

  /** The number of items of each kind on the page. */
  function kinds(viewer: string, settings: FeedSettings = {}): Record<string, number> {
    const feed = compileFeed(REGISTRY, 'for-you', settings);
    const seen = here.seenBy(viewer);
    const page = pageOf(feed, engineOn(here.state, { registry: REGISTRY }), viewer, NOW, 25, { seen });
    const found = itemIds(
      here.state,
      page.map(({ item }) => item),
    ).map((id) => id.split(' ')[0]);
    return Object.fromEntries(
      ['hot', 'warm', 'old'].map((kind) => [kind, found.filter((one) => one === kind).length]),
    );
  }

  test.each([
    [0, { hot: 25, warm: 0, old: 0 }],
    [400, { hot: 25, warm: 0, old: 0 }],
    [505, { hot: 15, warm: 10, old: 0 }],
    [520, { hot: 0, warm: 25, old: 0 }],
  ])('get what trends, when they have seen the first %d, too', (seen, expected) => {
    const viewer = `viewer ${seen}`;
    here.show(viewer, ...Array.from({ length: seen }, (_, index) => `hot ${index}`));
    expect(kinds(viewer)).toEqual(expected);
  });

  test('get the most trending items that a filter keeps', () => {
    expect(kinds('unknown', { filters: { languages: ['fr'] } })).toEqual({ hot: 0, warm: 25, old: 0 });
    expect(kinds('unknown', { filters: { engagement: { max_likes_count: 10 } } })).toEqual({
      hot: 0,
      warm: 25,
      old: 0,
    });
  });

  test('get trending items also if each author may occur once', () => {
    const diverse = { filters: { languages: ['fr'] }, feed_diversity_config: { max_posts_per_author: 1 } };
    expect(kinds('unknown', diverse)).toEqual({ hot: 0, warm: 25, old: 0 });
  });

  test.each<[Record<string, number>, string]>([
    [{ popular: 1 }, 'old'],
    [{ trending: 1 }, 'warm'],
    [{ popular_1day: 1 }, 'warm'],
    [{ momentum: 1 }, 'warm'],
    [{ popular: 0, popular_1day: 1 }, 'warm'],
    [{ popular_1day: 1, popular: 0 }, 'warm'],
    // Equal weights are ordered by name, since JSON objects have no order.
    [{ popular: 1, popular_1day: 1 }, 'old'],
    [{ popular_1day: 1, popular: 1 }, 'old'],
  ])('get the same as all viewers if %j uses no signal of the viewer', (weights, kind) => {
    const scoring = { name: 'weighted_v0.0.1', options: { weights } };
    const filled = { hot: 0, warm: 0, old: 0, [kind]: 25 };
    expect(kinds('unknown', { filters: { languages: ['fr'] }, scoring })).toEqual(filled);
  });
});

test('a page is the same when it is built again', () => {
  const here = scene(1700);
  here.show('reader', ...Array.from({ length: 1700 }, (_, index) => `hot ${index}`));
  const engine = engineOn(here.state, { registry: REGISTRY, lag_ms: 100 });
  const feed = compileFeed(REGISTRY, 'for-you', { filters: { engagement: { max_likes_count: 1e6 } } });
  const page = () =>
    itemIds(
      here.state,
      pageOf(feed, engine, 'reader', NOW, 25, { seen: here.seenBy('reader') }).map(({ item }) => item),
    );
  const first = page();
  expect(first.filter((id) => id.startsWith('warm'))).toHaveLength(25);
  expect(page()).toEqual(first);
  pooled(feed, engine);
  expect(page()).toEqual(first);
});

test('items of one author take the slots that diversity permits', () => {
  const here = scene();
  for (const author of ['x', 'y', 'z']) {
    for (let index = 0; index < 30; index++) here.item(`${author} ${index}`, { author, language: 'fr' });
    here.follow('follower', author);
  }
  for (const [diversity, theirs] of [
    [{ max_posts_per_author: 1 }, 3],
    [{ max_posts_per_author: 3 }, 9],
    [{ min_distance_between_posts_from_same_author: 24 }, 3],
  ] as const) {
    const settings = { filters: { languages: ['fr'] }, feed_diversity_config: diversity };
    const feed = compileFeed(REGISTRY, 'for-you', settings);
    const page = pageOf(feed, engineOn(here.state, { registry: REGISTRY }), 'follower', NOW, 25);
    const ids = itemIds(
      here.state,
      page.map(({ item }) => item),
    );
    expect(ids.filter((id) => /^[xyz]/.test(id))).toHaveLength(theirs);
    expect(ids.filter((id) => id.startsWith('warm'))).toHaveLength(25 - theirs);
  }
});

test('items of one author take no slots on a page if earlier pages used them up', () => {
  const here = scene();
  for (const author of ['x', 'y', 'z']) {
    for (let index = 0; index < 30; index++) here.item(`${author} ${index}`, { author, language: 'fr' });
    here.follow('follower', author);
  }
  const settings = { filters: { languages: ['fr'] }, feed_diversity_config: { max_posts_per_author: 3 } };
  const feed = compileFeed(REGISTRY, 'for-you', settings);
  const engine = engineOn(here.state, { registry: REGISTRY });
  const list = pageOf(feed, engine, 'follower', NOW, 25, { explorable: 0 });
  const idsOf = (page: typeof list) =>
    itemIds(
      here.state,
      page.map(({ item }) => item),
    );
  expect(idsOf(list).filter((id) => /^[xyz]/.test(id))).toHaveLength(9);
  const next = idsOf(pageOf(feed, engine, 'follower', NOW, 25, { list, explorable: 0 }));
  expect(next.filter((id) => id.startsWith('warm'))).toHaveLength(25);
});

test('a new viewer gets items of their few interests, and trending items', () => {
  const here = scene();
  for (let index = 0; index < 6; index++) here.item(`own ${index}`, { author: 'writer', language: 'fr' });
  here.act('beginner', 'like', 'own 0');
  const feed = compileFeed(REGISTRY, 'for-you', { filters: { languages: ['fr'] } });
  const page = pageOf(feed, engineOn(here.state, { registry: REGISTRY }), 'beginner', NOW, 25);
  const ids = itemIds(
    here.state,
    page.map(({ item }) => item),
  );
  expect(ids.filter((id) => id.startsWith('own'))).toHaveLength(5);
  expect(ids.filter((id) => id.startsWith('old'))).toEqual([]);
});

/** A filter `acme/any` that keeps every item, and the number of items that it tested. */
function countingLooks() {
  let asked = 0;
  const registry = builtIn();
  const compile = () => () => () => ++asked > 0;
  registry.add(
    {
      meta: { name: 'acme', version: '1.0.0', api: 2 },
      filters: {
        'acme/any': { kind: 'inclusion', summary: 'For tests.', options: Type.Object({}), compile },
      },
    },
    'acme.ts',
  );
  return { registry, asked: () => asked };
}

test.each(['days_ago:30', NOW - 30 * DAY])('old items are found without testing newer items: %s', (end) => {
  const here = new Scene();
  for (let index = 0; index < 3_000; index++)
    here.item(`new ${index}`, { created_at: NOW - index }).count(`new ${index}`, 9);
  for (let index = 0; index < 40; index++) here.item(`old ${index}`, { created_at: NOW - 40 * DAY });
  const { registry, asked } = countingLooks();
  for (const feed_type of ['for-you', 'popular'] as const) {
    const feed = compileFeed(registry, feed_type, { filters: { 'acme/any': {}, end_timestamp: end } });
    const page = pageOf(feed, engineOn(here.state, { registry }), 'unknown', NOW, 25);
    const ids = itemIds(
      here.state,
      page.map(({ item }) => item),
    );
    expect(ids.filter((id) => id.startsWith('old'))).toHaveLength(25);
  }
  expect(asked()).toBeLessThan(400);
});

test('a viewer who has seen everything costs hardly more than one test per item', () => {
  const here = scene();
  for (let index = 0; index < 4000; index++)
    here.item(`more ${index}`, { language: 'fr', created_at: NOW - 100 * DAY });
  const { registry, asked } = countingLooks();
  const { items } = here.state;
  here.show('viewer', ...itemIds(here.state, Array(items.size).keys()));
  const feed = compileFeed(registry, 'for-you', { filters: { 'acme/any': {} } });
  const seen = here.seenBy('viewer');
  expect(pageOf(feed, engineOn(here.state, { registry }), 'viewer', NOW, 25, { seen })).toEqual([]);
  expect(asked()).toBeGreaterThanOrEqual(items.size);
  expect(asked()).toBeLessThan(2 * items.size);
});
