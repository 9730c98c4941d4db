import { afterEach, beforeEach, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { type Account, defaultAccount, newAccount } from '../http/config-support.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** An account takes the record key on Bluesky that a feed of another account gave up, and with it the followers. */

let server: TestServer;
let owner: Account;
let attacker: Account;
beforeEach(async () => {
  server = await openTestServer();
  owner = defaultAccount(server);
  attacker = await newAccount(server, 'attacker');
});
afterEach(() => server.close());

const feed = (rkey: string) => ({ name: 'x', config: { bluesky: { rkey } } });

const restore = (config_id: string) =>
  server.call('POST', `/api/feed/config/restore?config_id=${config_id}`, undefined, owner.headers);

test('the record key of a deleted feed is kept for its account for thirty days', async () => {
  const { config_id } = (await owner.create(feed('home'))).body.data;
  await owner.remove(config_id);
  const refused = await attacker.create(feed('home'));
  expect([refused.status, refused.body.code]).toEqual([409, 'rkey_taken']);
  expect(refused.body.detail).toContain("had the record key 'home' in the last 30 days");
  const other = await attacker.add(feed('other'));
  expect((await attacker.patch({ config_id: other, ...feed('home') })).status).toBe(409);
  expect((await restore(config_id)).status).toBe(200);
  // The controls: the account itself may use its key, and others may later.
  await owner.remove(config_id);
  const { config_id: next } = (await owner.create(feed('home'))).body.data;
  await owner.remove(next);
  server.clock.set(server.clock.now() + LIMITS.feed_restore_seconds);
  expect((await attacker.create(feed('home'))).status).toBe(201);
});

test('the record key that a feed exchanged is kept for its account', async () => {
  const { config_id } = (await owner.create(feed('home'))).body.data;
  await owner.patch({ config_id, ...feed('away') });
  expect((await attacker.create(feed('home'))).status).toBe(409);
  expect((await owner.patch({ config_id, ...feed('home') })).status).toBe(200);
  expect((await attacker.create(feed('away'))).status).toBe(409);
});
