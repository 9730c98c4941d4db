import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { openTestServer, START, type TestAnswer, type TestServer } from '../../support/service.ts';
import { feedPath, ingestPath } from '../support.ts';

const ITEM = { item_id: 'x', author_id: 'a', created_at: START - 10, text: 'hello' };

function run(dir: string, ...statements: string[]): void {
  const database = new Database(join(dir, 'feedloom.sqlite'));
  for (const statement of statements) database.run(statement);
  database.close();
}

test('a service whose data another process has taken over is not ready, and logs that', async () => {
  const server = await openTestServer({
    opening: { log: pino({}, { write: (line) => server.log.push(line) }) },
  });
  const ready = () => server.call('GET', '/readyz');
  expect((await ready()).status).toBe(200);
  run(server.dir, "update meta set value = 'of another' where name = 'fence'");
  for (const text of ['first', 'second']) {
    const { status, body } = await server.post(ingestPath('items'), { ...ITEM, text });
    expect([status, body.code]).toEqual([503, 'store_unavailable']);
    const { status: readiness, body: problem, headers } = await ready();
    expect([readiness, problem.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5']);
    expect(problem.detail).toContain('start the service again');
  }
  const event = {
    wallet_address: `0x${'1'.repeat(40)}`,
    item_id: `base.0x${'2'.repeat(40)}`,
    event_type: 'mint',
  };
  expect((await server.post('/base/events', event)).status).toBe(503);
  expect(readdirSync(server.dir).filter((name) => name.includes('wallets'))).toEqual([]);
  expect((await server.call('GET', '/healthz')).status).toBe(200);
  expect((await server.post(feedPath('popular'))).status).toBe(200);
  const said = server.log
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg?.includes('writes have stopped'));
  expect(said).toMatchObject([{ level: 50, cause: 'another process has taken the data over' }]);
  await server.close().catch(() => {});
});

/** Requests that need stored contents. */
const READERS: [string, (server: TestServer) => Promise<TestAnswer>][] = [
  ['a stored item', (server) => server.get(`${ingestPath('items')}/x`)],
  ['a stored user', (server) => server.get(`${ingestPath('users')}/a`)],
  ['a page with metadata', (server) => server.post(feedPath('popular'), { return_metadata: true })],
  ['a part of a known item', (server) => server.post(ingestPath('items'), { ...ITEM, text: 'new' })],
  ['a part of a known user', (server) => server.post(ingestPath('users'), { user_id: 'a', username: 'n' })],
];

test.each(READERS)('503 with Retry-After for %s while the store cannot be read', async (_, ask) => {
  await using server = await openTestServer();
  await server.post(ingestPath('items'), ITEM);
  await server.post(ingestPath('users'), { user_id: 'a', username: 'before' });
  run(server.dir, 'alter table items rename to hidden_items', 'alter table users rename to hidden_users');
  const { status, headers, body } = await ask(server);
  run(server.dir, 'alter table hidden_items rename to items', 'alter table hidden_users rename to users');
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5']);
  expect(body.detail).toContain('cannot be read');
  expect(server.log.join()).toContain('no such table');
  expect((await ask(server)).status).toBe(200);
});

test('a page that could not be sent is not recorded as seen', async () => {
  await using server = await openTestServer();
  const items = Array.from({ length: 10 }, (_, at) => ({ ...ITEM, item_id: `x${at}` }));
  await server.post(ingestPath('items'), items);
  await server.post(ingestPath('users'), { user_id: 'v' });
  const ask = () =>
    server.post(feedPath('popular'), {
      user_id: 'v',
      top_k: 5,
      impression_count: 5,
      return_metadata: true,
    });
  run(server.dir, 'alter table items rename to hidden_items');
  expect((await ask()).status).toBe(503);
  run(server.dir, 'alter table hidden_items rename to items');
  const shown: string[] = [];
  for (let page = 0; page < 2; page++)
    shown.push(...(await ask()).body.body.map(({ item_id }: { item_id: string }) => item_id));
  expect(shown.toSorted()).toEqual(items.map(({ item_id }) => item_id));
});
