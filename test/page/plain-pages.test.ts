import { describe, expect, test } from 'bun:test';
import type { FeedType } from '../../src/plugin/index.ts';
import { defaultAccount } from '../http/config-support.ts';
import { type Fields, openCommunity } from '../http/support.ts';
import { forFile, START } from '../support/service.ts';
import { falling, only, promoting, upTo } from './mixing-support.ts';

const ITEMS = 200;
const PAGE_SIZE = 15;
const FEED_TYPES = ['popular', 'trending'] as const;

const drawn = (at: number): number => ((at * 2_654_435_761) >>> 8) % 1000;

/**
 * Items with likes from their source and from 40 users.
 *
 * The viewer follows some authors. A third of the items is new.
 */
const community = await forFile(openCommunity({ settings: { exploration_percent: 20 } }));
const items = upTo(ITEMS).map((at) => ({
  item_id: `item-${at}`,
  author_id: `author-${at % 25}`,
  channel: `channel-${at % 4}`,
  created_at: START - at * 3600,
  ...(at % 3 === 0 ? {} : { likes_count: drawn(at) }),
}));
const likes = upTo(1000).map((at) => ({
  user_id: `user-${at % 40}`,
  item_id: `item-${drawn(at + 1000) % ITEMS}`,
  event_type: 'like',
  timestamp: START - drawn(at) * 500,
}));
await community.add('items', ...items);
await community.add('interactions', ...likes);
for (const at of upTo(10)) await community.follow('user-1', `author-${at}`);
/** A for-you feed of all items, whose candidates come from sources. */
const for_you = await defaultAccount(community.server).add({ config: { scoring: 'weighted_v0.0.1' } });

const weighing = (weights: Fields) => ({ scoring: { name: 'weighted_v0.0.1', options: { weights } } });

/** Feeds that are not simply in the order of a ranking. */
const FEEDS: [string, Fields][] = [
  ['its engagement of a day', weighing({ popular_1day: 1 })],
  ['the default weights', { scoring: 'weighted_v0.0.1' }],
  ['what trends, and engagement', { ...weighing({ trending: 1, popular: 0.3 }), time_decay: 'high' }],
  ['affinity, and engagement', weighing({ author_affinity: 1, popular: 0.1 })],
  [
    'a narrow filter',
    { ...weighing({ interest_all: 1, trending: 1 }), filters: { channels: ['channel-1'] } },
  ],
];

async function page(feed_type: FeedType, request: Fields): Promise<string[]> {
  return community.ids(feed_type, { user_id: 'user-1', show_interacted_items: true, ...request });
}

/** The items of all plain pages, up to the first empty page. */
async function readAll(feed_type: FeedType, request: Fields, page_size = PAGE_SIZE): Promise<string[][]> {
  const pages: string[][] = [];
  for (let page_number = 1; ; page_number++) {
    const shown = await page(feed_type, { ...request, page_size, page_number });
    if (shown.length === 0) return pages;
    pages.push(shown);
  }
}

async function expectEachOnce(feed_type: FeedType, request: Fields): Promise<string[][]> {
  const all = await page(feed_type, { ...request, top_k: 1000 });
  const pages = await readAll(feed_type, request);
  expect(pages.flat().toSorted()).toEqual(all.toSorted());
  for (const shown of pages.slice(0, -1)) expect(shown).toHaveLength(PAGE_SIZE);
  return pages;
}

