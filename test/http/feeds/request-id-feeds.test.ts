import { afterEach, beforeEach, expect, test } from 'bun:test';
import { editAt } from '../../support/edit.ts';
import { START } from '../../support/service.ts';
import { type Account, newAccount } from '../config-support.ts';
import { type Community, type Fields, openCommunity, whileReading } from '../support.ts';

/** A cached page is returned to its `request_id` only while the caller may read its feeds. */

let community: Community;
let owner: Account;
let reader: Account;
beforeEach(async () => {
  community = await openCommunity();
  const items = Array.from({ length: 6 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: at < 3 ? 'one' : 'other',
    created_at: START - at,
    likes_count: 10 - at,
    text: 'secret',
  }));
  await community.add('items', ...items);
  owner = await newAccount(community.server, 'owner');
  reader = await newAccount(community.server, 'reader');
});
afterEach(() => community.server.close());

const POPULAR = { endpoint: 'casts/feed/popular', visibility: 'public' };
const of = (author: string) => ({ ...POPULAR, config: { filters: { author_ids: [author] } } });

/** What takes a feed from those who do not own it, or from everybody. */
const WITHDRAWALS: [string, (feed_id: string) => Promise<unknown>][] = [
  ['private', (config_id) => owner.patch({ config_id, visibility: 'private' })],
  ['inactive', (config_id) => owner.patch({ config_id, status: 'inactive' })],
  ['deleted', (config_id) => owner.remove(config_id)],
];

const ask = (body: Fields, account = reader) =>
  account.ask('popular', { user_id: 'viewer', request_id: 'r', top_k: 6, ...body });

test.each(WITHDRAWALS)(
  'cached pages of a feed that became %s are no longer given to other accounts',
  async (_, withdraw) => {
    const feed_id = await owner.add(of('one'));
    expect((await ask({ feed_id })).body.body).toHaveLength(3);
    await withdraw(feed_id);
    const again = await ask({ feed_id });
    expect([again.status, again.body.code]).toEqual([404, 'not_found']);
  },
);

test.each(WITHDRAWALS)(
  'a cached page that contains a feed that became %s is not returned again',
  async (_, withdraw) => {
    const named = await owner.add(of('other'));
    const promotion = { promotion_name: 'p', promotion_type: 'feed', feed_id: named, percent: 50 };
    const parts: Fields[] = [
      { fallback_feeds: [{ feed_id: named }] },
      { promotion_filters: [promotion] },
      { cold_start_feed: named },
    ];
    const own = [];
    for (const config of parts)
      own.push(await reader.add({ ...of('one'), config: { ...of('one').config, ...config } }));
    const asked = [
      ...own.map((feed_id) => ({ feed_id })),
      ...parts.map((part) => ({ ...of('one').config, ...part })),
    ];
    /** The items of an answer; none of a problem, which may name the feed. */
    const shown = ({ body }: { body: unknown }) => JSON.stringify(Array.isArray(body) ? body : []);
    for (const [at, body] of asked.entries())
      expect(shown((await ask({ ...body, request_id: `r${at}` })).body)).toContain(named);
    await withdraw(named);
    for (const [at, body] of asked.entries())
      expect(shown((await ask({ ...body, request_id: `r${at}` })).body)).not.toContain(named);
  },
);

test('the owner of a feed still gets the cached page after the feed became private', async () => {
  const feed_id = await owner.add(of('one'));
  const first = await ask({ feed_id }, owner);
  await owner.patch({ config_id: feed_id, visibility: 'private' });
  await community.addItem('newer', { author_id: 'one', likes_count: 100 });
  expect((await ask({ feed_id }, owner)).body).toEqual(first.body);
});

test('a change that revokes no access keeps the cached page', async () => {
  const feed_id = await owner.add(of('one'));
  const first = await ask({ feed_id });
  await owner.patch({ config_id: feed_id, ...of('other') });
  await owner.patch({ config_id: feed_id, visibility: 'template' });
  expect((await ask({ feed_id })).body).toEqual(first.body);
});

test('a feed that becomes private while the first page is built is not given to another account', async () => {
  const feed_id = await owner.add(of('one'));
  let second: ReturnType<typeof ask> | undefined;
  await whileReading(
    community,
    () => ask({ feed_id, return_metadata: true }),
    async () => {
      await owner.patch({ config_id: feed_id, visibility: 'private' });
      second = ask({ feed_id, return_metadata: true });
    },
  );
  expect((await second)?.status).toBe(404);
});

test('a revoked key gets no cached page', async () => {
  const feed_id = await owner.add(of('one'));
  expect((await ask({ feed_id })).status).toBe(200);
  const { store } = community.server.service;
  for (const { key_id, account } of await store.keys.list())
    if (account === 'reader') await store.keys.revoke(key_id, editAt(START));
  await community.server.keys.refresh();
  expect((await ask({ feed_id })).status).toBe(401);
});
