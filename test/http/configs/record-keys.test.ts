import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestServer, type TestServer } from '../../support/service.ts';
import { type Account, defaultAccount, newAccount } from '../config-support.ts';

let server: TestServer;
let account: Account;
beforeEach(async () => {
  server = await openTestServer();
  account = defaultAccount(server);
});
afterEach(() => server.close());

const feed = (rkey: unknown) => ({ name: 'x', config: { bluesky: { rkey } } });

function restore(config_id: string) {
  const path = `/api/feed/config/restore?config_id=${config_id}`;
  return server.call('POST', path, undefined, account.headers);
}

describe('config.bluesky.rkey', () => {
  test('a record key is saved without a warning', async () => {
    const { status, body } = await account.create(feed('home'));
    expect([status, body.warnings, body.data.config.bluesky]).toEqual([201, undefined, { rkey: 'home' }]);
  });

  test.each(['', '.', '..', 'a/b', 'a b', 'ä', 'a'.repeat(513), 7, { of: 'a' }])(
    'a record key that AT Protocol does not allow is refused: %p',
    async (rkey) => {
      const { status, body } = await account.create(feed(rkey));
      expect([status, body.errors?.[0]?.path]).toEqual([400, '/config/bluesky/rkey']);
      expect(body.detail).toContain('1 to 512 ASCII letters');
    },
  );

  test('a record key cannot be taken twice, not even by another account', async () => {
    const other = await newAccount(server, 'other');
    expect((await account.create(feed('home'))).status).toBe(201);
    for (const answer of [await account.create(feed('home')), await other.create(feed('home'))])
      expect([answer.status, answer.body.code]).toEqual([409, 'rkey_taken']);
    expect((await account.create(feed('Home'))).status).toBe(201);
  });

  test('a feed keeps its record key through changes, and gives it up when it loses it', async () => {
    await account.create(feed('home'));
    expect((await account.patch({ config_id: 'feed_1', name: 'y' })).status).toBe(200);
    expect((await account.create(feed('home'))).status).toBe(409);
    expect((await account.patch({ config_id: 'feed_1', ...feed('away') })).status).toBe(200);
    expect((await account.create(feed('home'))).status).toBe(201);
    const { status, body } = await account.patch({ config_id: 'feed_1', ...feed('home') });
    expect([status, body.code]).toEqual([409, 'rkey_taken']);
  });

  test('a deleted feed frees its record key, and cannot be restored while another has it', async () => {
    await account.create(feed('home'));
    await server.call('DELETE', '/api/feed/config?config_id=feed_1', undefined, account.headers);
    expect((await account.create(feed('home'))).status).toBe(201);
    const refused = await restore('feed_1');
    expect([refused.status, refused.body.code]).toEqual([409, 'rkey_taken']);
    await account.patch({ config_id: 'feed_2', ...feed('away') });
    expect((await restore('feed_1')).status).toBe(200);
    expect((await account.create(feed('home'))).status).toBe(409);
  });
});