describe.each(FEED_TYPES)('plain pages of a %s feed show every item once', (feed_type) => {
  test.each(FEEDS)('by %s, and begin like a page of that length', async (_, request) => {
    const pages = await expectEachOnce(feed_type, request);
    expect(pages[0]).toEqual(await page(feed_type, { ...request, top_k: PAGE_SIZE }));
  });

  test.each(FEEDS)('by %s, and the second page equals that of a next request', async (_, request) => {
    const user_id = `reader of ${feed_type} ${JSON.stringify(request)}`;
    const wanted = { ...request, user_id };
    const second = await page(feed_type, { ...wanted, page_size: PAGE_SIZE, page_number: 2 });
    const first = await page(feed_type, { ...wanted, top_k: PAGE_SIZE, impression_count: PAGE_SIZE });
    expect(first).toHaveLength(PAGE_SIZE);
    expect(second).toEqual(await page(feed_type, { ...wanted, top_k: PAGE_SIZE }));
  });

  test('with a for-you feed as cold start feed', async () => {
    const request = { user_id: 'unknown', cold_start_feed: for_you };
    const pages = await expectEachOnce(feed_type, request);
    expect(pages).toHaveLength(Math.ceil(ITEMS / PAGE_SIZE));
  });

  test('with a for-you feed as its fallback', async () => {
    const filters = { author_ids: ['author-1'] };
    const pages = await expectEachOnce(feed_type, { filters, ...falling(for_you) });
    expect(pages.flat()).toHaveLength(ITEMS);
  });

  test('with a promoted for-you feed, for any random slots', async () => {
    for (const percent of [20, 50]) {
      const filters = { author_ids: ['author-1', 'author-2'] };
      const pages = await expectEachOnce(feed_type, { filters, ...promoting({ percent, feed_id: for_you }) });
      expect(pages.flat()).toHaveLength(ITEMS);
    }
  });

  test('with a promoted feed that is also its fallback', async () => {
    const promotion = promoting({ percent: 40, feed_id: for_you });
    const request = { ...only('channel-1'), ...promotion, ...falling(for_you) };
    const pages = await expectEachOnce(feed_type, request);
    expect(pages.flat()).toHaveLength(ITEMS);
    const asked = async (page_number: number) => {
      const { body } = await community.ask(feed_type, { ...request, page_size: PAGE_SIZE, page_number });
      const promoted = body.body.some((item: Fields) => item.source_feed === `promotion:${for_you}`);
      return { promoted, warnings: body.warnings ?? [] };
    };
    expect(await asked(1)).toEqual({ promoted: true, warnings: [] });
    const warning = `promotion_filters: the feed '${for_you}' is on the page already; it was skipped`;
    expect(await asked(8)).toEqual({ promoted: false, warnings: [warning] });
  });

  test('with a promoted feed that is also its second fallback', async () => {
    const config = { scoring: 'weighted_v0.0.1', ...only('channel-2') };
    const second = await defaultAccount(community.server).add({ config });
    const promotion = promoting({ percent: 40, feed_id: for_you });
    const request = { ...only('channel-1'), ...promotion, ...falling(second, for_you) };
    const pages = await expectEachOnce(feed_type, request);
    expect(pages.flat()).toHaveLength(ITEMS);
  });

  test('and keep the limits of diversity across pages', async () => {
    const feed_diversity_config = { max_posts_per_author: 3, min_distance_between_posts_from_same_author: 8 };
    for (const scoring of [{}, weighing({ popular_1day: 1, author_affinity: 1 })]) {
      const pages = await readAll(feed_type, { ...scoring, feed_diversity_config });
      const ids = pages.flat();
      // At most 75: the last remaining items may be too near to each other.
      expect(ids.length).toBeGreaterThan(60);
      const authors = ids.map((id) => Number(id.split('-')[1]) % 25);
      for (const [slot, author] of authors.entries()) {
        expect(authors.slice(Math.max(0, slot - 8), slot)).not.toContain(author);
        expect(authors.filter((other) => other === author).length).toBeLessThanOrEqual(3);
      }
    }
  });

  test('at any length, and are empty far beyond the end', async () => {
    const request = weighing({ popular_1day: 1 });
    const pages = await readAll(feed_type, { ...request, filters: { channels: ['channel-2'] } }, 1);
    expect(new Set(pages.flat()).size).toBe(ITEMS / 4);
    expect(pages).toHaveLength(ITEMS / 4);
    for (const page_size of [1, 1000]) {
      const asked = { page_size, page_number: 1_000_000, cold_start_feed: for_you };
      expect(await page(feed_type, { ...request, ...asked, user_id: 'unknown' })).toEqual([]);
    }
  });
});

test('scores of one feed are comparable on all its plain pages', async () => {
  const request = { user_id: 'user-1', ...weighing({ author_affinity: 1, interest_all: 1, popular: 0.5 }) };
  const scores = async (fields: Fields) => {
    const { body } = await community.ask('popular', { ...request, ...fields });
    return body.body.map(({ item_id, score }: Fields): [string, number] => [String(item_id), Number(score)]);
  };
  const whole = new Map<string, number>(await scores({ top_k: 1000 }));
  for (const page_number of [1, 2, 5]) {
    const shown = await scores({ page_size: PAGE_SIZE, page_number });
    expect(shown).toHaveLength(PAGE_SIZE);
    for (const [item_id, score] of shown) expect(score).toBe(whole.get(item_id));
  }
});

test("an explanation on a plain page gives an item's rank, and reports items of earlier and later pages", async () => {
  const request = { ...weighing({ author_affinity: 1, popular: 0.1 }), show_interacted_items: true };
  const pages = await readAll('popular', request);
  const explain = async (item_id: string) => {
    const asked = { ...request, user_id: 'user-1', page_size: PAGE_SIZE, page_number: 3, item_id };
    return (await community.server.post('/v2/farcaster/casts/feed/popular/explain', asked)).body.body;
  };
  for (const slot of [0, PAGE_SIZE - 1]) {
    expect(await explain(pages[2][slot])).toMatchObject({ shown: true, rank: 2 * PAGE_SIZE + slot + 1 });
    for (const page_number of [1, 2, 4, 5]) {
      const { shown, dropped_by } = await explain(pages[page_number - 1][slot]);
      expect(shown).toBe(false);
      if (page_number < 3) expect(dropped_by.reason).toEndWith('it is on an earlier page');
      // Ranked lower, or equally and not proposed for the pages so far.
      else expect(['weighted_v0.0.1', 'sources']).toContain(dropped_by.plugin);
    }
  }
});
