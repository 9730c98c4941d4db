import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { START } from '../support/service.ts';
import { type Account, defaultAccount, expectRefused, newAccount } from './config-support.ts';
import { type Community, type Fields, openCommunity } from './support.ts';

let community: Community;
let account: Account;
const CHANNELS = ['art', 'music'];

/** 40 items, two channels and four authors by turns; the lower the number, the more liked and the newer. */
beforeAll(async () => {
  community = await openCommunity();
  account = defaultAccount(community.server);
  const items = Array.from({ length: 40 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: `author-${at % 4}`,
    created_at: START - at * 3600,
    channel: CHANNELS[at % 2],
    likes_count: 100 - at,
    language: at % 8 === 0 ? 'de' : 'en',
  }));
  await community.add('items', ...items);
  await community.act('fan', 'like', 'item-0');
});
afterAll(() => community.server.close());

const POPULAR = 'casts/feed/popular';
let feed_id: string;
beforeEach(async () => {
  feed_id = await account.add({ endpoint: POPULAR });
});

/** The numbers of the items on a page of the saved feed. */
async function page(request: Fields = {}, feed_type = 'popular'): Promise<number[]> {
  const ids = await account.page(feed_type, { feed_id, ...request });
  return ids.map((id) => Number(id.slice('item-'.length)));
}

function save(config: Fields): Promise<Fields> {
  return account.set(feed_id, { config });
}

const all = Array.from({ length: 40 }, (_, at) => at);
const channel = (name: string) => all.filter((at) => CHANNELS[at % 2] === name);

describe('a saved feed', () => {
  test('without a config is the plain feed, under its own name', async () => {
    const { body } = await account.ask('popular', { feed_id });
    expect(body.body.map((item: Fields) => item.item_id)).toEqual(all.slice(0, 25).map((at) => `item-${at}`));
    expect(new Set(body.body.map((item: Fields) => item.source_feed))).toEqual(new Set([`main:${feed_id}`]));
    expect(body.warnings).toBeUndefined();
    const plain = await account.ask('popular', {});
    expect(plain.body.body[0].source_feed).toBe('main:popular');
  });

  test('of each type is built at its endpoint, and refused at the others', async () => {
    for (const type of ['for-you', 'trending', 'popular']) {
      await account.set(feed_id, { endpoint: `casts/feed/${type}` });
      for (const asked of ['for-you', 'trending', 'popular']) {
        const answer = await account.ask(asked, { user_id: 'v', feed_id, impression_count: 5 });
        if (asked === type) expect([answer.status, answer.body.body.length]).toEqual([200, 25]);
        else {
          expectRefused(answer, 400, 'invalid_value');
          expect(answer.body.errors[0].path).toBe('/feed_id');
          expect(answer.body.detail).toContain(`casts/feed/${type}`);
        }
      }
    }
  });

  test('applies what was saved', async () => {
    await save({ top_k: 3 });
    expect(await page()).toEqual([0, 1, 2]);
    await save({ filters: { channels: ['music'] }, top_k: 500 });
    expect(await page()).toEqual(channel('music'));
    await save({ feed_diversity_config: { max_posts_per_author: 1 } });
    expect(await page()).toEqual([0, 1, 2, 3]);
    await save({ remove_user_posts_from_feed: true, top_k: 3 });
    expect(await page({ user_id: 'author-0' })).toEqual([1, 2, 3]);
    await save({ show_interacted_items: true, top_k: 2 });
    expect(await page({ user_id: 'fan' })).toEqual([0, 1]);
    await save({ return_metadata: true });
    expect((await account.ask('popular', { feed_id })).body.body[0].metadata.root_parent_url).toBe('art');
    await save({ time_decay: { half_life_hours: 0.25 }, top_k: 2 });
    const [first] = (await account.ask('popular', { feed_id, top_k: 40 })).body.body.slice(-1);
    expect(first.adjusted_score).toBeLessThan(first.score);
  });

  test('changes with the next request', async () => {
    for (const top_k of [1, 2, 3]) {
      await save({ top_k });
      expect(await page()).toHaveLength(top_k);
    }
    await account.set(feed_id, { status: 'inactive' });
    expectRefused(await account.ask('popular', { feed_id }), 404, 'not_found');
    await account.set(feed_id, { status: 'active' });
    expect(await page()).toHaveLength(3);
    await account.remove(feed_id);
    expectRefused(await account.ask('popular', { feed_id }), 404, 'not_found');
  });

  test('that is inactive is not there for anybody, whatever is asked of it', async () => {
    const other = await newAccount(community.server, 'acme');
    await account.set(feed_id, { status: 'inactive', visibility: 'public' });
    for (const who of [account, other]) {
      for (const type of ['popular', 'trending']) {
        const answer = await who.ask(type, { feed_id });
        expectRefused(answer, 404, 'not_found');
        expect(answer.body.detail).toContain('inactive');
      }
      expect((await who.get(feed_id)).status).toBe(200);
    }
  });

  test('keeps what was shown and what was done to itself as little as any other', async () => {
    await save({ filters: { channels: ['art'] }, top_k: 5 });
    expect(await page({ user_id: 'reader', impression_count: 5 })).toEqual([0, 2, 4, 6, 8]);
    expect(await page({ user_id: 'reader' })).toEqual([10, 12, 14, 16, 18]);
    expect(await account.page('popular', { user_id: 'reader', top_k: 2 })).toEqual(['item-1', 'item-3']);
  });

  test('is found by its id only, and absent when that is null or empty', async () => {
    await save({ top_k: 3 });
    for (const absent of [null, '']) expect(await page({ feed_id: absent })).toHaveLength(25);
    for (const wrong of [5, true, [], [feed_id], {}]) {
      const answer = await account.ask('popular', { feed_id: wrong });
      expectRefused(answer, 400, 'invalid_value');
      expect(answer.body.errors[0].path).toBe('/feed_id');
    }
  });
});

