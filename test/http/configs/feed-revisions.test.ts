import { expect, test } from 'bun:test';
import { editAt } from '../../support/edit.ts';
import { forFile, openTestServer, START, type TestAnswer } from '../../support/service.ts';
import { defaultAccount, expectRefused, newAccount, WHOLE } from '../config-support.ts';

const DAY_SECONDS = 86_400;
const server = await forFile(openTestServer());
const acme = await newAccount(server, 'acme');

const listOf = (config_id: string, { headers } = acme): Promise<TestAnswer> =>
  server.call('GET', `/api/feed/config/revisions?config_id=${config_id}`, undefined, headers);
const revisionOf = (config_id: string, revision: number, { headers } = acme): Promise<TestAnswer> =>
  server.call('GET', `/api/feed/config/revisions/${revision}?config_id=${config_id}`, undefined, headers);
const restore = (config_id: string, { headers } = acme): Promise<TestAnswer> =>
  server.call('POST', `/api/feed/config/restore?config_id=${config_id}`, undefined, headers);
const numbers = ({ body }: TestAnswer): number[] =>
  body.data.map(({ revision }: { revision: number }) => revision);

test('the revisions of a feed are listed newest first, with their time and the name of the key', async () => {
  const { key, key_id } = await server.service.store.keys.create('named', ['config:write'], editAt(START), {
    name: 'console',
  });
  await server.keys.refresh();
  const headers = { 'x-api-key': key };
  const { body } = await server.call('POST', '/api/feed/config', { name: 'A feed' }, headers);
  const { config_id } = body.data;
  server.clock.set(START + 10.5);
  await server.call('PATCH', '/api/feed/config', { config_id, name: 'Renamed' }, headers);
  const listed = await server.call(
    'GET',
    `/api/feed/config/revisions?config_id=${config_id}`,
    undefined,
    headers,
  );
  expect(listed.status).toBe(200);
  expect(listed.body.data).toEqual([
    { revision: 2, at: START + 10, actor: key_id, key_name: 'console' },
    { revision: 1, at: START, actor: key_id, key_name: 'console' },
  ]);
});

test('a feed can be read as it was at each of its revisions', async () => {
  const config_id = await acme.add(WHOLE);
  const first = (await acme.get(config_id)).body.data;
  await acme.set(config_id, { config: { top_k: 5 } });
  const second = (await acme.get(config_id)).body.data;
  expect((await revisionOf(config_id, 1)).body.data).toEqual(first);
  expect((await revisionOf(config_id, 2)).body.data).toEqual(second);
  expectRefused(await revisionOf(config_id, 3), 404, 'not_found');
});

test('the revisions of a feed are listed some at a time', async () => {
  const config_id = await acme.add();
  for (let revision = 2; revision <= 103; revision++) {
    server.clock.set(server.clock.now() + 60);
    await acme.set(config_id, { name: `Name ${revision}` });
  }
  expect(numbers(await listOf(config_id))).toEqual(Array.from({ length: 100 }, (_, at) => 103 - at));
  expect(numbers(await listOf(`${config_id}&limit=5&offset=100`))).toEqual([3, 2, 1]);
  expect((await revisionOf(config_id, 1)).status).toBe(200);
});

test('only the owner of a feed reads its revisions and restores it', async () => {
  const other = defaultAccount(server);
  const secret = await acme.add();
  const open = await acme.add({ visibility: 'public' });
  expectRefused(await listOf(secret, other), 404, 'not_found');
  expectRefused(await listOf(open, other), 403, 'forbidden');
  expectRefused(await revisionOf(open, 1, other), 403, 'forbidden');
  await acme.remove(open);
  for (const answer of [
    await listOf(open, other),
    await revisionOf(open, 1, other),
    await restore(open, other),
  ])
    expectRefused(answer, 404, 'not_found');
});

