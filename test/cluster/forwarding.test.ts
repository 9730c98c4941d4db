import { describe, expect } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type Answer, API_KEY, testCluster as it, item } from './support.ts';

const V2 = '/v2/farcaster';
const WALLET = `0x${'ab'.repeat(20)}`;
const OTHER_WALLET = `0x${'ef'.repeat(20)}`;
const TOKEN = `base.0x${'cd'.repeat(20)}`;

/** Two wallets mint the same token. */
async function mintByBoth(leader: { post(path: string, body: unknown): Promise<Answer> }): Promise<void> {
  for (const wallet_address of [WALLET, OTHER_WALLET]) {
    const event = { wallet_address, item_id: TOKEN, event_type: 'mint' };
    expect((await leader.post('/base/events', event)).status).toBe(200);
  }
}

describe('a write at a follower', () => {
  it('is on the next page of every node', async (cluster) => {
    const leader = await cluster.start();
    const [one, two] = [await cluster.start(), await cluster.start()];
    const { status, body, headers } = await one.post(`${V2}/items`, [item('a'), item('b'), { item_id: '' }]);
    expect([status, body.accepted, body.rejected_count]).toEqual([200, 2, 1]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    for (const node of [leader, one, two]) expect((await node.page({})).sort()).toEqual(['a', 'b']);
    expect((await two.call('DELETE', `${V2}/items/a`)).status).toBe(200);
    for (const node of [leader, one, two]) expect(await node.page({})).toEqual(['b']);
  });

  it('as a dry run answers what the write would, and reaches no node', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    const records = [item('a'), { item_id: 'a', text: 'known by then' }, { item_id: '' }];
    const dry = await follower.post(`${V2}/items?dry_run=true`, records);
    expect([dry.status, dry.body]).toMatchObject([200, { accepted: 2, rejected_count: 1, dry_run: true }]);
    for (const node of [leader, follower]) expect(await node.page({})).toEqual([]);
  });

  it('with follows as a whole list, and an erasure, reaches every node', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    await follower.post(`${V2}/users`, [{ user_id: 'u' }, { user_id: 'v' }]);
    const put = await follower.call('PUT', `${V2}/users/u/follows`, { target_user_ids: ['v'] });
    expect([put.status, put.body.added]).toEqual([200, 1]);
    expect((await leader.call('GET', `${V2}/users/u`)).body.follows).toHaveLength(1);
    expect((await follower.call('GET', `${V2}/users/u`)).body.follows).toHaveLength(1);
    expect((await follower.call('DELETE', `${V2}/users/u`)).status).toBe(200);
    for (const node of [leader, follower]) expect((await node.call('GET', `${V2}/users/u`)).status).toBe(404);
  });

  it('by a signed delivery to a webhook reaches every node, and an unsigned one is refused', async (cluster) => {
    const secret = 'a-secret-of-the-sender';
    const settings = { webhook: [`neynar?secret=${secret}`] };
    const leader = await cluster.start(settings);
    const follower = await cluster.start(settings);
    const time = '2024-01-01T00:00:00Z';
    const data = { user: { fid: 1 }, target_user: { fid: 2 }, timestamp: time };
    const delivery = { created_at: 1_704_067_200, type: 'follow.created', data };
    const signature = createHmac('sha512', secret).update(JSON.stringify(delivery)).digest('hex');
    const deliver = (signed: string) =>
      follower.call('POST', `${V2}/hooks/neynar`, delivery, {
        'x-neynar-signature': signed,
        authorization: '',
      });
    expect((await deliver(signature.replaceAll('a', 'b'))).status).toBe(401);
    expect((await deliver('')).status).toBe(401);
    expect((await deliver(signature)).body).toMatchObject({ status: 'success', accepted: 1 });
    for (const node of [leader, follower])
      expect((await node.call('GET', `${V2}/users/1`)).body.follows).toHaveLength(1);
  });

  it('to a saved feed takes effect on every node, with its revision checked', async (cluster) => {
    const leader = await cluster.start();
    const [one, two] = [await cluster.start(), await cluster.start()];
    await one.post(`${V2}/items`, [item('a', { channel: 'music' }), item('b')]);
    const config = { filters: { channels: ['music'] } };
    const feed = { name: 'music', endpoint: 'feeds/popular', config };
    const created = await one.post('/api/feed/config', feed);
    expect(created.status).toBe(201);
    const feed_id = created.body.data.config_id;
    for (const node of [leader, one, two]) expect(await node.page({ feed_id })).toEqual(['a']);
    const path = '/api/feed/config';
    const changed = await two.call('PATCH', path, { config_id: feed_id, config: {} }, { 'if-match': '"1"' });
    expect([changed.status, changed.body.data.revision]).toEqual([200, 2]);
    for (const node of [leader, one, two]) expect(await node.page({ feed_id })).toHaveLength(2);
    const outdated = await one.call('PATCH', path, { config_id: feed_id, config: {} }, { 'if-match': '"1"' });
    expect([outdated.status, outdated.body.code]).toEqual([412, 'revision_mismatch']);
    expect((await one.call('DELETE', `${path}?config_id=${feed_id}`)).status).toBe(200);
    expect((await two.call('GET', `${path}?config_id=${feed_id}`)).status).toBe(404);
  });

  it('of a wallet event creates the wallets, and every node recommends by it', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    const event = { wallet_address: WALLET, item_id: TOKEN, event_type: 'like' };
    expect((await follower.post('/base/events', event)).status).toBe(200);
    for (const node of [follower, leader]) {
      const { status, body } = await node.call('GET', '/base/feed/popular');
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining(TOKEN)]);
    }
  });

  it('that erases a wallet is in effect on every node', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    await mintByBoth(leader);
    expect((await follower.call('DELETE', `/base/wallets/${WALLET}`)).status).toBe(200);
    for (const node of [follower, leader]) {
      expect((await node.call('DELETE', `/base/wallets/${WALLET}`)).status).toBe(404);
      const { body } = await node.call('GET', `/base/feed/for-you/${WALLET}`);
      expect(JSON.stringify(body)).toContain(TOKEN);
    }
  });

  it('that deletes a wallet event is in effect on every node, and needs a key', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    await mintByBoth(leader);
    const path = `/base/events?wallet_address=${WALLET}&item_id=${TOKEN}&event_type=mint`;
    const refused = await follower.call('DELETE', path, undefined, { authorization: '' });
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
    expect((await follower.call('DELETE', path)).status).toBe(200);
    for (const node of [follower, leader]) {
      expect((await node.call('DELETE', path)).status).toBe(404);
      const { body } = await node.call('GET', `/base/feed/for-you/${WALLET}`);
      expect(JSON.stringify(body)).toContain(TOKEN);
    }
  });

  it('of many first wallet events at once reaches every node once', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    const events = Array.from({ length: 8 }, (_, at) => ({
      wallet_address: WALLET,
      item_id: `base.0x${String(at).repeat(40)}`,
      event_type: 'like',
    }));
    const answers = await Promise.all(events.map((event) => follower.post('/base/events', event)));
    expect(answers.map(({ status }) => status)).toEqual(events.map(() => 200));
    for (const node of [follower, leader]) {
      const { body } = await node.call('GET', '/base/feed/popular');
      for (const { item_id } of events) expect(JSON.stringify(body)).toContain(item_id);
    }
  });

  it('is refused without a key, with an unknown key, and with a key that lacks the scope', async (cluster) => {
    await cluster.start();
    const follower = await cluster.start();
    const post = (authorization: string) =>
      follower.call('POST', `${V2}/items`, [item('a')], { authorization });
    expect((await post('')).body.code).toBe('unauthorized');
    expect((await post('Bearer unknown')).body.code).toBe('unauthorized');
    const edit = { now: 1, actor: 'test' };
    const { key } = await follower.running.service.store.keys.create('acme', ['feed:read'], edit);
    const refused = await post(`Bearer ${key}`);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(await follower.page({})).toEqual([]);
  });

  it('is refused with 503 and Retry-After while no node leads', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    // Nothing listens at the address of the leader any more, but it keeps its lease.
    await cluster.cutOff(leader);
    const { status, body, headers } = await follower.post(`${V2}/items`, [item('a')]);
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([
      503,
      'store_unavailable',
      true,
    ]);
    expect(await follower.page({})).toEqual([]);
  });
});

it('the paths of nodes answer no one without the secret', async (cluster) => {
  const leader = await cluster.start();
  const answer = await fetch(`${leader.address}/internal/shown`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'x-feedloom-cluster': 'wrong' },
    body: '{}',
  });
  expect(answer.status).toBe(401);
});
