import { describe, expect, test } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import type { FeedType } from '../../../src/plugin/index.ts';
import { forFile, START } from '../../support/service.ts';
import { FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const ITEMS = 60;
const DAY = 86_400;
const clock = new ManualClock(START);
const community = await forFile(openCommunity({ clock, settings: { exploration_percent: 20 } }));
const items = Array.from({ length: ITEMS }, (_, at) => ({
  item_id: `item-${at}`,
  author_id: `author-${at % 6}`,
  created_at: START - 600 * at,
  channel: at % 2 === 0 ? 'even' : 'odd',
  likes_count: (at * 7) % 31,
}));
await community.add('items', ...items);
await community.add('users', { user_id: 'lister', wallet_addresses: ['0xabc'] });

interface Page {
  ids: string[];
  cursor: string | undefined;
}

async function page(feed_type: FeedType, request: Fields): Promise<Page> {
  const { status, body } = await community.ask(feed_type, { user_id: 'viewer', ...request });
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return { ids: body.body.map(({ item_id }: Fields) => item_id), cursor: body.cursor };
}

/** All pages, each read with the cursor of the page before. */
async function pagesOf(feed_type: FeedType, request: Fields): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const next = await page(feed_type, { ...request, cursor });
    pages.push(next.ids);
    cursor = next.cursor;
  } while (cursor !== undefined);
  return pages;
}

/** Saves a feed, and returns its id. */
async function save(endpoint: string, config: Fields): Promise<string> {
  const { status, body } = await community.server.post('/api/feed/config', { name: 'a', endpoint, config });
  expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
  return body.data.config_id;
}

async function refusal(feed_type: FeedType, request: Fields): Promise<Fields> {
  const { status, body } = await community.ask(feed_type, { user_id: 'viewer', ...request });
  return { status, code: body.code };
}

const INVALID = { status: 400, code: 'cursor_invalid' };
const EVERY = Array.from({ length: ITEMS }, (_, at) => `item-${at}`).sort();

