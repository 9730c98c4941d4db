import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { compileFeed, type FeedSettings } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import type { FeedType, Ordinal } from '../../src/plugin/index.ts';
import { tieBreak } from '../../src/signals/order.ts';
import { builtIn, engineOn, itemIds, NOW, requestOn, Scene } from '../support/scene.ts';

const REGISTRY = builtIn();
const ITEMS = 5000;

/**
 * 5,000 items: half in the channel `wide`, 20 in `narrow`, the rest in no channel. One author has 2,500 items, one
 * has
 * 30, and a hundred others have the rest. The viewer follows both and has a history.
 */
function largeScene(): Scene {
  const random = seededRandom(5);
  const scene = new Scene();
  for (let index = 0; index < ITEMS; index++) {
    const author = index % 2 === 0 ? 'busy' : index % 167 === 1 ? 'rare' : `author ${index % 101}`;
    const channel = index % 250 === 3 ? 'narrow' : index % 2 === 1 ? 'wide' : undefined;
    const created_at = NOW - Math.floor(random() * 5000);
    scene.item(`item ${index}`, { author, channel, created_at });
    scene.count(`item ${index}`, Math.floor(random() ** 4 * 200), 0, 0);
  }
  for (const target of ['busy', 'rare']) scene.follow('viewer', target);
  for (let index = 0; index < 600; index++) {
    const item = `item ${Math.floor(random() ** 2 * ITEMS)}`;
    scene.act(`user ${index % 40}`, 'like', item, NOW - Math.floor(random() * 1000));
    if (index % 10 === 0) scene.act('viewer', 'like', item, NOW - Math.floor(random() * 1000));
  }
  return scene;
}

const SCENE = largeScene();
const { state } = SCENE;

/** The viewer has seen nothing yet, so only items that they liked are dropped. */
function expected(keep: (item: Ordinal) => boolean): Ordinal[] {
  const viewer = state.users.names.find('viewer');
  const { touched } = state.interactions;
  return Array.from({ length: state.items.size }, (_, item) => item).filter(
    (item) => state.items.described(item) && touched.flags(viewer, item) === 0 && keep(item),
  );
}

const by = (author: string) => (item: Ordinal) => state.items.author(item) === state.users.names.find(author);
const within = (channel: string) => (item: Ordinal) =>
  state.groups.channel.has(item, state.groups.channel.code(channel));

const FEEDS: { name: string; filters: FeedSettings['filters']; keep: (item: Ordinal) => boolean }[] = [
  { name: 'no filter', filters: {}, keep: () => true },
  { name: 'a wide channel', filters: { channels: ['wide'] }, keep: within('wide') },
  { name: 'a narrow channel', filters: { channels: ['narrow'] }, keep: within('narrow') },
  { name: 'a busy author', filters: { author_ids: ['busy'] }, keep: by('busy') },
  { name: 'a rare author, named twice', filters: { author_ids: ['rare', 'rare'] }, keep: by('rare') },
  {
    name: 'whom the viewer follows',
    filters: { author_ids: 'following' },
    keep: (item) => by('busy')(item) || by('rare')(item),
  },
  {
    name: 'a rare author in a wide channel',
    filters: { author_ids: ['rare'], channels: ['wide'] },
    keep: (item) => by('rare')(item) && within('wide')(item),
  },
  {
    name: 'what is new',
    filters: { start_timestamp: NOW - 10 },
    keep: (item) => state.items.created_at(item) >= NOW - 10,
  },
  { name: 'nothing', filters: { channels: ['no such channel'] }, keep: () => false },
];

function pageOf(feed_type: FeedType, settings: FeedSettings, page_length: number) {
  const engine = engineOn(state, { registry: REGISTRY });
  const feed = compileFeed(REGISTRY, feed_type, settings);
  const request = requestOn(engine, { viewer: 'viewer', page_length });
  const page = buildList(feed, request);
  return { page, items: page.map(({ item }) => item), score: feed.scoring.bind(request) };
}

describe.each(FEEDS)('a feed of 5,000 items with $name', ({ filters, keep }) => {
  const all = expected(keep);

  test.each<FeedType>(['for-you', 'trending', 'popular'])(
    'is full, ordered and contains only permitted items: %s',
    (type) => {
      for (const page_length of [1, 25, 1000]) {
        const { page, items } = pageOf(type, { filters }, page_length);
        expect(items.length).toBe(Math.min(page_length, all.length));
        expect(new Set(items).size).toBe(items.length);
        for (const item of items) expect(all).toContain(item);
        const sorted = page.toSorted(
          (one, other) => other.score - one.score || tieBreak(state, one.item, other.item),
        );
        expect(page).toEqual(sorted);
      }
    },
  );

  test.each<FeedType>(['trending', 'popular'])('is the best of all by its own score: %s', (type) => {
    const { items, score } = pageOf(type, { filters }, 300);
    const best = all.toSorted((one, other) => score(other) - score(one) || tieBreak(state, one, other));
    expect(itemIds(state, items)).toEqual(itemIds(state, best.slice(0, 300)));
  });

  test('reaches every item, also in for-you feeds', () => {
    const { items } = pageOf('for-you', { filters }, ITEMS);
    expect(items.toSorted((one, other) => one - other)).toEqual(all);
  });
});

describe('a narrow feed', () => {
  test('contains the best items by for-you score', () => {
    for (const filters of [{ channels: ['narrow'] }, { author_ids: ['rare'] }]) {
      const { items, score } = pageOf('for-you', { filters }, 10);
      const keep = filters.channels ? within('narrow') : by('rare');
      const best = expected(keep).sort(
        (one, other) => score(other) - score(one) || tieBreak(state, one, other),
      );
      expect(itemIds(state, items)).toEqual(itemIds(state, best.slice(0, 10)));
    }
  });

  test('tests only the items of its list, and the few that scale its signals', () => {
    const registry = builtIn();
    let tests = 0;
    const counting = {
      filters: {
        count: {
          ...registry.get('filters', 'start_timestamp')!.extension,
          compile: () => () => () => {
            tests++;
            return true;
          },
        },
      },
    };
    registry.addBuiltIn(counting);
    const feed = compileFeed(registry, 'for-you', { filters: { count: 0, channels: ['narrow'] } });
    buildList(feed, requestOn(engineOn(state, { registry }), { viewer: 'viewer' }));
    expect(tests).toBeGreaterThan(0);
    // Interest, affinity and profile each search for their greatest value among their 64 strongest.
    expect(tests).toBeLessThanOrEqual(40 + 3 * 64);
  });
});
