import { describe, expect, test } from 'bun:test';
import type { Scope } from '../../../src/store/keys.ts';
import { editAt } from '../../support/edit.ts';
import { temporaryFolder } from '../../support/folder.ts';
import {
  API_KEY,
  forFile,
  openTestServer,
  START,
  type TestAnswer,
  type TestServer,
} from '../../support/service.ts';
import { defaultAccount, newAccount } from '../config-support.ts';
import { feedPath, ingestPath } from '../support.ts';

const WALLET = `0x${'ab'.repeat(20)}`;
const OTHER_WALLET = `0x${'cd'.repeat(20)}`;
const server = await forFile(openTestServer());
await fill(server);

/** Two viewers with wallets; 'ann' has liked an item. */
async function fill({ post }: TestServer): Promise<void> {
  const items = ['one', 'two', 'three'].map((item_id, likes_count) => ({
    item_id,
    author_id: 'author',
    created_at: START - 3_600,
    likes_count,
  }));
  const users = [
    { user_id: 'ann', wallet_addresses: [WALLET] },
    { user_id: 'bob', wallet_addresses: [OTHER_WALLET] },
  ];
  const act = { user_id: 'ann', item_id: 'three', event_type: 'like', timestamp: START - 60 };
  expect((await post(ingestPath('items'), items)).status).toBe(200);
  expect((await post(ingestPath('users'), users)).status).toBe(200);
  expect((await post(ingestPath('interactions'), act)).status).toBe(200);
}

interface Made {
  token: string;
  expires_at: number;
}

async function newToken(user_id: unknown, ttl_seconds: unknown = 600, key = API_KEY): Promise<Made> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await server.call('POST', '/api/tokens', { user_id, ttl_seconds }, headers);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body;
}

async function newKey(account: string, ...scopes: Scope[]): Promise<{ key: string; key_id: string }> {
  const created = await server.service.store.keys.create(account, scopes, editAt(START));
  await server.keys.refresh();
  return created;
}

function ask(token: string, path: string, body?: unknown, method = 'POST'): Promise<TestAnswer> {
  return server.call(method, path, body, { authorization: `Bearer ${token}` });
}

const ids = ({ body }: TestAnswer): string[] => body.body.map(({ item_id }: { item_id: string }) => item_id);

