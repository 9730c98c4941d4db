import { expect, spyOn, test } from 'bun:test';
import { KeyRing } from '../../../src/http/identity/auth.ts';
import { editAt } from '../../support/edit.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { openTestServer, START } from '../../support/service.ts';

/** Keys that another process has created while the service runs. */

test('a key works in the first request after it was created', async () => {
  await using server = await openTestServer();
  const { keys } = server.service.store;
  for (const name of ['one', 'two']) {
    const { key } = await keys.create('acme', ['ingest:write'], editAt(START), { name });
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await server.call('POST', '/v2/farcaster/users', { user_id: name }, headers);
    expect([name, status]).toEqual([name, 200]);
  }
  const unknown = await server.call('GET', '/api/session', undefined, {
    authorization: 'Bearer fl_unknown',
  });
  expect([unknown.status, unknown.body.code]).toEqual([401, 'unauthorized']);
});

/** A ring whose store answers when the test lets it. */
function ringWithSlowStore() {
  const waiting: (() => void)[] = [];
  const timers = new ManualTimers();
  const revision = () => new Promise<number>((resolve) => waiting.push(() => resolve(0)));
  const keys = { revision, all: async () => [], tokenSecret: async () => 'secret' };
  const ring = new KeyRing({ keys } as never, { clock: { now: () => START }, timers });
  return { ring, waiting, timers };
}

test('requests with unknown keys share a read that began after they came, at most one every 10 ms', async () => {
  const { ring, waiting, timers } = ringWithSlowStore();
  const first = ring.refreshOnce();
  await Promise.resolve();
  expect(waiting.length).toBe(1);
  const later = [ring.refreshOnce(), ring.refreshOnce(), ring.refreshOnce()];
  await Promise.resolve();
  expect(waiting.length).toBe(1);
  waiting.shift()!();
  await first;
  await timers.pass(0.005);
  expect(waiting).toEqual([]);
  await timers.pass(0.005);
  waiting.shift()!();
  await Promise.all(later);
  expect(waiting).toEqual([]);
});

test('a request with an unknown key does not wait long for a store that does not answer', async () => {
  const { ring, timers } = ringWithSlowStore();
  const looking = ring.refreshOnce();
  await Promise.resolve();
  await timers.pass(1);
  await looking;
});

test('a request that comes while another one waits does not wait longer for a store that does not answer', async () => {
  const { ring, timers } = ringWithSlowStore();
  const first = ring.refreshOnce();
  await Promise.resolve();
  const second = ring.refreshOnce();
  await timers.pass(1);
  await Promise.all([first, second]);
});

test.each([undefined, '/prefix'])(
  'health checks with an unknown key do not ask the store (base path: %s)',
  async (base_path) => {
    await using server = await openTestServer({ settings: { base_path } });
    const asked = spyOn(server.service.store.keys, 'revision');
    const headers = { authorization: 'Bearer fl_unknown' };
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const { status } = await server.call('GET', `${base_path ?? ''}${path}`, undefined, headers);
      expect([path, status, asked.mock.calls.length]).toEqual([path, 200, 0]);
    }
  },
);

test('only texts that look like a key or a viewer token are looked for', () => {
  const { ring } = ringWithSlowStore();
  const asks = (authorization: string) => ring.hasUnknownKey(new Headers({ authorization }));
  expect(asks('Bearer fl_unknown')).toBe(true);
  expect(asks(`Basic ${btoa(':fl_unknown')}`)).toBe(true);
  expect(asks('Bearer flv1.claims.signature')).toBe(true);
  expect(asks('Bearer eyJhbGciOiJFUzI1NksifQ.e30.c2ln')).toBe(false);
  expect(asks('Bearer')).toBe(false);
  expect(ring.hasUnknownKey(new Headers())).toBe(false);
});
