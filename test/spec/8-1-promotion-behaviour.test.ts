import { expect, test } from 'bun:test';
import type { AnswerItem } from '../../src/answer/item-fields.ts';
import type { Fields } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { numbered, openService, seeds } from './support.ts';

const service = await forFile(openService());
for (const channel of ['main', 'promo']) {
  for (const [at, item_id] of numbered(channel, 30).entries()) {
    await service.community.addItem(item_id, {
      channel,
      likes_count: 500 - at,
      language: at < 3 ? 'de' : 'en',
    });
  }
}
const config = { filters: { channels: ['promo'] } };
const promoted = await service.account.add({ endpoint: 'casts/feed/popular', config });

/** A page of ten of the main channel with a promotion. */
function page(promotion: Fields, request: Fields = {}): Promise<AnswerItem[]> {
  const whole = { promotion_name: 'ad', ...promotion };
  const main = { top_k: 10, filters: { channels: ['main'] }, promotion_filters: [whole] };
  return service.community.page('popular', { ...main, ...request });
}

const feed = (fields: Fields = {}) => ({ promotion_type: 'feed', feed_id: promoted, percent: 30, ...fields });
const items = (...promoted_items: Fields[]) => ({ promotion_type: 'items', promoted_items });
const isPromoted = ({ source_feed }: AnswerItem) => source_feed.startsWith('promotion:');
const ids = (list: AnswerItem[]) => list.map(({ item_id }) => item_id);

test('8.1 feed type pulls items from another feed by feed_id', async () => {
  const own = (await page(feed({ percent: 100 }))).filter(isPromoted);
  expect(ids(own)).toEqual(numbered('promo', 10));
  expect(new Set(own.map(({ source_feed }) => source_feed))).toEqual(new Set([`promotion:${promoted}`]));
});

test('8.1 when feed_id is omitted and filters is supplied, from an ad-hoc feed built from those filters', async () => {
  const ad_hoc = { feed_id: undefined, percent: 100, filters: { channels: ['promo'] } };
  const own = await page(feed(ad_hoc));
  expect(ids(own)).toEqual(numbered('promo', 10));
  expect(own.every(({ source_feed }) => source_feed === 'promotion:ad')).toBe(true);
});

test('8.1 percent sets the target blend', async () => {
  for (const percent of [0, 20, 50, 80, 100]) {
    const pages = await Promise.all(seeds(200).map((seed) => page(feed({ percent }), { seed })));
    const share = (100 * pages.flat().filter(isPromoted).length) / (10 * pages.length);
    // A little above the target, as promoted items are biased to the top of the page; never below by chance.
    expect(share).toBeGreaterThanOrEqual(percent - 1);
    expect(share).toBeLessThanOrEqual(Math.min(100, percent + 8));
  }
});

test('8.1 promoted items land at random positions biased to the top of each page', async () => {
  const pages = await Promise.all(seeds(400).map((seed) => page(feed(), { seed })));
  const counts = Array.from({ length: 10 }, (_, at) => pages.filter((one) => isPromoted(one[at])).length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThan(400);
  const [top, bottom] = [counts.slice(0, 5), counts.slice(5)].map((half) =>
    half.reduce((sum, n) => sum + n, 0),
  );
  expect(top).toBeGreaterThan(bottom);
});

test('8.1 items type promotes the listed items: one with rank is pinned to that 1-based slot', async () => {
  for (const rank of [1, 4, 10]) {
    const shown = await page(items({ item_id: 'promo-07', rank }));
    expect(shown.findIndex(isPromoted)).toBe(rank - 1);
    expect(shown.filter(isPromoted)).toHaveLength(1);
  }
});

test('8.1 items without rank are spread evenly', async () => {
  const shown = await page(items(...numbered('promo', 3).map((item_id) => ({ item_id }))), { top_k: 11 });
  expect(shown.flatMap((item, at) => (isPromoted(item) ? [at + 1] : []))).toEqual([3, 6, 9]);
});

test('8.1 promotion items are not re-ranked', async () => {
  const listed = ['promo-20', 'promo-03', 'promo-11'];
  const shown = await page(items(...listed.map((item_id) => ({ item_id }))));
  expect(ids(shown.filter(isPromoted))).toEqual(listed);
  const mixed = (await page(feed({ percent: 50 }))).filter(isPromoted);
  expect(ids(mixed)).toEqual(numbered('promo', mixed.length));
});

test('8.1 when the promotion feed runs out main-feed items back-fill silently', async () => {
  const { status, body } = await service.community.ask('popular', {
    top_k: 10,
    filters: { channels: ['main'] },
    promotion_filters: [{ promotion_name: 'ad', ...feed({ percent: 50, filters: { languages: ['de'] } }) }],
  });
  expect([status, body.warnings, body.body.length]).toEqual([200, undefined, 10]);
  expect(body.body.filter(isPromoted).length).toBeLessThanOrEqual(3);
});

test('8.1 slots are freshly generated per request', async () => {
  const pages = await Promise.all(seeds(12).map(() => page(feed())));
  expect(new Set(pages.map((one) => one.map(isPromoted).join())).size).toBeGreaterThan(1);
});

test('8.1 within a page the order is stable', async () => {
  for (let reads = 0; reads < 12; reads++) {
    const shown = await page(feed());
    const [own, main] = [shown.filter(isPromoted), shown.filter((item) => !isPromoted(item))];
    expect(ids(own)).toEqual(numbered('promo', own.length));
    expect(ids(main)).toEqual(numbered('main', main.length));
  }
});
