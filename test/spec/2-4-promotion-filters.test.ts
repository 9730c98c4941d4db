import { expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { openService } from './support.ts';

const service = await forFile(openService());
for (const channel of ['art', 'music']) {
  for (const at of [0, 1, 2, 3, 4, 5]) {
    await service.community.addItem(`${channel}-${at}`, { channel, likes_count: 50 - at });
  }
}
const config = { filters: { channels: ['music'] } };
const music = await service.account.add({ endpoint: 'casts/feed/popular', config });

const ask = (...promotion_filters: Fields[]) =>
  service.community.ask('popular', { top_k: 2, filters: { channels: ['art'] }, promotion_filters });

/** `item_id source_feed` of each item of a page of two. */
async function page(promotion: Fields): Promise<string[]> {
  const { status, body } = await ask(promotion);
  expect(status).toBe(200);
  return body.body.map(({ item_id, source_feed }: Fields) => `${item_id} ${source_feed}`);
}

const feed = (fields: Fields = {}) => ({
  promotion_type: 'feed',
  promotion_name: 'ad',
  percent: 100,
  feed_id: music,
  ...fields,
});

test('2.4 promotion_filters has one element per promotion; at most one is supported', async () => {
  expect((await ask(feed())).status).toBe(200);
  expect((await ask()).status).toBe(200);
  const { status, body } = await ask(feed(), feed());
  expect([status, body.errors[0].path]).toEqual([400, '/promotion_filters']);
});

test('2.4 promotion_type is required: feed or items', async () => {
  for (const promotion_type of [undefined, null, '', 'users']) {
    const { status, body } = await ask(feed({ promotion_type }));
    expect([status, body.errors[0].path]).toEqual([400, '/promotion_filters/0/promotion_type']);
  }
});

test('2.4 promotion_name is required: the label in source_feed', async () => {
  for (const promotion_name of [undefined, null, '']) {
    expect((await ask(feed({ promotion_name }))).status).toBe(400);
  }
  const picks = {
    promotion_type: 'items',
    promotion_name: 'Our picks',
    promoted_items: [{ item_id: 'music-3', rank: 1 }],
  };
  expect(await page(picks)).toEqual(['music-3 promotion:Our picks', 'art-0 main:popular']);
});

test('2.4 percent is required when the type is feed, an integer target percentage', async () => {
  for (const percent of [undefined, null, 0.5, '20', 101, -1]) {
    const { status, body } = await ask(feed({ percent }));
    expect([status, body.errors[0].path]).toEqual([400, '/promotion_filters/0/percent']);
  }
  expect(await page(feed({ percent: 0 }))).toEqual(['art-0 main:popular', 'art-1 main:popular']);
  const whole = [`music-0 promotion:${music}`, `music-1 promotion:${music}`];
  expect(await page(feed({ percent: 100 }))).toEqual(whole);
});

test('2.4 feed_id names an existing feed whose items are promoted', async () => {
  expect((await ask(feed({ feed_id: 'feed_999' }))).status).toBe(404);
  expect((await ask(feed({ feed_id: undefined }))).status).toBe(400);
});

test('2.4 filters are extra filters that refine the promoted feed, in the shape of 2.3', async () => {
  const refined = feed({ filters: { engagement: { max_likes_count: 48 } } });
  expect(await page(refined)).toEqual([`music-2 promotion:${music}`, `music-3 promotion:${music}`]);
  expect((await ask(feed({ filters: { chanels: [] } }))).status).toBe(400);
});

test('2.4 promoted_items are hand-picked items, each with an optional 1-based rank', async () => {
  const picks = (...promoted_items: Fields[]) => ({
    promotion_type: 'items',
    promotion_name: 'ad',
    promoted_items,
  });
  const last = ['art-0 main:popular', 'music-3 promotion:ad'];
  expect(await page(picks({ item_id: 'music-3', rank: 2 }))).toEqual(last);
  expect(await page(picks({ item_id: 'music-3' }))).toEqual(last);
  for (const rank of [0, -1, 1.5]) {
    expect((await ask(picks({ item_id: 'music-3', rank }))).status).toBe(400);
  }
  expect((await ask({ promotion_type: 'items', promotion_name: 'ad' })).status).toBe(400);
});
