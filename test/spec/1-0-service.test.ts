import { expect, test } from 'bun:test';
import { testsWith } from '../support/fixture.ts';
import { START } from '../support/service.ts';
import { DAY, FEED_TYPES, numbered, openService, type Service, serviceWith } from './support.ts';

const it = testsWith(() => serviceWith('a', 'b', 'c'));

/** Two circles of readers, each with twelve items of its own that all five of them like. */
async function twoTastes(): Promise<Service> {
  const service = await serviceWith(...numbered('music', 12), ...numbered('sport', 12));
  for (const taste of ['music', 'sport']) {
    for (const item_id of numbered(taste, 12)) await service.likes(item_id, ...numbered(`${taste}-fan`, 5));
  }
  return service;
}

it('1 returns ranked lists of content items for a viewing user identified by user_id', async (service) => {
  for (const feed_type of FEED_TYPES) {
    const page = await service.community.page(feed_type, { user_id: 'viewer' });
    const scores = page.map(({ adjusted_score }) => adjusted_score);
    expect(page).toHaveLength(3);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  }
});

it('1 a feed is a saved configuration identified by a feed_id', async (service) => {
  const config = { filters: { author_ids: ['author of b'] } };
  const feed_id = await service.account.add({ config });
  expect(await service.page('for-you', { feed_id })).toEqual(['b']);
});

test("1 a feed fixes the feed's type: it is built at its own endpoint and at no other", async () => {
  await using service = await serviceWith('a');
  for (const own of FEED_TYPES) {
    const feed_id = await service.account.add({ endpoint: `casts/feed/${own}` });
    for (const asked of FEED_TYPES) {
      const { status } = await service.community.ask(asked, { user_id: 'viewer', feed_id });
      expect([own, asked, status]).toEqual([own, asked, own === asked ? 200 : 400]);
    }
  }
});

test('1 a feed fixes filters, scoring, fallback and promotion behaviour', async () => {
  await using service = await serviceWith('a', 'b', 'c', 'd');
  const promotion = {
    promotion_type: 'items',
    promotion_name: 'ad',
    promoted_items: [{ item_id: 'd', rank: 1 }],
  };
  const config = {
    filters: { author_ids: ['author of b'] },
    scoring: 'all',
    return_global_fallback: true,
    promotion_filters: [promotion],
  };
  const feed_id = await service.account.add({
    endpoint: 'casts/feed/popular',
    config,
  });
  const page = await service.community.page('popular', { feed_id });
  expect(page.map(({ item_id, source_feed }) => `${item_id} ${source_feed}`)).toEqual([
    'd promotion:ad',
    `b main:${feed_id}`,
    'a fallback_global:popular',
    'c fallback_global:popular',
  ]);
});

test('1 feed configurations are created, read, listed and updated through the configuration API', async () => {
  await using service = await openService();
  const feed_id = await service.account.add({ name: 'first' });
  expect((await service.account.get(feed_id)).body.data.name).toBe('first');
  expect(await service.account.ids({})).toEqual([feed_id]);
  expect(await service.account.set(feed_id, { name: 'second' })).toMatchObject({ name: 'second' });
});

test('1 for-you is personalised per user_id: what people of like taste chose comes first', async () => {
  await using service = await twoTastes();
  for (const taste of ['music', 'sport']) {
    await service.likes(`${taste}-00`, `${taste}-lover`);
    await service.likes(`${taste}-01`, `${taste}-lover`);
    const page = await service.page('for-you', { user_id: `${taste}-lover`, top_k: 10 });
    expect(page.filter((item_id) => item_id.startsWith(taste)).length).toBeGreaterThanOrEqual(8);
    expect(page[0]).toStartWith(taste);
  }
});

test('1 for-you reflects new interactions at the next request', async () => {
  await using service = await twoTastes();
  await service.likes('music-00', 'reader');
  await service.likes('music-01', 'reader');
  expect((await service.page('for-you', { user_id: 'reader' }))[0]).toStartWith('music');
  for (const item_id of numbered('sport', 6)) await service.likes(item_id, 'reader');
  const page = await service.page('for-you', { user_id: 'reader', top_k: 6 });
  expect(page.slice(0, 3).every((item_id) => item_id.startsWith('sport'))).toBe(true);
});

test('1 trending and popular are the same for every user who has done nothing', async () => {
  await using service = await twoTastes();
  for (const feed_type of ['trending', 'popular'] as const) {
    const pages = await Promise.all(
      ['one', 'other'].map((user_id) => service.page(feed_type, { user_id, top_k: 24 })),
    );
    expect(pages[0]).toEqual(pages[1]);
    await service.community.follow('one', 'author of sport-05');
    expect(await service.page(feed_type, { user_id: 'one', top_k: 24 })).toEqual(pages[0]);
    const anonymous = await service.community.ids(feed_type, { top_k: 24 });
    expect(anonymous).toEqual(pages[0]);
  }
});

test('1 trending predicts content that will soon receive much engagement, popular shows what has', async () => {
  await using service = await openService();
  const { community } = service;
  await community.addItem('classic', { created_at: START - 30 * DAY, author_id: 'x' });
  await community.addItem('rising', { created_at: START - 3600, author_id: 'y' });
  await community.addItem('neither', { created_at: START - 3 * DAY, author_id: 'z' });
  const old = numbered('fan', 40).map((user_id) => ({
    user_id,
    item_id: 'classic',
    event_type: 'like',
    timestamp: START - 29 * DAY,
  }));
  const fresh = numbered('fan', 10).map((user_id) => ({
    user_id,
    item_id: 'rising',
    event_type: 'share',
    timestamp: START - 600,
  }));
  await community.add('interactions', ...old, ...fresh);
  expect((await service.page('trending'))[0]).toBe('rising');
  expect((await service.page('popular'))[0]).toBe('classic');
  expect((await service.page('popular')).at(-1)).toBe('neither');
});

test('1 trending and popular do not show again what the user has seen', async () => {
  for (const feed_type of ['trending', 'popular'] as const) {
    await using service = await serviceWith('a', 'b', 'c');
    const [first] = await service.page(feed_type, { impression_count: 1 });
    const rest = await service.set(feed_type);
    expect(rest).toEqual(['a', 'b', 'c'].filter((item_id) => item_id !== first));
  }
});

it('1 trending and popular hide what the user interacted with unless show_interacted_items enables it', async (service) => {
  await service.likes('b', 'viewer');
  for (const feed_type of ['trending', 'popular'] as const) {
    expect(await service.set(feed_type)).toEqual(['a', 'c']);
    expect(await service.set(feed_type, { show_interacted_items: true })).toEqual(['a', 'b', 'c']);
  }
});

test('1 a feed is built by candidates, ranking, visibility and mixing, in this order', async () => {
  await using service = await serviceWith('a', 'b', 'c', 'd', 'e');
  await service.likes('a', 'viewer');
  const filters = { author_ids: ['a', 'b', 'c'].map((id) => `author of ${id}`) };
  const promotion = {
    promotion_type: 'items',
    promotion_name: 'ad',
    promoted_items: [{ item_id: 'e', rank: 2 }],
  };
  expect(await service.set('popular', { filters, show_interacted_items: true })).toEqual(['a', 'b', 'c']);
  expect(await service.page('popular', { filters })).toEqual(['b', 'c']);
  expect(await service.page('popular', { filters, promotion_filters: [promotion] })).toEqual(['b', 'e', 'c']);
});
