import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { LIMITS } from '../../src/limits.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { API_KEY, openTestServer, START, type TestServer } from '../support/service.ts';
import { ENGINES, refusal, withPlace } from './engines.ts';

const [sqlite, postgres] = ENGINES;
const USERS = '/v2/farcaster/users';
const AUTHORIZED = { authorization: `Bearer ${API_KEY}` };
const TOO_LONG_MS = LIMITS.store_patience_seconds * 1000 + 1;

/** A service with its clock, on a server that does not answer writes until it is released. */
interface Silence {
  server: TestServer;
  timers: ManualTimers;
  /** Sends a request, by default a user, and resolves when the write has reached the server. */
  send<T>(request: () => Promise<T>): Promise<{ answer: Promise<T> }>;
  pass(ms: number): void;
  end(): Promise<void>;
}

async function withSilence(work: (silence: Silence) => Promise<void>): Promise<void> {
  await withPlace(postgres, async ({ data, database_url }) => {
    let now_ms = 0;
    const timers = new ManualTimers();
    const opening = { monotonicMs: () => now_ms, timers };
    const server = await openTestServer({ data, settings: { database_url }, opening });
    expect((await server.post(USERS, [{ user_id: 'known' }])).status).toBe(200);
    const client = new SQL({ url: database_url, max: 1 });
    const other = await client.reserve();
    await other.unsafe('select pg_advisory_lock(7136101)');
    const send = async <T>(request: () => Promise<T>) => {
      const answer = request();
      while (server.service.store.queued_records === 0) await settled();
      await settled();
      return { answer };
    };
    const end = async () => {
      await other.unsafe('select pg_advisory_unlock(7136101)');
    };
    const pass = (ms: number) => {
      now_ms += ms;
    };
    try {
      await work({ server, timers, send, pass, end });
    } finally {
      other.release();
      await client.close({ timeout: 0 });
    }
  });
}

test('while the store does not answer, writes are refused and the service is not ready; afterwards all works again', () =>
  withSilence(async ({ server, send, pass, end }) => {
    const { answer } = await send(() => server.post(USERS, [{ user_id: 'first' }]));
    const ready = async () => (await server.call('GET', '/readyz')).status;
    pass(TOO_LONG_MS - 1);
    expect(await ready()).toBe(200);
    pass(1);
    expect(await ready()).toBe(503);
    expect((await server.call('GET', '/metrics')).body).toContain('feedloom_ready 0');
    const refused = await server.post(USERS, [{ user_id: 'second' }]);
    expect([refused.status, refused.body.code]).toEqual([503, 'store_unavailable']);
    expect(server.log.join()).toContain('"cause":["the store has not answered');
    const feed = { name: 'x', endpoint: 'casts/feed/popular' };
    const saved = await server.post('/api/feed/config', feed);
    expect([saved.status, saved.body.code]).toEqual([503, 'store_unavailable']);
    await end();
    expect((await answer).body).toMatchObject({ accepted: 1 });
    expect(await ready()).toBe(200);
    expect((await server.post(USERS, [{ user_id: 'second' }])).status).toBe(200);
    await server.close();
  }));

test('records that would wait behind an erasure are refused too while the store does not answer', () =>
  withSilence(async ({ server, send, pass, end }) => {
    const erasure = await send(() => server.call('DELETE', `${USERS}/known`, undefined, AUTHORIZED));
    pass(TOO_LONG_MS);
    const item = { item_id: 'i', author_id: 'a', created_at: START };
    for (const [kind, record] of Object.entries({ users: { user_id: 'b' }, items: item })) {
      const refused = await server.post(`/v2/farcaster/${kind}`, [record]);
      expect([kind, refused.status, refused.body.code]).toEqual([kind, 503, 'store_unavailable']);
    }
    await end();
    expect((await erasure.answer).status).toBe(200);
    expect((await server.post('/v2/farcaster/items', [item])).status).toBe(200);
    await server.close();
  }));

test('a stopping service waits no longer for a silent store than for one that answers', () =>
  withSilence(async ({ server, timers, send, pass }) => {
    const { answer } = await send(() => server.post(USERS, [{ user_id: 'first' }]));
    const closing = refusal(server.close());
    for (let pings = 0; pings < 10; pings++) await timers.pass(0.5);
    pass(TOO_LONG_MS);
    await timers.pass(1);
    expect((await answer).body).toMatchObject({ code: 'store_unavailable' });
    expect((await closing).message).toContain('the next start removes it');
  }));

test('the embedded database has no timeout', () =>
  withPlace(sqlite, async ({ data }) => {
    let now_ms = 0;
    await using server = await openTestServer({ data, opening: { monotonicMs: () => now_ms } });
    const other = new Database(databaseFile(data));
    other.run('begin immediate');
    const answer = server.post(USERS, [{ user_id: 'first' }]);
    while (server.service.store.queued_records === 0) await settled();
    await settled();
    now_ms = TOO_LONG_MS;
    expect((await server.call('GET', '/readyz')).status).toBe(200);
    other.run('rollback');
    other.close();
    expect((await answer).status).toBe(200);
  }));
