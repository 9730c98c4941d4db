import { describe, expect, test } from 'bun:test';
import { FeedloomClient, FeedloomError } from 'feedloom-client';
import { forFile } from '../support/service.ts';
import { failureOf, KEY, openService, page, Script } from './support.ts';

const NOW = Math.floor(Date.now() / 1000);
const service = await forFile(openService({ base_path: '/tools/feedloom' }));
const client = service.client();
await client.ingest('users', [{ user_id: 'ann' }, { user_id: 'bob' }]);
const items = ['one', 'two', '../three'].map((item_id, index) => ({
  item_id,
  author_id: 'bob',
  created_at: NOW - 100 - index,
  text: `Item ${item_id}`,
}));
await client.ingest('items', items);
await client.ingest('follows', { user_id: 'ann', target_user_id: 'bob' });
await client.ingest('interactions', { user_id: 'carl', item_id: 'two', event_type: 'like' });

describe('pages', () => {
  test('of each feed type have the items of the service', async () => {
    for (const answer of [
      await client.forYou({ user_id: 'ann' }),
      await client.trending({ user_id: 'ann' }),
      await client.popular(),
    ])
      expect(answer.body.map(({ item_id }) => item_id).sort()).toEqual(['../three', 'one', 'two']);
    const { body } = await client.popular({ top_k: 1, return_metadata: true });
    expect(body.map(({ metadata }) => metadata?.text)).toEqual(['Item two']);
  });

  test('are explained, and previewed without being saved', async () => {
    const { body: explained } = await client.explain('popular', { item_id: 'two' });
    expect(explained).toMatchObject({ shown: true, rank: 1 });
    const config = { filters: { engagement: { min_likes_count: 1 } } };
    const { body: items } = await client.preview({ endpoint: 'feeds/popular', config });
    expect(items.map(({ item_id }) => item_id)).toEqual(['two']);
  });

  test('of users to follow and of similar users have reasons', async () => {
    const { body: users } = await client.recommendedUsers({ user_id: 'carl', return_metadata: true });
    expect(users[0]).toMatchObject({
      user_id: 'bob',
      reasons: [{ type: 'author_of_liked', item_ids: ['two'] }],
    });
    expect((await client.similarUsers('bob', { top_k: 5 })).body).toEqual([]);
  });

  test('of similar items name the item that they are similar to', async () => {
    expect(await client.similarItems('two', { by: 'meaning' })).toEqual({ item_id: 'two', items: [] });
  });

  test('are reported when they were seen', async () => {
    const page = await client.forYou({ user_id: 'skimmer', mark_seen: false });
    const report = { user_id: 'skimmer', item_ids: [page.body[1].item_id], page_id: page.page_id };
    expect(await client.reportSeen(report)).toEqual({ status: 'success', recorded: 1 });
    expect(await client.reportSeen([report])).toEqual({ status: 'success', recorded: 0 });
    const { body } = await client.forYou({ user_id: 'skimmer' });
    expect(body).toHaveLength(page.body.length - 1);
  });

  test('record what was shown', async () => {
    const [first] = (await client.forYou({ user_id: 'reader', top_k: 1, impression_count: 1 })).body;
    const rest = (await client.forYou({ user_id: 'reader' })).body.map(({ item_id }) => item_id);
    expect(rest.length).toBe(2);
    expect(rest).not.toContain(first.item_id);
  });
});

