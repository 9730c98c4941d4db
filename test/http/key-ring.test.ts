import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { KeyRing } from '../../src/http/auth.ts';
import { API_KEY, openTestServer, START, type TestServer } from '../support/service.ts';

/** Hashes of keys that were used are remembered, which must change nothing but the time that a request takes. */

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

let ring: KeyRing;
beforeEach(async () => {
  ring = new KeyRing(server.service.store, API_KEY, undefined, 2);
  await ring.refresh();
});

test('an empty key lets nobody in, wherever it comes from', async () => {
  const open = new KeyRing(server.service.store, '');
  await open.refresh();
  for (const header of [
    ['authorization', 'Basic Og=='],
    ['authorization', 'Basic '],
    ['x-api-key', ''],
  ] as const) {
    expect(() => open.authenticate(new Headers([[...header]]))).toThrow('key');
  }
});

const account = (key: string): string =>
  ring.authenticate(new Headers({ 'x-api-key': key }), 'feed:read').account;

test('a key has its account whether it was used before or not', async () => {
  const { key } = await server.service.store.keys.create('acme', ['feed:read'], START);
  await ring.refresh();
  for (let use = 0; use < 2; use++) expect([account(API_KEY), account(key)]).toEqual(['default', 'acme']);
  expect(ring.remembered).toBe(2);
});

test('a key that was used is refused once it is revoked, and forgotten', async () => {
  const { key_id, key } = await server.service.store.keys.create('acme', ['feed:read'], START);
  await ring.refresh();
  expect(account(key)).toBe('acme');
  await server.service.store.keys.revoke(key_id, START);
  await ring.refresh();
  expect(ring.remembered).toBe(0);
  expect(() => account(key)).toThrow('revoked');
});

test('unknown keys are not remembered', () => {
  for (const key of ['one', 'two', 'three']) expect(() => account(key)).toThrow('not known');
  expect(ring.remembered).toBe(0);
});

test('no more keys are remembered than may be', async () => {
  const { keys } = server.service.store;
  const created = await Promise.all(['a', 'b', 'c'].map((name) => keys.create(name, ['feed:read'], START)));
  await ring.refresh();
  for (const { key } of [...created, ...created]) {
    expect(account(key)).toMatch(/^[abc]$/);
    expect(ring.remembered).toBeLessThanOrEqual(2);
  }
});
