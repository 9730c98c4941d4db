import { expect } from 'bun:test';
import { SQL } from 'bun';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { API_KEY, openTestServer, START, type TestAnswer, type TestServer } from '../support/service.ts';

/** Support for tests of reads from a PostgreSQL server that may not answer. */

export const KEY = { authorization: `Bearer ${API_KEY}` };
export const ITEM = { item_id: 'i', author_id: 'a', created_at: START - 10, text: 'hello' };

/** Opens a service with an item, and its clock. */
export async function openOn({ data, database_url }: { data: string; database_url?: string }) {
  const timers = new ManualTimers();
  const server = await openTestServer({ data, settings: { database_url }, opening: { timers } });
  expect((await server.post('/v2/farcaster/items', [ITEM])).status).toBe(200);
  return { server, timers };
}

export const get = (server: TestServer, path: string) => server.call('GET', path, undefined, KEY);
export const stored = (server: TestServer) => get(server, '/v2/farcaster/items/i');

export function unreadable({ status, body, headers }: TestAnswer): void {
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5']);
  expect(body.detail).toContain('cannot be read');
}

/** Sends a request and resolves when the query has reached the server. */
export async function asked<T>(ask: () => Promise<T>): Promise<{ answer: Promise<T> }> {
  const answer = ask();
  await settled();
  return { answer };
}

/** Locks the items' table from another session until the returned function is called. */
export async function lockItems({ database_url }: { database_url?: string }): Promise<() => Promise<void>> {
  const client = new SQL({ url: database_url, max: 1 });
  const other = await client.reserve();
  await other.unsafe('begin');
  await other.unsafe('lock table items in access exclusive mode');
  return async () => {
    await other.unsafe('rollback');
    other.release();
    await client.close();
  };
}