describe('records', () => {
  test('are read, changed and deleted, whatever their identifiers are', async () => {
    expect((await client.item('../three')).text).toBe('Item ../three');
    for (const id of ['.', '..', 'a b/c?d#e']) {
      await client.ingest('items', { item_id: id, author_id: id, created_at: NOW });
      expect((await client.item(id)).author_id).toBe(id);
      expect((await client.deleteItem(id, { timestamp: NOW + 1 })).status).toBe('success');
      expect(await failureOf(client.item(id))).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('of a person are exported and erased', async () => {
    await client.ingest('users', { user_id: 'dora', username: 'dora' });
    await client.ingest('blocks', { user_id: 'dora', target_user_id: 'bob' });
    const lines = await client.exportUser('dora');
    expect(lines[0]).toMatchObject({ kind: 'profile', user_id: 'dora', username: 'dora' });
    await client.deleteUser('dora', { keep_items: true });
    expect(await failureOf(client.user('dora'))).toMatchObject({ status: 404 });
  });

  test('of follows are replaced as a whole list', async () => {
    const target_user_ids = ['bob', 'carl'];
    expect(await client.putFollows('eve', { target_user_ids })).toMatchObject({ added: 2, removed: 0 });
    expect(await client.putFollows('eve', { target_user_ids: ['bob'] })).toMatchObject({
      added: 0,
      removed: 1,
    });
  });

  test('of lists of users are made, changed, read and deleted by any identifier', async () => {
    for (const id of ['plain', 'at://did:plc:x/list/../abc']) {
      expect(await client.putList(id, { user_ids: ['bob'], name: 'Us' })).toMatchObject({ added: 1 });
      expect(await client.changeList(id, { add: ['carl'] })).toMatchObject({ added: 1, removed: 0 });
      const described = { list_id: id, name: 'Us', size: 2 };
      expect(await client.getList(id, { offset: 1 })).toEqual({ ...described, user_ids: ['carl'] });
      expect(await client.listLists({ limit: 1 })).toEqual({ lists: [described] });
      expect(await client.deleteList(id)).toMatchObject({ removed: 2 });
      expect(await failureOf(client.getList(id))).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('that users reported are listed', async () => {
    await client.ingest('interactions', { user_id: 'fay', item_id: 'one', event_type: 'report' });
    const { reports, total } = await client.reports({ limit: 1 });
    expect([reports[0].item_id, total]).toEqual(['one', 1]);
  });

  test('of tokens are kept', async () => {
    const item_id = `base.0x${'a'.repeat(40)}`;
    await client.ingest('tokens', { item_id, name: 'Coin' });
    const wallet_address = `0x${'1'.repeat(40)}`;
    const event = { wallet_address, item_id, event_type: 'mint' as const };
    expect(await client.call('POST', '/{chain}/events', { body: event })).toMatchObject({
      status: 'success',
    });
    const { items } = await client.call('GET', '/{chain}/feed/popular', { query: { top_k: 1 } });
    expect(items[0].metadata.name).toBe('Coin');
  });
});

describe('saved feeds', () => {
  test('are created, listed, read, changed and deleted', async () => {
    const { data } = await client.createFeed({
      name: 'mine',
      endpoint: 'feeds/popular',
      config: { top_k: 2 },
    });
    const { config_id } = data;
    expect((await client.listFeeds()).data.map(({ name }) => name)).toEqual(['mine']);
    expect((await client.popular({ feed_id: config_id })).body.length).toBe(2);
    const config = { return_metadata: true };
    const changed = await client.changeFeed({ config_id, config }, { merge: true, revision: data.revision });
    expect(changed.data).toMatchObject({ config: { top_k: 2, return_metadata: true }, revision: 2 });
    const outdated = client.changeFeed({ config_id, name: 'new' }, { revision: 1 });
    expect(await failureOf(outdated)).toMatchObject({ status: 412, code: 'revision_mismatch' });
    expect((await client.readFeed(config_id)).data.revision).toBe(2);
    await client.deleteFeed(config_id, { revision: 2 });
    expect((await client.listFeeds()).data).toEqual([]);
    const { data: entries } = await client.audit({ limit: 2 });
    expect(entries.map(({ action }) => action)).toEqual(['feed.delete', 'feed.change']);
    expect((await client.restoreFeed(config_id)).data.name).toBe('mine');
    const { data: revisions } = await client.feedRevisions(config_id);
    expect(revisions.map(({ revision }) => revision).slice(-2)).toEqual([2, 1]);
  });

  test('that are wrong are refused with every fault', async () => {
    const config = { top_k: 0, filters: { languages: ['klingon'] } };
    const error = await failureOf(client.createFeed({ name: '', config }));
    if (!(error instanceof FeedloomError)) throw error;
    expect(error).toMatchObject({ status: 400, code: 'invalid_value' });
    expect(error.errors.map(({ path }) => path)).toContain('/config/top_k');
    expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.message).toBe(`invalid_value: ${error.detail}`);
  });
});

test('the viewers of an experiment are read as CSV', async () => {
  const { data: feed } = await client.createFeed({ name: 'tried', endpoint: 'feeds/popular', config: {} });
  const feed_id = feed.config_id;
  const variants = ['control', 'same'].map((name) => ({ name, feed_id, percent: 50 }));
  const body = { name: 'Alike', feed_id, variants };
  const { data } = await client.call('POST', '/api/experiments', { body });
  // Viewers without a user record are counted together.
  await client.ingest('users', { user_id: 'gil' });
  const { experiment } = await client.popular({ feed_id, user_id: 'gil', top_k: 1, impression_count: 1 });
  const path = { id: data.experiment_id };
  const csv = await client.call('GET', '/api/experiments/{id}/viewers.csv', { path });
  expect(csv).toStartWith('user_id,variant,');
  expect(csv).toContain(`\ngil,${experiment?.variant},1,`);
  await client.call('DELETE', '/api/experiments/{id}', { path });
  await client.deleteFeed(feed_id);
});

describe('a client', () => {
  test('says in a dry run what would be stored, and stores nothing', async () => {
    const records = [{ user_id: 'hal' }, { user_id: 'ivy', hidden: 'maybe' as unknown }];
    const answer = await client.ingest('users', records as { user_id: string }[], { dry_run: true });
    expect(answer).toMatchObject({ accepted: 1, rejected: [{ index: 1 }], dry_run: true });
    expect(await failureOf(client.user('hal'))).toMatchObject({ status: 404 });
  });

  test('reads what the service can do', async () => {
    expect((await client.session()).account).toBe('default');
    expect((await client.plugins()).data.map(({ id }) => id)).toContain('popular_v0.0.1');
    expect((await client.languages()).data.length).toBeGreaterThan(20);
    expect(await client.call('GET', '/healthz')).toEqual({ status: 'ok' });
    expect(await client.call('GET', '/metrics')).toContain('# HELP');
  });

  test('with a viewer token reads feeds of that viewer, and nothing else', async () => {
    const token = async () => (await client.createToken({ user_id: 'ann', ttl_seconds: 60 })).token;
    const viewer = service.client({ key: undefined, token });
    expect((await viewer.forYou({})).body.length).toBe(3);
    const forbidden = { status: 403, code: 'forbidden' };
    expect(await failureOf(viewer.forYou({ user_id: 'bob' }))).toMatchObject(forbidden);
    expect(await failureOf(viewer.plugins())).toMatchObject(forbidden);
  });

  test('with a wrong key is refused, and without a key, too', async () => {
    for (const key of [undefined, `not-${KEY}`])
      expect(await failureOf(service.client({ key }).popular())).toMatchObject({ status: 401 });
  });

  test.each(['/tools/feedloom', '/tools/feedloom/'])(
    'reaches a service behind a proxy at %s',
    async (path) => {
      const behind = service.client({ url: `${service.address}${path}` });
      expect((await behind.popular()).body.length).toBe(3);
    },
  );

  test('asks another network and chain if its options name them', async () => {
    const script = new Script([page([]), Response.json({ status: 'success', items: [] })], {
      url: new URL('https://feeds.example/a/?'),
      network: 'lens',
      chain: 'solana',
    });
    await script.client.trending();
    await script.client.call('GET', '/{chain}/feed/popular');
    expect(script.sent.map(({ url }) => url)).toEqual([
      'https://feeds.example/a/v2/lens/feeds/trending',
      'https://feeds.example/a/solana/feed/popular',
    ]);
  });

  test.each([
    '',
    '/feedloom',
    'ftp://feeds.example',
    'https://feeds.example?a=b',
    'https://a:b@feeds.example',
  ])('is not made with the address %p', (url) => {
    expect(() => new FeedloomClient({ url })).toThrow(`url: '${url}' must be an http(s) URL`);
  });

  test('is not made with a key and a token', () => {
    expect(() => service.client({ key: 'key', token: 'token' })).toThrow('key and token: give one of them');
  });

  test('refuses a path parameter that would change the path', async () => {
    for (const id of ['', '.', '..']) {
      const call = client.call('DELETE', '/v2/{network}/items/{id}', { path: { id } });
      expect(await failureOf(call)).toBeInstanceOf(RangeError);
    }
    expect(
      (await client.call('GET', '/v2/{network}/items/{id}', { path: { id: '../three' } })).author_id,
    ).toBe('bob');
  });

  test('says so when something else answers in place of the service', async () => {
    const pages = ['text/html', 'application/json'].map(
      (type) => new Response('<p>Sign in</p>', { headers: { 'content-type': type } }),
    );
    const script = new Script([...pages, new Response('', { status: 404 })]);
    for (const part of ['status 200, but', 'status 200, but', 'status 404 without']) {
      const error = await failureOf(script.client.popular());
      expect(error).toBeInstanceOf(FeedloomError);
      expect(String(error)).toContain(part);
    }
  });
});