describe('a viewer token', () => {
  test('a viewer token reads every feed for its viewer, who need not be named', async () => {
    const { token, expires_at } = await newToken('ann', 86_400);
    expect(expires_at).toBe(START + 86_400);
    for (const type of ['for-you', 'trending', 'popular'] as const) {
      const own = await server.post(feedPath(type), { user_id: 'ann', top_k: 10 });
      for (const body of [{}, { user_id: 'ann' }, { wallet_address: WALLET }, { user_id: null }]) {
        const answer = await ask(token, feedPath(type), { ...body, top_k: 10 });
        expect([answer.status, ids(answer)]).toEqual([200, ids(own)]);
      }
      expect((await ask(token, feedPath(type))).status).toBe(200);
      expect(ids(own)).not.toContain('three');
    }
  });

  test("a viewer token explains items of its viewer's pages", async () => {
    const { token } = await newToken('ann');
    const { status } = await ask(token, `${feedPath('popular')}/explain`, { item_id: 'one' });
    expect(status).toBe(200);
    const other = await ask(token, `${feedPath('popular')}/explain`, { item_id: 'one', user_id: 'bob' });
    expect(other.status).toBe(403);
  });

  test('a request with a viewer token records impressions of its viewer', async () => {
    const { token } = await newToken('new-viewer');
    const [first] = ids(await ask(token, feedPath('popular'), { impression_count: 1 }));
    expect(ids(await ask(token, feedPath('popular')))).not.toContain(first);
    expect(ids(await server.post(feedPath('popular'), { user_id: 'new-viewer' }))).not.toContain(first);
  });

  test.each([
    [{ user_id: 'bob' }, 'user_id'],
    [{ user_id: 'ANN' }, 'user_id'],
    [{ user_id: 7 }, 'user_id'],
    [{ wallet_address: OTHER_WALLET }, 'wallet_address'],
    [{ wallet_address: `0x${'00'.repeat(20)}` }, 'wallet_address'],
    [{ user_id: 'ann', wallet_address: OTHER_WALLET }, 'wallet_address'],
  ])('a viewer token is refused for another viewer: %p', async (body, field) => {
    const { token } = await newToken('ann');
    const { status, body: problem } = await ask(token, feedPath('popular'), body);
    expect(status).toBe(403);
    expect(problem).toMatchObject({ code: 'forbidden', status_code: 403 });
    expect(problem.detail).toStartWith(`${field}: this viewer token reads the feeds of another user only`);
  });

  test('a viewer token may be for an integer id or any characters', async () => {
    for (const [given, sent] of [
      [7, '7'],
      ['7', 7],
      ['a.b/ü"', 'a.b/ü"'],
    ]) {
      const { token } = await newToken(given);
      expect((await ask(token, feedPath('for-you'), { user_id: sent })).status).toBe(200);
    }
  });

  test('a viewer token reads the private feeds of the account of its key, and no others', async () => {
    const acme = await newAccount(server, 'acme');
    const own = await acme.add({ endpoint: 'feeds/popular' });
    const foreign = await defaultAccount(server).add({ endpoint: 'feeds/popular' });
    const { key } = await newKey('acme', 'feed:read');
    const { token } = await newToken('ann', 600, key);
    expect((await ask(token, feedPath('popular'), { feed_id: own })).status).toBe(200);
    expect((await ask(token, feedPath('popular'), { feed_id: foreign })).status).toBe(404);
  });

  test('a viewer token is accepted in every header that accepts keys', async () => {
    const { token } = await newToken('ann');
    const ways: Record<string, string>[] = [
      { 'x-api-key': token },
      { authorization: `Basic ${token}` },
      { authorization: `Basic ${Buffer.from(`app:${token}`).toString('base64')}` },
    ];
    for (const headers of ways)
      expect((await server.call('POST', feedPath('popular'), {}, headers)).status).toBe(200);
  });
});

describe('a viewer token ends', () => {
  const refusal = async (token: string) => (await ask(token, feedPath('popular'))).body;

  test('a viewer token expires at its second', async () => {
    const { token, expires_at } = await newToken('ann', 600);
    try {
      server.clock.set(expires_at - 0.001);
      expect((await ask(token, feedPath('popular'))).status).toBe(200);
      server.clock.set(expires_at);
      expect(await refusal(token)).toMatchObject({
        code: 'unauthorized',
        detail: 'the viewer token expired at 2026-01-01T00:10:00.000Z',
      });
    } finally {
      server.clock.set(START);
    }
  });

  test('a viewer token ends when its key is revoked', async () => {
    const { key, key_id } = await newKey('acme', 'feed:read');
    const { token } = await newToken('ann', 600, key);
    expect((await ask(token, feedPath('popular'))).status).toBe(200);
    await server.service.store.keys.revoke(key_id, editAt(START));
    await server.keys.refresh();
    expect(await refusal(token)).toMatchObject({
      code: 'unauthorized',
      detail: 'the viewer token is not valid, or the key that made it has been revoked',
    });
  });

  test('a viewer token ends when its key expires', async () => {
    const { keys } = server.service.store;
    const { key } = await keys.create('acme', ['feed:read'], editAt(START), { expires_at: START + 60 });
    await server.keys.refresh();
    const { token } = await newToken('ann', 600, key);
    try {
      server.clock.set(START + 60);
      expect(await refusal(token)).toMatchObject({ code: 'unauthorized' });
    } finally {
      server.clock.set(START);
    }
  });
});

