import { expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { forFile, START } from '../support/service.ts';
import { DAY, openService } from './support.ts';

/** Saved feeds, each of one channel of three items. */
const feeds: Record<string, string> = {};
const service = await forFile(openService());
for (const channel of ['main', 'more', 'curated', 'ads']) {
  for (const at of [0, 1, 2]) {
    await service.community.addItem(`${channel}-${at}`, {
      channel,
      likes_count: 10 - at,
      ai_labels: ['music'],
    });
  }
  const config = { filters: { channels: [channel] } };
  feeds[channel] = await service.account.add({ endpoint: 'casts/feed/popular', config });
}

/** Item and label of each item of the main channel's feed. */
async function page(request: Fields): Promise<string[]> {
  const items = await service.community.page('popular', { feed_id: feeds.main, ...request });
  return items.map(({ item_id, source_feed }) => `${item_id} ${source_feed}`);
}

const own = [0, 1, 2].map((at) => `main-${at} main:feed_1`);

test('1.4 fallback: a feed to fall back to when the primary feed runs out of content', async () => {
  const fallback_feeds = [{ feed_id: feeds.more }];
  expect(await page({ top_k: 3, fallback_feeds })).toEqual(own);
  const label = `fallback_main_1:${feeds.more}`;
  expect(await page({ top_k: 5, fallback_feeds })).toEqual([...own, `more-0 ${label}`, `more-1 ${label}`]);
});

test('1.4 fallback: return_global_fallback adds popular items of the network', async () => {
  const wanted = [...own, 'ads-0 fallback_global:popular'];
  expect(await page({ top_k: 4, return_global_fallback: true })).toEqual(wanted);
});

test('1.4 cold start: for a user with no interaction history the cold_start_feed is used instead', async () => {
  const cold = [0, 1, 2].map((at) => `curated-${at} cold_start:${feeds.curated}`);
  expect(await page({ user_id: 'new', cold_start_feed: feeds.curated })).toEqual(cold);
});

test('1.4 cold start: so it is for one who has long been inactive, until they come back', async () => {
  const request = { user_id: 'back', cold_start_feed: feeds.curated };
  for (const item_id of ['ads-0', 'ads-1']) {
    await service.community.act('back', 'like', item_id, { timestamp: START - 60 * DAY });
  }
  expect((await page(request))[0]).toBe(`curated-0 cold_start:${feeds.curated}`);
  await service.community.act('back', 'like', 'ads-2');
  expect(await page(request)).toEqual(own);
});

test('1.4 cold start: one with a history gets the feed itself', async () => {
  for (const item_id of ['ads-0', 'ads-1']) await service.likes(item_id, 'regular');
  expect(await page({ user_id: 'regular', cold_start_feed: feeds.curated })).toEqual(own);
});

test('1.4 cold start: the feed may be saved, and everything recommended for it can be', async () => {
  const promotion = {
    promotion_type: 'feed',
    promotion_name: 'followed',
    percent: 30,
    filters: { author_ids: 'following' },
  };
  const filters = {
    ai_labels: ['music'],
    author_ids: ['author'],
    channels: ['curated'],
    publication_types: [],
    remove_ai_labels: ['spam'],
  };
  const cold = await service.account.add({ config: { filters, promotion_filters: [promotion] } });
  const config = { filters: { channels: ['main'] }, cold_start_feed: cold };
  const feed_id = await service.account.add({ endpoint: 'casts/feed/popular', config });
  const followed = 'author of new tip';
  await service.community.addItem('tip', { author_id: followed });
  await service.community.follow('newcomer', followed);
  const mixed = await page({ feed_id, user_id: 'newcomer' });
  expect(mixed.toSorted()).toEqual([
    ...[0, 1, 2].map((at) => `curated-${at} cold_start:${cold}`),
    'tip promotion:followed',
  ]);
  const returning = { filters: { author_ids: 'following' } };
  expect((await service.account.create({ name: 'returning', config: returning })).status).toBe(201);
});

test('1.4 promotions: items of another feed are mixed in', async () => {
  const promotion = { promotion_type: 'feed', promotion_name: 'ad', percent: 50, feed_id: feeds.ads };
  const mixed = await page({ top_k: 6, promotion_filters: [promotion] });
  expect(mixed.toSorted()).toEqual([...[0, 1, 2].map((at) => `ads-${at} promotion:${feeds.ads}`), ...own]);
});
