import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { forFile, openTestServer, START, type TestAnswer } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import { type Fields, KEY } from '../support.ts';

const SECRET = 'a-secret-of-the-sender';
const NETWORK = 'photos';
const server = await forFile(
  openTestServer({ settings: { network: NETWORK, webhook: [`neynar?secret=${SECRET}`] } }),
);

/** The service, with the paths of one of its two prefixes. */
const under =
  (network: string) =>
  (method: string, path: string, body?: unknown, headers: Fields = KEY) =>
    server.call(method, `/v2/${network}/${path}`, body, headers as Record<string, string>);

const neutral = under('community');
const named = under(NETWORK);
await neutral('POST', 'users', [{ user_id: 'ann' }, { user_id: 'bob' }]);
await named(
  'POST',
  'items',
  ['a', 'b', 'c', 'd'].map((item_id) => ({ item_id, author_id: 'ann', created_at: START, text: item_id })),
);

/** A request of each kind of route that reads. */
const READS: [method: string, path: string, body?: unknown][] = [
  ...['feeds', 'casts/feed'].flatMap((prefix): [string, string, unknown][] => [
    ['POST', `${prefix}/for-you`, { user_id: 'bob', seed: 1 }],
    ['POST', `${prefix}/trending`, {}],
    ['POST', `${prefix}/popular/explain`, { item_id: 'a' }],
  ]),
  ['GET', 'items/a'],
  ['GET', 'items?item_id=a'],
  ['GET', 'items?search=a'],
  ['GET', 'items/a/counts'],
  ['GET', 'items/similar?item_id=a'],
  ['POST', 'records/read', { items: ['a'], users: ['ann'] }],
  ['GET', 'users/ann'],
  ['GET', 'users/insight?user_id=ann'],
  ['GET', 'users/ann/export'],
  ['POST', 'users/recommended', { user_id: 'bob' }],
  ['GET', 'users/ann/similar'],
  ['GET', 'reports'],
  ['GET', 'channels'],
  ['GET', 'values?filter=languages'],
];

/** Ids of pages and cursors are never the same twice. */
const lasting = ({ status, body }: TestAnswer) => {
  const { page_id: _, cursor: __, ...others } = Object(body);
  return [status, typeof body === 'string' ? body : others];
};

describe('the paths of the neutral network and of the own one', () => {
  test('give the same answers to every kind of read', async () => {
    for (const [method, path, body] of READS) {
      const answer = await neutral(method, path, body);
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, ...lasting(await named(method, path, body))]).toEqual([path, ...lasting(answer)]);
    }
  });

  test('store the same records', async () => {
    for (const [at, call] of [neutral, named].entries()) {
      const item_id = `new-${at}`;
      const user_id = `viewer-${at}`;
      const stored = [
        await call('POST', 'items', { item_id, author_id: 'ann', created_at: START }),
        await call('POST', 'users', { user_id }),
        await call('POST', 'interactions', { user_id, item_id, event_type: 'like' }),
        await call('POST', 'follows', { user_id, target_user_id: 'ann' }),
        await call('POST', 'blocks', { user_id, target_user_id: 'bob' }),
      ];
      for (const { body } of stored) expect(body).toMatchObject({ status: 'success', accepted: 1 });
      expect((await call('PUT', `users/${user_id}/follows`, { target_user_ids: ['bob'] })).body).toEqual({
        status: 'success',
        added: 1,
        removed: 1,
      });
      const report = await call('POST', 'impressions', { user_id, item_ids: ['a'] });
      expect(report.body.recorded).toBe(1);
      const other = [named, neutral][at];
      expect((await other('GET', `items/${item_id}`)).body.likes_count).toBe(1);
      expect((await other('DELETE', `items/${item_id}`)).status).toBe(200);
      expect((await other('DELETE', `users/${user_id}`)).status).toBe(200);
      expect((await call('GET', `users/${user_id}`)).status).toBe(404);
    }
  });

  test('take the deliveries to a webhook, each with its signature', async () => {
    const delivery = JSON.stringify({
      created_at: START,
      type: 'cast.deleted',
      data: { object: 'cast', hash: `0x${'1'.repeat(40)}`, author: { fid: 2 } },
    });
    const signature = createHmac('sha512', SECRET).update(delivery).digest('hex');
    for (const call of [neutral, named]) {
      const path = 'hooks/neynar';
      expect((await call('POST', path, delivery, { 'x-neynar-signature': signature })).status).toBe(200);
      expect((await call('POST', path, delivery, { 'x-neynar-signature': 'wrong' })).status).toBe(401);
    }
  });

  test('continue and record each other’s pages, also with viewer tokens', async () => {
    for (const [one, other] of [
      [neutral, named],
      [named, neutral],
    ]) {
      const user_id = one === neutral ? 'carol' : 'dave';
      const made = await server.post('/api/tokens', { user_id, ttl_seconds: 600 });
      const token = { authorization: `Bearer ${made.body.token}` };
      const request = { top_k: 2, mark_seen: false };
      const first = (await one('POST', 'feeds/popular', request, token)).body;
      const next = await other('POST', 'feeds/popular', { ...request, cursor: first.cursor }, token);
      const ids = [...first.body, ...next.body.body].map(({ item_id }: { item_id: string }) => item_id);
      expect(new Set(ids).size).toBe(4);
      const report = { item_ids: ids.slice(0, 1), page_id: first.page_id };
      expect((await other('POST', 'impressions', report, token)).body).toMatchObject({ recorded: 1 });
      for (const call of [one, other])
        expect((await call('GET', 'items/a', undefined, token)).status).toBe(403);
    }
  });

  test('share the checks of keys, bodies and methods, and name the path as it was sent', async () => {
    for (const network of ['community', NETWORK]) {
      const call = under(network);
      expect((await call('GET', 'items/a', undefined, {})).status).toBe(401);
      const invalid = await call('POST', 'feeds/popular', { top_k: 0 });
      expect([invalid.status, invalid.body.status_code]).toEqual([400, 400]);
      const method = await call('PUT', 'feeds/popular', {});
      expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
      expect(method.body.detail).toBe(`PUT is not allowed at /v2/${network}/feeds/popular; use POST`);
      const unknown = await call('GET', 'nothing');
      expect([unknown.status, unknown.body.detail]).toEqual([
        404,
        `there is nothing at /v2/${network}/nothing`,
      ]);
    }
  });

  test('are one route in the metrics', async () => {
    const { body: text } = await server.call('GET', '/metrics');
    expect(text).toContain('/v2/community/items/:id"');
    expect(text).not.toContain(`/v2/${NETWORK}/`);
  });
});

test('a path of another network is refused with the name of the right one', async () => {
  for (const path of ['/v2/farcaster/feeds/for-you', '/v2/feeds/for-you', '/v2/Photos/items']) {
    const { status, body } = await server.post(path, {});
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(body.detail).toBe(
      `there is nothing at ${path}; this service serves the network 'photos' and the neutral path 'community': /v2/photos/… and /v2/community/…`,
    );
  }
});

test('a feed that is created without an endpoint is a for-you feed in the neutral spelling', async () => {
  const account = defaultAccount(server);
  const { body } = await account.create({ name: 'Mine' });
  expect(body.data.endpoint).toBe('feeds/for-you');
});