test('a deleted feed is restored as it was, with a new revision and its history', async () => {
  const config_id = await acme.add(WHOLE);
  await acme.set(config_id, { name: 'Renamed' });
  const before = (await acme.get(config_id)).body.data;
  await acme.remove(config_id);
  expect(numbers(await listOf(config_id))).toEqual([2, 1]);
  server.clock.set(START + 60);
  const { status, body, headers } = await restore(config_id);
  expect([status, body.message]).toEqual([200, `feed '${config_id}' restored`]);
  expect(headers.get('etag')).toBe('"4"');
  expect(body.data).toEqual({ ...before, revision: 4, updated_at: START + 60 });
  expect((await acme.get(config_id)).body.data).toEqual(body.data);
  expect(numbers(await listOf(config_id))).toEqual([4, 2, 1]);
  expect((await acme.ask('trending', { feed_id: config_id })).status).toBe(200);
  const audit = await server.call('GET', '/api/audit?limit=1', undefined, acme.headers);
  expect(audit.body.data).toMatchObject([{ action: 'feed.restore', object: config_id, revision: 4 }]);
  expect((await acme.set(config_id, { name: 'Again' })).revision).toBe(5);
});

test('deleted feeds are listed for their account while they can be restored', async () => {
  const owner = await newAccount(server, 'deleting');
  const other = await newAccount(server, 'not-deleting');
  const deleted = async () =>
    (await server.call('GET', '/api/feed/config/deleted', undefined, owner.headers)).body.data;
  expect(await deleted()).toEqual([]);
  const first = await owner.add({ name: 'First', endpoint: 'feeds/popular' });
  const second = await owner.add({ name: 'Second', endpoint: 'feeds/trending' });
  const at = server.clock.now();
  await owner.remove(first);
  server.clock.set(at + 5);
  await owner.remove(second);
  const entry = (config_id: string, name: string, endpoint: string, deleted_at: number) => ({
    ...{ config_id, name, endpoint, revision: 1, deleted_at: Math.floor(deleted_at) },
    restorable_until: Math.floor(deleted_at + 30 * DAY_SECONDS),
  });
  const [one, two] = [
    entry(first, 'First', 'feeds/popular', at),
    entry(second, 'Second', 'feeds/trending', at + 5),
  ];
  expect(await deleted()).toEqual([two, one]);
  const others = await server.call('GET', '/api/feed/config/deleted', undefined, other.headers);
  expect(others.body).toEqual({ data: [] });
  expect((await restore(second, owner)).status).toBe(200);
  expect(await deleted()).toEqual([one]);
  server.clock.set(at + 30 * DAY_SECONDS);
  expect(await deleted()).toEqual([]);
  server.clock.set(at + 10);
});

test('a feed that is not deleted, or was deleted 30 days ago, cannot be restored', async () => {
  const config_id = await acme.add();
  for (const id of [config_id, 'feed_99999', 'nonsense']) expectRefused(await restore(id), 404, 'not_found');
  await acme.remove(config_id);
  const deleted_at = server.clock.now();
  server.clock.set(deleted_at + 30 * DAY_SECONDS);
  expectRefused(await restore(config_id), 404, 'not_found');
  expectRefused(await listOf(config_id), 404, 'not_found');
  server.clock.set(deleted_at + 30 * DAY_SECONDS - 1);
  expect((await restore(config_id)).status).toBe(200);
});

test('the content of a deleted feed is removed from the tables once it cannot be restored', async () => {
  const config_id = await acme.add({ description: 'expiring text' });
  await acme.remove(config_id);
  const deleted_at = server.clock.now();
  await server.service.saved_feeds.forgetDeleted();
  expect((await listOf(config_id)).status).toBe(200);
  server.clock.set(deleted_at + 30 * DAY_SECONDS);
  await server.service.saved_feeds.forgetDeleted();
  expect(await server.service.store.feeds.revisions(config_id, 10, 0)).toEqual([]);
});

test('a restored feed counts against the quota of its account', async () => {
  await using small = await openTestServer({ settings: { quota_feeds: 1 } });
  const account = defaultAccount(small);
  const first = await account.add();
  await account.remove(first);
  await account.add();
  const refused = await small.call(
    'POST',
    `/api/feed/config/restore?config_id=${first}`,
    undefined,
    account.headers,
  );
  expectRefused(refused, 403, 'quota_exceeded');
});
