import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { folderWith } from '../interchange/support.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { freePort } from '../support/free-port.ts';
import { freshDatabase } from '../support/postgres.ts';
import { about, createData, doctor } from './doctor-support.ts';

afterAll(killAll);

const ITEM = { item_id: 'a', author_id: 'b', created_at: '2026-11-19T10:00:00Z', text: 'hello' };

async function ingest(address: string): Promise<void> {
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(`${address}/v2/farcaster/items`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ITEM),
  });
  expect(answer.status).toBe(200);
}

test('feedloom doctor beside a running service names it and reads at its own port whether it is ready', async () => {
  const data = folderWith({});
  const service = await startService(data);
  await ingest(service.address);
  const beside = await doctor(data, '--deep');
  expect([beside.code, ...about(beside, 'service')]).toEqual([
    0,
    expect.stringContaining(`ok 'feedloom serve' (pid ${service.pid})`),
    `ok ${service.address} serves feeds`,
  ]);
  expect(about(beside, 'database')).toContainEqual(expect.stringMatching(/a log of .* MB, no damage$/));
  await ingest(service.address);
  expect(await service.stop()).toBe(0);
  expect(about(await doctor(data), 'service')).toEqual(['ok none runs on this data']);
});

test('feedloom doctor does not take a killed service for a running one, and changes none of its files', async () => {
  const data = folderWith({});
  const service = await startService(data);
  await ingest(service.address);
  await service.crash();
  const before = readdirSync(data).sort();
  const found = await doctor(data);
  expect([found.code, ...about(found, 'service')]).toEqual([0, 'ok none runs on this data']);
  expect(readdirSync(data).sort()).toEqual(before);
  const again = await startService(data);
  expect(again.loaded.changes).toBeGreaterThan(0);
  await again.stop();
});

test('feedloom doctor warns of changes that are dated ahead of the clock', async () => {
  const data = folderWith({});
  const service = await startService(data, { env: { FEEDLOOM_NOW: '2090-01-01T00:00:00Z' } });
  await ingest(service.address);
  await service.stop();
  const found = await doctor(data);
  expect([found.code, ...about(found, 'clock')]).toEqual([
    0,
    'ok the file system has the same time',
    expect.stringMatching(/^warn stored changes of content are \d+ s ahead/),
  ]);
});

test('feedloom doctor examines a PostgreSQL server and the service on it', async () => {
  const data = folderWith({});
  const url = await freshDatabase();
  const empty = await doctor(data, '--database-url', url);
  expect([empty.code, ...about(empty, 'database')]).toEqual([
    0,
    expect.stringContaining('warn there is no data'),
  ]);
  await createData(data, '--database-url', url);
  const service = await startService(data, { env: { FEEDLOOM_DATABASE_URL: url } });
  await ingest(service.address);
  const found = await doctor(data, '--database-url', url);
  expect(about(found, 'database')).toEqual([
    expect.stringMatching(/^ok PostgreSQL \d+/),
    expect.stringContaining('ok synchronous_commit is '),
    expect.stringMatching(/max_connections gives roles \d+ connections, and \d+ are open$/),
  ]);
  expect(about(found, 'clock')).toContain('ok the database server has the same time');
  expect(about(found, 'service')).toEqual([
    expect.stringContaining(`ok 'feedloom serve' (pid ${service.pid})`),
    `ok ${service.address} serves feeds`,
  ]);
  await service.stop();
  expect(about(await doctor(data, '--database-url', url), 'service')).toEqual(['ok none runs on this data']);
});

test('feedloom doctor fails for an unreachable server, without its password', async () => {
  const data = folderWith({});
  const found = await doctor(data, '--database-url', `postgres://user:secret@127.0.0.1:${freePort()}/app`);
  expect([found.code, ...about(found, 'database')]).toEqual([
    1,
    expect.stringContaining("fail the PostgreSQL database 'app'"),
  ]);
  expect(JSON.stringify(found)).not.toContain('secret');
});