describe('plain pages and top_k', () => {
  test('a saved page_size makes plain pages, which record nothing', async () => {
    await save({ page_size: 4 });
    expect(await page({ user_id: 'pager', impression_count: 4 })).toEqual([0, 1, 2, 3]);
    expect(await page({ user_id: 'pager', page_number: 2 })).toEqual([4, 5, 6, 7]);
    expect(await page({ user_id: 'pager', page_size: 2, page_number: 2 })).toEqual([2, 3]);
  });

  test("the request's top_k wins over a saved page_size", async () => {
    await save({ page_size: 4 });
    expect(await page({ top_k: 2 })).toEqual([0, 1]);
    expect(await page({ top_k: 2, page_number: 3 })).toEqual([0, 1]);
  });

  test("the request's plain pages win over a saved top_k", async () => {
    await save({ top_k: 3 });
    expect(await page({ page_size: 2, page_number: 3 })).toEqual([4, 5]);
    expect(await page({ page_number: 2 })).toEqual(all.slice(25));
    await save({ top_k: 3, page_size: 5 });
    expect(await page({ page_number: 2 })).toEqual([5, 6, 7, 8, 9]);
    expect(await page()).toEqual([0, 1, 2]);
  });

  test('a for-you feed keeps its saved top_k', async () => {
    await account.set(feed_id, { endpoint: 'casts/feed/for-you', config: { top_k: 3 } });
    const { body } = await account.ask('for-you', { feed_id, user_id: 'v', page_size: 7, page_number: 2 });
    expect(body.body).toHaveLength(3);
    expect(body.warnings[0]).toContain('page_size');
  });

  test('a for-you feed may be saved with a page_size, with a warning', async () => {
    const sent = { config_id: feed_id, endpoint: 'casts/feed/for-you', config: { page_size: 3 } };
    const { body } = await account.patch(sent);
    expect(body.warnings).toEqual(['config.page_size was kept, but a for-you feed has no plain pages']);
    expect(await page({ user_id: 'v' }, 'for-you')).toHaveLength(25);
  });
});

test('a saved following filter is about whoever asks', async () => {
  await community.follow('reader-1', 'author-1');
  await community.follow('reader-2', 'author-2');
  await save({ top_k: 3, filters: { author_ids: 'following' } });
  expect(await page({ user_id: 'reader-1' })).toEqual([1, 5, 9]);
  expect(await page({ user_id: 'reader-2' })).toEqual([2, 6, 10]);
  expect(await page()).toEqual([]);
});

test('a saved relative time moves with the clock', async () => {
  await save({ top_k: 500, filters: { start_timestamp: 'hours_ago:5' } });
  expect(await page()).toEqual([0, 1, 2, 3, 4, 5]);
  community.server.clock.advance(2 * 3600);
  expect(await page()).toEqual([0, 1, 2, 3]);
});