describe.each(FEED_TYPES)('cursors of a %s feed', (feed_type) => {
  test('show every item once, at any length of the page', async () => {
    for (const top_k of [1, 7, 20, 59]) {
      const pages = await pagesOf(feed_type, { top_k });
      expect(pages.flat().toSorted()).toEqual(EVERY);
      for (const ids of pages.slice(0, -1)) expect(ids).toHaveLength(top_k);
    }
  });

  test('are absent after a page that is short or empty; the last page may be empty', async () => {
    expect((await pagesOf(feed_type, { top_k: 20 })).map((ids) => ids.length)).toEqual([20, 20, 20, 0]);
    expect((await pagesOf(feed_type, { top_k: 25 })).map((ids) => ids.length)).toEqual([25, 25, 10]);
    expect((await page(feed_type, { top_k: 100 })).cursor).toBeUndefined();
    expect(await page(feed_type, { filters: { channels: ['none'] } })).toEqual({
      ids: [],
      cursor: undefined,
    });
  });

  test('work with and without impressions, and record none by themselves', async () => {
    const { seq } = community;
    await pagesOf(feed_type, { top_k: 20, user_id: `reader-${feed_type}` });
    expect(community.seq).toBe(seq);
    const viewer = { user_id: `seer-${feed_type}`, impression_count: 5 };
    expect((await pagesOf(feed_type, { top_k: 15, ...viewer })).flat().toSorted()).toEqual(EVERY);
    expect((await page(feed_type, { top_k: 100, user_id: viewer.user_id })).ids).toHaveLength(ITEMS - 20);
  });

  test('keep the seed of the first page, and give the same page twice', async () => {
    const first = await page(feed_type, { top_k: 20, seed: 7 });
    const next = await page(feed_type, { top_k: 20, cursor: first.cursor });
    expect(await page(feed_type, { top_k: 20, cursor: first.cursor })).toEqual(next);
    expect(await page(feed_type, { top_k: 20, cursor: first.cursor, seed: 7 })).toEqual(next);
  });

  test('are repeated with the page for a repeated request_id', async () => {
    const { cursor } = await page(feed_type, { top_k: 10 });
    const request = {
      top_k: 10,
      cursor,
      impression_count: 3,
      request_id: 'r',
      user_id: `repeating-${feed_type}`,
    };
    const first = await page(feed_type, { top_k: 10, user_id: request.user_id });
    const ask = () => page(feed_type, { ...request, cursor: first.cursor });
    const [one, other] = [await ask(), await ask()];
    expect(one.cursor).toBeString();
    expect(other).toEqual(one);
  });

  test('are refused for another viewer, feed type or feed', async () => {
    const endpoint = `feeds/${feed_type}`;
    const [feed_id, other_feed] = [await save(endpoint, { top_k: 5 }), await save(endpoint, { top_k: 5 })];
    const { cursor } = await page(feed_type, { top_k: 5 });
    const of_feed = (await page(feed_type, { feed_id })).cursor;
    const others: Fields[] = [
      { cursor, user_id: 'other' },
      { cursor, user_id: undefined, wallet_address: '0xabc' },
      { cursor, feed_id },
      { cursor: of_feed },
      { cursor: of_feed, feed_id: other_feed },
    ];
    for (const request of others) expect(await refusal(feed_type, request)).toEqual(INVALID);
    for (const other of FEED_TYPES.filter((type) => type !== feed_type))
      expect(await refusal(other, { cursor })).toEqual(INVALID);
    expect((await page(feed_type, { cursor: of_feed, feed_id })).ids).toHaveLength(5);
  });

  test('belong to the viewer, whether named by user_id or by wallet', async () => {
    const by_id = await page(feed_type, { user_id: 'lister', top_k: 5 });
    const wallet = { user_id: undefined, wallet_address: '0xABC', top_k: 5 };
    const by_wallet = await page(feed_type, { ...wallet, cursor: by_id.cursor });
    expect(by_wallet.ids).toHaveLength(5);
    expect(
      (await page(feed_type, { user_id: 'lister', top_k: 5, cursor: by_wallet.cursor })).ids,
    ).toHaveLength(5);
    const unlisted = { ...wallet, wallet_address: '0xDEF' };
    const { cursor } = await page(feed_type, unlisted);
    expect((await page(feed_type, { ...unlisted, wallet_address: '0xdef', cursor })).ids).toHaveLength(5);
    expect(await refusal(feed_type, { ...wallet, cursor })).toEqual(INVALID);
  });

  test('expire a day after the first page', async () => {
    const first = await page(feed_type, { top_k: 5 });
    clock.advance(DAY / 2);
    const second = await page(feed_type, { top_k: 5, cursor: first.cursor });
    clock.advance(DAY / 2);
    await page(feed_type, { top_k: 5, cursor: first.cursor });
    clock.advance(1);
    for (const { cursor } of [first, second]) {
      const { status, body } = await community.ask(feed_type, { user_id: 'viewer', cursor });
      expect({ status, code: body.code }).toEqual(INVALID);
      expect(body.detail).toContain('more than 24 hours ago');
    }
  });

  test('cannot be combined with page_number', async () => {
    const { cursor } = await page(feed_type, { top_k: 5 });
    const { status, body } = await community.ask(feed_type, { user_id: 'viewer', cursor, page_number: 2 });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { path: '/cursor', message: 'cannot be combined with page_number; send one of them' },
    ]);
  });

  test('are refused after any change of a character, cut or extension', async () => {
    const { cursor = '' } = await page(feed_type, { top_k: 25 });
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const changed = [...cursor].flatMap((digit, at) =>
      [1, 16, 32].map((by) => {
        const other = digits[(digits.indexOf(digit) + by) % digits.length];
        return cursor.slice(0, at) + other + cursor.slice(at + 1);
      }),
    );
    const cut = Array.from({ length: cursor.length - 1 }, (_, at) => cursor.slice(0, at + 1));
    const longer = ['A', '=', '==', ' ', '\n', '\u0000', 'é', cursor].map((more) => cursor + more);
    for (const wrong of [...changed, ...cut, ...longer, ` ${cursor}`, `=${cursor}`])
      expect({ wrong, ...(await refusal(feed_type, { cursor: wrong })) }).toEqual({ wrong, ...INVALID });
    expect((await page(feed_type, { cursor, top_k: 5 })).ids).toHaveLength(5);
  });

  test('are refused if they are not cursors at all', async () => {
    const texts = ['0', 'cursor', '%', '\ud800', '{"a":1}', 'A'.repeat(22), 'A'.repeat(1_000_000)];
    for (const cursor of texts) expect(await refusal(feed_type, { cursor })).toEqual(INVALID);
    for (const cursor of [1, true, {}, ['a']])
      expect(await refusal(feed_type, { cursor })).toEqual({ status: 400, code: 'invalid_value' });
    const first = await page(feed_type, { top_k: 5, seed: 1 });
    for (const cursor of [null, ''])
      expect((await page(feed_type, { top_k: 5, seed: 1, cursor })).ids).toEqual(first.ids);
  });

  test('count fallback, cold start and promoted items as shown', async () => {
    const even = await save(`feeds/${feed_type}`, { filters: { channels: ['even'] } });
    const mixed = [
      { fallback_feeds: [{ feed_id: even }], filters: { channels: ['odd'] } },
      { return_global_fallback: true, filters: { channels: ['odd'] } },
      { return_global_fallback: true, cold_start_feed: even },
      { promotion_filters: [{ promotion_type: 'feed', promotion_name: 'p', feed_id: even, percent: 40 }] },
      {
        promotion_filters: [
          {
            promotion_type: 'items',
            promotion_name: 'p',
            promoted_items: [
              { item_id: 'item-50', rank: 2 },
              { item_id: 'item-51' },
              { item_id: 'item-52', rank: 30 },
            ],
          },
        ],
      },
    ];
    for (const request of mixed) {
      const pages = await pagesOf(feed_type, { ...request, top_k: 8, user_id: 'new' });
      const expected =
        'cold_start_feed' in request ? EVERY.filter((id) => Number(id.slice(5)) % 2 === 0) : EVERY;
      expect({ request, ids: pages.flat().toSorted() }).toEqual({ request, ids: expected });
    }
  });

  test('continue after a page that diversity made short', async () => {
    const feed_diversity_config = { max_posts_per_author: 1 };
    const pages = await pagesOf(feed_type, { top_k: 20, feed_diversity_config });
    expect(pages.map((ids) => ids.length)).toEqual([...Array.from({ length: 10 }, () => 6), 0]);
    expect(pages.flat().toSorted()).toEqual(EVERY);
  });

  test('are named in the explanation of an item of an earlier page', async () => {
    const first = await page(feed_type, { top_k: 5 });
    const explained = await community.server.post(`/v2/farcaster/feeds/${feed_type}/explain`, {
      ...{ user_id: 'viewer', top_k: 5, cursor: first.cursor, item_id: first.ids[0] },
    });
    expect(explained.body.body).toMatchObject({
      shown: false,
      rank: null,
      dropped_by: { stage: 'visibility', plugin: 'cursor' },
    });
    const traced = await community.ask(feed_type, {
      user_id: 'viewer',
      top_k: 5,
      cursor: first.cursor,
      explain: true,
    });
    expect(Object.keys(traced.body)).toEqual(['status_code', 'body', 'page_id', 'cursor', 'trace']);
  });
});
