import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { openTestServer, type TestServer } from '../../support/service.ts';
import { type Account, defaultAccount, expectRefused, newAccount } from '../config-support.ts';

let server: TestServer;
let account: Account;
beforeEach(async () => {
  server = await openTestServer();
  account = defaultAccount(server);
});
afterEach(() => server.close());

describe('another account', () => {
  test('a private feed of another account is answered like one that does not exist', async () => {
    const other = await newAccount(server, 'acme');
    await account.add({ config: { filters: { channels: ['x'] } } });
    for (const [mine, missing] of [
      [await other.get('feed_1'), await other.get('feed_9')],
      [await other.patch({ config_id: 'feed_1' }), await other.patch({ config_id: 'feed_9' })],
      [await other.remove('feed_1'), await other.remove('feed_9')],
      [
        await other.ask('for-you', { user_id: 'v', feed_id: 'feed_1' }),
        await other.ask('for-you', { user_id: 'v', feed_id: 'feed_9' }),
      ],
    ]) {
      expectRefused(mine, 404, 'not_found');
      const text = JSON.stringify(mine.body).replaceAll('feed_1', 'feed_9');
      expect(text).toBe(JSON.stringify(missing.body));
    }
    await account.set('feed_1', { status: 'inactive', endpoint: 'casts/feed/popular' });
    const asked = await other.ask('for-you', { user_id: 'v', feed_id: 'feed_1' });
    expect(asked.body.detail).toBe("there is no feed 'feed_1'");
  });

  test('public feeds and templates of another account can be read and built, but not changed', async () => {
    const other = await newAccount(server, 'acme');
    for (const visibility of ['public', 'template']) {
      const config_id = await account.add({ visibility });
      const { body, headers } = await account.get(config_id);
      const seen = await other.get(config_id);
      expect([seen.status, seen.headers.get('etag'), seen.body]).toEqual([200, headers.get('etag'), body]);
      expect(await other.page('for-you', { user_id: 'v', feed_id: config_id })).toEqual([]);
      expectRefused(await other.patch({ config_id, name: 'mine' }), 403, 'forbidden');
      expectRefused(await other.patch({ config_id, name: 5 }, { 'if-match': '"9"' }), 403, 'forbidden');
      expectRefused(await other.remove(config_id), 403, 'forbidden');
      expect((await account.get(config_id)).body).toEqual(body);
    }
  });

  test('a burst of changes by another account is refused and delays no owner', async () => {
    const other = await newAccount(server, 'acme');
    const burst = Array.from({ length: LIMITS.turns_waiting_max + 2 }, () => account.create({ name: 'x' }));
    const others = Array.from({ length: 3 }, () => other.create({ name: 'y' }));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 201, 201]);
    const answers = await Promise.all(burst);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(1);
    expectRefused(refused[0], 503, 'overloaded');
    expect(refused[0].headers.get('retry-after')).toBe('1');
    const waiting = `${LIMITS.turns_waiting_max} changes of this account's feeds are already waiting`;
    expect(refused[0].body.detail).toBe(`${waiting}; wait for their answers`);
    expect((await account.create({ name: 'z' })).status).toBe(201);
    // Each account has had its turn after every one of the other's changes, not after all of them.
    const ids = (await Promise.all(others)).map(({ body }) => Number(body.data.config_id.split('_')[1]));
    expect(Math.max(...ids)).toBeLessThan(10);
  });

  test('a feed that becomes private disappears for other accounts', async () => {
    const other = await newAccount(server, 'acme');
    await account.add({ visibility: 'public' });
    await account.set('feed_1', { visibility: 'private' });
    expectRefused(await other.get('feed_1'), 404, 'not_found');
    await account.set('feed_1', { visibility: 'template' });
    expect((await other.get('feed_1')).status).toBe(200);
  });
});
