import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { LIMITS } from '../../src/limits.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { openTestServer, type TestServer } from '../support/service.ts';
import { ENGINES, refusal, withPlace } from './engines.ts';

const postgres = ENGINES[1];
const TOO_LONG_MS = LIMITS.store_patience_seconds * 1000 + 1;

/** A service and its time, on a server that does not answer what writes until it is let go on. */
interface Silence {
  server: TestServer;
  timers: ManualTimers;
  /** Sends a record, and resolves when the server has been asked to store it; `answer` is that to the request. */
  send(user_id: string): Promise<{ answer: ReturnType<TestServer['post']> }>;
  pass(ms: number): void;
  end(): Promise<void>;
}

async function withSilence(work: (silence: Silence) => Promise<void>): Promise<void> {
  await withPlace(postgres, async ({ data, database_url }) => {
    let now_ms = 0;
    const timers = new ManualTimers();
    const opening = { monotonicMs: () => now_ms, timers };
    const server = await openTestServer({ data, settings: { database_url }, opening });
    const client = new SQL({ url: database_url, max: 1 });
    const other = await client.reserve();
    await other.unsafe('select pg_advisory_lock(7136101)');
    const send = async (user_id: string) => {
      const answer = server.post('/v2/farcaster/users', [{ user_id }]);
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

test('while the store does not answer writes are refused and the service is not ready; then all goes on', () =>
  withSilence(async ({ server, send, pass, end }) => {
    const { answer } = await send('first');
    const ready = async () => (await server.call('GET', '/readyz')).status;
    pass(TOO_LONG_MS - 1);
    expect(await ready()).toBe(200);
    pass(1);
    expect(await ready()).toBe(503);
    expect((await server.call('GET', '/metrics')).body).toContain('feedloom_ready 0');
    const refused = await server.post('/v2/farcaster/users', [{ user_id: 'second' }]);
    expect([refused.status, refused.body.code]).toEqual([503, 'store_unavailable']);
    expect(server.log.join()).toContain('the store does not answer');
    await end();
    expect((await answer).body).toMatchObject({ accepted: 1 });
    expect(await ready()).toBe(200);
    expect((await server.post('/v2/farcaster/users', [{ user_id: 'second' }])).status).toBe(200);
    await server.close();
  }));

test('a service that ends waits for a store that does not answer no longer than for one that does', () =>
  withSilence(async ({ server, timers, send, pass }) => {
    const { answer } = await send('first');
    const closing = refusal(server.close());
    for (let looks = 0; looks < 10; looks++) await timers.pass(0.5);
    pass(TOO_LONG_MS);
    await timers.pass(1);
    expect((await answer).body).toMatchObject({ code: 'store_unavailable' });
    expect((await closing).message).toContain('the next start will');
  }));
