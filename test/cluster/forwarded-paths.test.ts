import { describe, expect } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { DID, DidServer, newKey, tokenOf } from '../support/did-server.ts';
import { sendAsIs } from '../support/send-as-is.ts';
import { API_KEY, testCluster as it, SECRET } from './support.ts';

const V2 = '/v2/farcaster';
const INTERACTIONS = 'app.bsky.feed.sendInteractions';

/** Sends a request with a key, whose path is not changed on its way. */
async function send(address: string, method: string, path: string, body?: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${API_KEY}` };
  return (await sendAsIs(address, path, { method, headers, body })).status;
}

/** How ids are written in paths. */
const ODD_IDS: [string, string][] = [
  ['a/b', 'a%2Fb'],
  ['a?b', 'a%3Fb'],
  ['a#b', 'a%23b'],
  ['a%2Fb', 'a%252Fb'],
  ['a\\b', 'a%5Cb'],
  ['...', '...'],
  ['é日', '%C3%A9%e6%97%a5'],
  ['did:plc:x@y', 'did:plc:x@y'],
];

describe('a write at a follower concerns the user of its path', () => {
  it('whatever the id is', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    const bystanders = ['users', 'a', 'b', 'x'];
    for (const [id, path] of ODD_IDS) {
      const users = [id, ...bystanders].map((user_id) => ({ user_id }));
      expect((await leader.post(`${V2}/users`, users)).body.rejected_count).toBe(0);
      const follows = { target_user_ids: ['x'] };
      const put = await send(follower.address, 'PUT', `${V2}/users/${path}/follows`, follows);
      expect([path, put]).toEqual([path, 200]);
      const { body } = await leader.post(`${V2}/records/read`, { users: ['x'] });
      expect([path, JSON.stringify(body)]).toEqual([path, expect.stringContaining('"followers_count":1')]);
      const deleted = await send(follower.address, 'DELETE', `${V2}/users/${path}`);
      expect([path, deleted]).toEqual([path, 200]);
      for (const node of [leader, follower]) {
        const status = await send(node.address, 'GET', `${V2}/users/${path}`);
        expect([path, status]).toEqual([path, 404]);
      }
    }
    for (const id of bystanders) expect((await follower.call('GET', `${V2}/users/${id}`)).status).toBe(200);
  });

  it('or is refused if the path would become another one, and the query takes the id', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    const users = ['..', '.', 'users', 'a', 'b'].map((user_id) => ({ user_id }));
    await leader.post(`${V2}/users`, users);
    const refused = [
      ['..', 404],
      ['%2e%2E', 404],
      ['.', 404],
      ['a\\b', 404],
      ['%', 400],
      ['%FF', 400],
    ] as const;
    for (const { address } of [leader, follower]) {
      for (const [path, status] of refused) {
        expect([path, await send(address, 'DELETE', `${V2}/users/${path}`)]).toEqual([path, status]);
        const follows = { target_user_ids: ['a'] };
        const put = await send(address, 'PUT', `${V2}/users/${path}/follows`, follows);
        expect([path, put]).toEqual([path, status]);
      }
    }
    const ids = users.map(({ user_id }) => user_id);
    const stored = async () => (await follower.post(`${V2}/records/read`, { users: ids })).body.users.length;
    expect(await stored()).toBe(ids.length);
    expect((await follower.call('DELETE', `${V2}/users?user_id=..`)).status).toBe(200);
    expect(await stored()).toBe(ids.length - 1);
  });
});

it('a follower forwards writes under both prefixes, and answers a wrong network like the leader', async (cluster) => {
  const webhook = [`neynar?secret=${SECRET}`];
  const leader = await cluster.start({ network: 'photos', webhook });
  const follower = await cluster.start({ network: 'photos', webhook });
  for (const [at, network] of ['community', 'photos'].entries()) {
    const prefix = `/v2/${network}`;
    const item = { item_id: `item-${at}`, author_id: 'ann', created_at: 1 };
    expect((await follower.post(`${prefix}/items`, item)).body.accepted).toBe(1);
    expect(
      (await follower.call('PUT', `${prefix}/users/bob/follows`, { target_user_ids: ['ann'] })).status,
    ).toBe(200);
    // Nodes check signatures of webhooks themselves.
    expect((await follower.post(`${prefix}/hooks/neynar`, {})).status).toBe(401);
    expect((await follower.call('DELETE', `${prefix}/users/bob`)).status).toBe(200);
    // These are answered by the node itself.
    const page = await follower.post(`${prefix}/feeds/popular`, {});
    expect(page.body.body).toHaveLength(at + 1);
    expect((await follower.post(`${prefix}/records/read`, { items: ['item-0'] })).body.items).toHaveLength(1);
    expect((await follower.call('GET', `${prefix}/items/item-${at}`)).status).toBe(200);
    const unknown = await follower.post(`${prefix}/nothing`, {});
    expect([unknown.status, unknown.body.detail]).toEqual([404, `there is nothing at ${prefix}/nothing`]);
  }
  const metrics = await (await fetch(`${follower.address}/metrics`)).text();
  // Of each prefix: an item, a list of follows, and a deletion. A path without a route is answered by the node itself.
  expect(metrics).toContain('feedloom_node_forwarded_total 6');
  for (const node of [leader, follower]) {
    const { status, body } = await node.post('/v2/farcaster/items', {});
    expect([status, body.detail]).toEqual([404, expect.stringContaining("serves the network 'photos'")]);
  }
});

it('a write that reaches the store of a follower is refused for now, and creates nothing', async (cluster) => {
  const leader = await cluster.start();
  const { store, alpha } = (await cluster.start()).running.service;
  const event = {
    wallet_address: `0x${'1'.repeat(40)}`,
    item_id: `base.0x${'c'.repeat(40)}`,
    event_type: 'mint',
  } as const;
  const writes = [store.submit([]), alpha.recordEvent(event)];
  for (const { reason } of (await Promise.allSettled(writes)) as PromiseRejectedResult[])
    expect([reason.status, reason.code]).toEqual([503, 'store_unavailable']);
  expect(leader.running.service.alpha.community).toBeUndefined();
});

it('the host in the header of another node is taken from nodes alone', async (cluster) => {
  const leader = await cluster.start();
  const didFor = async (cluster_secret: string) => {
    const headers = { 'x-feedloom-host': 'feeds.example.com', 'x-feedloom-cluster': cluster_secret };
    return (await leader.call('GET', '/.well-known/did.json', undefined, headers)).body.id;
  };
  expect(await didFor(SECRET)).toBe('did:web:feeds.example.com');
  expect(await didFor('wrong')).toContain('did:web:127.0.0.1');
});

describe('a call on behalf of a viewer of Bluesky at a follower', () => {
  it('is refused by the follower without a valid token, and forwarded to no one', async (cluster) => {
    const leader = await cluster.start();
    const follower = await cluster.start();
    // The leader would answer 503.
    await cluster.cutOff(leader);
    const seen = { interactions: [] };
    for (const authorization of ['', 'Bearer no-token', 'Bearer a.b.c']) {
      const { status, body } = await follower.call('POST', `/xrpc/${INTERACTIONS}`, seen, { authorization });
      expect([authorization, status, body.error]).toEqual([authorization, 401, 'AuthenticationRequired']);
    }
    const unknown = await follower.call('POST', '/xrpc/app.bsky.feed.other', seen, { authorization: '' });
    expect([unknown.status, unknown.body.error]).toEqual([404, 'XRPCNotSupported']);
    const metrics = await (await fetch(`${follower.address}/metrics`)).text();
    expect(metrics).toContain('feedloom_node_forwarded_total 0');
  });

  it('is for the host that the client asked, while a proxy before the leader sees the host of the leader', async (cluster) => {
    const dids = new DidServer();
    const key = await newKey();
    dids.publish(DID, key);
    const leader = await cluster.start({ plc_url: dids.url });
    const follower = await cluster.start({ plc_url: dids.url });
    const hosts: (string | null)[] = [];
    await using proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const { method, headers } = request;
        hosts.push(headers.get('host'));
        headers.delete('host');
        return fetch(leader.address + pathname + search, { method, headers, body: await request.bytes() });
      },
    });
    await cluster.cutOff(leader, `http://127.0.0.1:${proxy.port}`);
    const exp = systemClock.now() + 60;
    const aud = 'did:web:feeds.example.com';
    const token = await tokenOf(key, { iss: DID, aud, lxm: INTERACTIONS, exp });
    const headers = { authorization: `Bearer ${token}`, host: 'feeds.example.com' };
    for (const node of [leader, follower]) {
      const sent = await node.call('POST', `/xrpc/${INTERACTIONS}`, { interactions: [] }, headers);
      expect([sent.status, sent.body]).toEqual([200, {}]);
    }
    expect(hosts).toEqual([`127.0.0.1:${proxy.port}`]);
    await dids.close();
  });
});
