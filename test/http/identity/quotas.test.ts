import { afterEach, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import type { Settings } from '../../../src/settings.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openTestServer, START, type TestAnswer, type TestServer } from '../../support/service.ts';
import { type Account, defaultAccount, newAccount } from '../config-support.ts';
import { ingestPath } from '../support.ts';

/** Quotas of an account on shared resources. */

let server: TestServer;
let account: Account;
let other: Account;
afterEach(() => server.close());

async function open(settings: Partial<Settings> = {}, data?: string): Promise<void> {
  server = await openTestServer({ settings, data });
  account = defaultAccount(server);
  other = await newAccount(server, 'other');
}

function expectExceeded({ status, body }: TestAnswer, detail: string): void {
  expect([status, body.code, body.detail]).toEqual([403, 'quota_exceeded', expect.stringContaining(detail)]);
}

/** A configuration of about so many bytes. */
const sized = (bytes: number) => ({ name: 'x', config: { unused: 'x'.repeat(bytes) } });

test('an account may have 1,000 saved feeds by default', async () => {
  await open();
  expect(server.service.settings.quota_feeds).toBe(1_000);
});

test('an account saves as many feeds as its quota allows, independent of other accounts', async () => {
  await open({ quota_feeds: 2 });
  const [first] = [await account.add(), await account.add()];
  expectExceeded(await account.create({ name: 'x' }), 'has 2 saved feeds and may have 2');
  expect((await account.patch({ config_id: first, name: 'y' })).status).toBe(200);
  expect((await other.create({ name: 'x' })).status).toBe(201);
  expect((await account.remove(first)).status).toBe(200);
  expect((await account.create({ name: 'x' })).status).toBe(201);
  expectExceeded(await account.create({ name: 'x' }), 'may have 2');
});

test('feeds that are saved concurrently all count against the quota', async () => {
  await open({ quota_feeds: 5 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => account.create({ name: 'x' })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
});

test("the total size of an account's saved feeds is limited, and feeds may always become smaller", async () => {
  await open({ quota_feed_bytes: 10_000 });
  const large = await account.add(sized(8_000));
  expectExceeded(await account.create(sized(3_000)), 'may take 10000');
  const small = await account.add(sized(500));
  expectExceeded(await account.patch({ config_id: small, ...sized(3_000) }), 'may take 10000');
  expect((await account.patch({ config_id: small, ...sized(600) })).status).toBe(200);
  expect((await account.patch({ config_id: large, ...sized(1_000) })).status).toBe(200);
  expect((await account.create(sized(6_000))).status).toBe(201);
  expectExceeded(await account.create(sized(3_000)), 'may take 10000');
  expect((await other.create(sized(6_000))).status).toBe(201);
});

test('saved feeds count after a restart, and feeds above the quota stay', async () => {
  const data = temporaryFolder('quotas');
  await open({}, data);
  for (let at = 0; at < 3; at++) await account.add();
  await server.close();
  await open({ quota_feeds: 2 }, data);
  expectExceeded(await account.create({ name: 'x' }), 'has 3 saved feeds and may have 2');
  expect(await account.ids()).toEqual(['feed_3', 'feed_2', 'feed_1']);
});

test('a list has the newest hundred feeds by default, and reports how many are missing', async () => {
  await open();
  for (let at = 0; at < 103; at++) await account.add();
  const { body } = await account.list();
  expect(body.data).toHaveLength(LIMITS.feeds_listed_default);
  expect(body.data[0].config_id).toBe('feed_103');
  expect(body.warnings).toEqual(['3 more feeds are not listed; ask for them with limit and offset']);
  const asked = await account.list({ limit: 100 });
  expect([asked.body.data.length, asked.body.warnings]).toEqual([100, undefined]);
  const rest = await account.list({ offset: 100 });
  expect([rest.body.data.length, rest.body.warnings]).toEqual([3, undefined]);
  expect((await account.list({ limit: LIMITS.feeds_listed_max })).body.data).toHaveLength(103);
});

test('a list ends before it is too large, and reports where to continue', async () => {
  await open();
  const bytes = LIMITS.config_length_max - 100;
  const count = Math.ceil(LIMITS.answer_bytes_max / bytes) + 1;
  for (let at = 0; at < count; at++) await other.add({ ...sized(bytes), visibility: 'template' });
  const first = await account.list({ visibility: 'template' });
  const listed = first.body.data.length;
  expect(JSON.stringify(first.body).length).toBeLessThan(LIMITS.answer_bytes_max + 10_000);
  expect(first.body.warnings).toEqual([expect.stringContaining(`go on with offset ${listed}`)]);
  const rest = await account.list({ visibility: 'template', offset: listed });
  expect([...first.body.data, ...rest.body.data].map(({ config_id }) => config_id)).toEqual(
    Array.from({ length: count }, (_, at) => `feed_${count - at}`),
  );
  expect(rest.body.warnings).toBeUndefined();
});

const users = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ user_id: `u${from + at}` }));

test('an account may ingest as many records a day as its quota allows, of any kind', async () => {
  await open({ quota_records_per_day: 10 });
  const send = (path: string, records: unknown, of = account) =>
    server.call('POST', path, records, of.headers);
  expect((await send(ingestPath('users'), users(6))).status).toBe(200);
  const { seq } = server.service.state;
  const refused = await send(ingestPath('users'), users(5, 6));
  expectExceeded(refused, '5 records are more than the 4 that this account has left of its 10 a day');
  expect(refused.body.detail).toContain('2026-01-02T00:00:00Z');
  expect(server.service.state.seq).toBe(seq);
  const item_id = `base.0x${'1'.repeat(40)}`;
  expect((await send('/base/items', [{ item_id, name: 'T' }])).status).toBe(200);
  expect((await send(ingestPath('users'), users(3, 6))).status).toBe(200);
  expectExceeded(await send('/base/items', { item_id, name: 'U' }), 'the 0 that');
  expect((await send(ingestPath('users'), users(10), other)).status).toBe(200);
});

test('rejected records do not count against the quota, which is full again on the next day', async () => {
  await open({ quota_records_per_day: 3 });
  const send = (records: unknown) => server.post(ingestPath('users'), records);
  expect((await send([{ user_id: '' }, { user_id: 'a' }, 5])).body.accepted).toBe(1);
  expect((await send([{ user_id: '' }])).status).toBe(400);
  expect((await send(users(2))).status).toBe(200);
  expectExceeded(await send(users(1)), 'the 0 that');
  expect((await send([])).status).toBe(200);
  server.clock.set(START + 86_400 - 1);
  expectExceeded(await send(users(1)), 'the 0 that');
  server.clock.set(START + 86_400);
  expect((await send(users(3))).status).toBe(200);
});