describe('a token is refused', () => {
  const REFUSED = 'the viewer token is not valid, or the key that made it has been revoked';

  test.each([
    ['with another viewer', ([id, , at]: unknown[]) => [id, 'bob', at]],
    ['with a later end', ([id, viewer, at]: unknown[]) => [id, viewer, Number(at) + 1]],
    ['with another key', ([, viewer, at]: unknown[]) => ['key_other', viewer, at]],
    ['with a claim more', (claims: unknown[]) => [...claims, 1]],
    ['with claims of other types', () => [{}, [], 'x']],
  ] as [string, (claims: unknown[]) => unknown][])('%s', async (_, change) => {
    const { token } = await newToken('ann');
    const [prefix, claims, signature] = token.split('.');
    const changed = change(JSON.parse(Buffer.from(claims, 'base64url').toString()));
    const forged = [prefix, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
    const { status, body } = await ask(forged, feedPath('popular'));
    expect([status, body.detail]).toEqual([401, REFUSED]);
  });

  test('a token whose signature is wrong, cut, longer or absent is refused', async () => {
    const { token } = await newToken('ann');
    const [prefix, claims, signature] = token.split('.');
    const flipped = (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1);
    const forged = [flipped, signature.slice(0, 20), `${signature}AAAA`, '', `${signature}.x`];
    for (const text of [
      ...forged.map((each) => `${prefix}.${claims}.${each}`),
      `${prefix}.${claims}`,
      `${prefix}.`,
    ])
      expect([text, (await ask(text, feedPath('popular'))).status]).toEqual([text, 401]);
  });

  test('a token that another service signed with the same key is refused', async () => {
    await using other = await openTestServer();
    const { body } = await other.post('/api/tokens', { user_id: 'ann', ttl_seconds: 60 });
    expect((await ask(body.token, feedPath('popular'))).body.detail).toBe(REFUSED);
  });

  test('a token is refused after the key of the settings was replaced, and accepted while the key stays', async () => {
    const data = temporaryFolder('tokens');
    const first = await openTestServer({ data });
    const { body } = await first.post('/api/tokens', { user_id: 'ann', ttl_seconds: 60 });
    await first.close();
    for (const [api_key, status] of [
      [API_KEY, 200],
      ['another-key', 401],
    ] as const) {
      await using again = await openTestServer({ data, settings: { api_key } });
      const headers = { authorization: `Bearer ${body.token}` };
      expect((await again.call('POST', feedPath('popular'), {}, headers)).status).toBe(status);
    }
  });
});

describe('POST /api/tokens', () => {
  const create = (body: unknown, key = API_KEY) =>
    server.call('POST', '/api/tokens', body, { authorization: `Bearer ${key}` });

  test.each([
    [{}, ['/user_id', '/ttl_seconds']],
    [{ user_id: '', ttl_seconds: 60 }, ['/user_id']],
    [{ user_id: 'ann', ttl_seconds: null }, ['/ttl_seconds']],
  ] as [object, string[]][])('refuses %p', async (body, paths) => {
    const { status, body: problem } = await create(body);
    expect(status).toBe(400);
    expect(problem.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
    for (const [at, name] of paths.entries()) {
      const form = name === '/user_id' ? 'a string of 1 to 256 characters' : 'an integer from 1 to 86400';
      const given = Reflect.get(body, name.slice(1)) ?? undefined;
      expect(problem.errors[at].message).toStartWith(
        given === undefined ? 'is required' : `expected ${form}`,
      );
    }
  });

  test('unknown fields of a token request are named, and its answer is not cached', async () => {
    const { body, headers } = await create({ user_id: 'ann', ttl_seconds: 60, scope: 'all' });
    expect(body.warnings).toEqual([expect.stringContaining('scope')]);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

test('requests with tokens count against the rate limit of the key that made them', async () => {
  await using limited = await openTestServer({ settings: { rate_limit: 3 } });
  const made = async (user_id: string) =>
    (await limited.post('/api/tokens', { user_id, ttl_seconds: 60 })).body.token;
  const tokens = [await made('ann'), await made('bob')];
  const statuses: number[] = [];
  for (const token of tokens) {
    const headers = { authorization: `Bearer ${token}` };
    statuses.push((await limited.call('POST', feedPath('popular'), {}, headers)).status);
  }
  expect(statuses).toEqual([200, 429]);
});
