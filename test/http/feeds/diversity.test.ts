import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../../src/clock.ts';
import { checkAsync } from '../../support/long.ts';
import { forFile, START } from '../../support/service.ts';
import { FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const ITEMS = 160;
const CHANNELS = ['music', 'art', 'food', 'sport', undefined];
/** The author and the channel of every item. */
const posts = new Map<string, { author_id: string; channel: string | undefined }>();

const community = await forFile(openCommunity());
const random = seededRandom(7);
const draw = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
const authors = Array.from({ length: 9 }, (_, at) => `author-${at}`);
const items = Array.from({ length: ITEMS }, (_, at) => {
  const item_id = `item-${at}`;
  const post = { author_id: draw(authors), channel: draw(CHANNELS) };
  posts.set(item_id, post);
  return { item_id, ...post, created_at: START - at, likes_count: Math.floor(random() * 50) };
});
await community.add('items', ...items);

interface Limits {
  max_posts_per_author?: number;
  max_posts_per_channel?: number;
}

/** Whether a page has room for an item within the limits. */
function hasRoom(page: readonly string[], item_id: string, limits: Limits): boolean {
  const post = posts.get(item_id);
  const shown = page.map((id) => posts.get(id));
  const of_author = shown.filter((other) => other?.author_id === post?.author_id).length;
  const of_channel = shown.filter((other) => other?.channel === post?.channel).length;
  return (
    of_author < (limits.max_posts_per_author ?? Infinity) &&
    (post?.channel === undefined || of_channel < (limits.max_posts_per_channel ?? Infinity))
  );
}

function expectHeld(page: readonly string[], limits: Limits): void {
  for (const [at, item_id] of page.entries()) expect(hasRoom(page.slice(0, at), item_id, limits)).toBe(true);
}

const limitsArbitrary = fc.record(
  {
    max_posts_per_author: fc.integer({ min: 1, max: 6 }),
    max_posts_per_channel: fc.integer({ min: 1, max: 6 }),
    min_distance_between_posts_from_same_author: fc.nat({ max: 2 }),
  },
  { requiredKeys: ['max_posts_per_channel'] },
);

describe('max_posts_per_channel', () => {
  test('limits hold on every page, and a short page has no room for any item that is left', async () => {
    await checkAsync(
      60,
      [limitsArbitrary, fc.constantFrom(...FEED_TYPES), fc.integer({ min: 1, max: 120 })],
      async (feed_diversity_config, feed_type, top_k) => {
        const page = await community.ids(feed_type, { user_id: 'v', top_k, feed_diversity_config });
        expectHeld(page, feed_diversity_config);
        if (page.length === top_k || feed_diversity_config.min_distance_between_posts_from_same_author)
          return;
        const left = [...posts.keys()].filter((item_id) => !page.includes(item_id));
        expect(left.filter((item_id) => hasRoom(page, item_id, feed_diversity_config))).toEqual([]);
      },
    );
  });

  test('items without channel are exempt', async () => {
    const feed_diversity_config = { max_posts_per_channel: 1 };
    const page = await community.ids('popular', { top_k: 500, feed_diversity_config });
    const channels = page.map((item_id) => posts.get(item_id)?.channel);
    const without = [...posts.values()].filter(({ channel }) => channel === undefined);
    expect(channels.filter((channel) => channel === undefined)).toHaveLength(without.length);
    expect(channels.filter((channel) => channel !== undefined).toSorted()).toEqual([
      'art',
      'food',
      'music',
      'sport',
    ]);
  });

  test('limits hold over plain pages, and on each page of a series with cursors', async () => {
    const feed_diversity_config = { max_posts_per_channel: 3 };
    const plain: string[] = [];
    for (let page_number = 1; page_number <= 5; page_number++) {
      const request = { page_size: 15, page_number, feed_diversity_config };
      plain.push(...(await community.ids('popular', request)));
    }
    expect(new Set(plain).size).toBe(plain.length);
    expectHeld(plain, feed_diversity_config);
    const shown: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await community.ask('popular', { top_k: 20, cursor, feed_diversity_config });
      const page = body.body.map((item: Fields) => item.item_id);
      expectHeld(page, feed_diversity_config);
      shown.push(...page);
      cursor = body.cursor;
    } while (cursor !== undefined);
    expect(shown.toSorted()).toEqual([...posts.keys()].toSorted());
  });

  test('a page is filled from a long list in which nearly all items have one channel', async () => {
    await using crowded = await openCommunity();
    const items = Array.from({ length: 6_000 }, (_, at) => ({
      item_id: `item-${at}`,
      author_id: `author-${at}`,
      created_at: START - at,
      likes_count: 6_000 - at,
      channel: at >= 5_990 ? `rare-${at}` : 'crowded',
    }));
    await crowded.add('items', ...items);
    for (const feed_type of FEED_TYPES) {
      const request = { user_id: 'v', top_k: 12, feed_diversity_config: { max_posts_per_channel: 2 } };
      const page = await crowded.ids(feed_type, request);
      const rare = page.filter((item_id) => Number(item_id.split('-')[1]) >= 5_990);
      expect([page.length, rare.length]).toEqual([12, 10]);
    }
  });
});
