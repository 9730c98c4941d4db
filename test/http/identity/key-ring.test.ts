import { beforeEach, expect, test } from 'bun:test';
import { KeyRing } from '../../../src/http/identity/auth.ts';
import type { Store } from '../../../src/store/store.ts';
import { editAt } from '../../support/edit.ts';
import { settled } from '../../support/manual-timers.ts';
import { API_KEY, forFile, openTestServer, START } from '../../support/service.ts';

/** The cache of key hashes must change only the duration of a request. */

const server = await forFile(openTestServer());

let ring: KeyRing;
beforeEach(async () => {
  ring = new KeyRing(server.service.store, { clock: server.clock, api_key: API_KEY, remembered_max: 2 });
  await ring.refresh();
});

test('an empty key is refused from every source', async () => {
  const open = new KeyRing(server.service.store, { clock: server.clock, api_key: '' });
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
  ring.authenticate(new Headers({ 'x-api-key': key }), { scope: 'feed:read' }).account;

test('a key has the same account on its first and later uses', async () => {
  const { key } = await server.service.store.keys.create('acme', ['feed:read'], editAt(START));
  await ring.refresh();
  for (let use = 0; use < 2; use++) expect([account(API_KEY), account(key)]).toEqual(['default', 'acme']);
  expect(ring.remembered).toBe(2);
});

test('a cached key is refused and evicted after it is revoked', async () => {
  const { key_id, key } = await server.service.store.keys.create('acme', ['feed:read'], editAt(START));
  await ring.refresh();
  expect(account(key)).toBe('acme');
  await server.service.store.keys.revoke(key_id, editAt(START));
  await ring.refresh();
  expect(ring.remembered).toBe(0);
  expect(() => account(key)).toThrow('revoked');
});

test('unknown keys are not cached', () => {
  for (const key of ['one', 'two', 'three']) expect(() => account(key)).toThrow('not known');
  expect(ring.remembered).toBe(0);
});

test('the number of cached keys is bounded', async () => {
  const { keys } = server.service.store;
  const created = await Promise.all(
    ['a', 'b', 'c'].map((name) => keys.create(name, ['feed:read'], editAt(START))),
  );
  await ring.refresh();
  for (const { key } of [...created, ...created]) {
    expect(account(key)).toMatch(/^[abc]$/);
    expect(ring.remembered).toBeLessThanOrEqual(2);
  }
});

test('keys are refreshed although an earlier query has not answered, and its late answer is ignored', async () => {
  const { store } = server.service;
  const { promise: late, resolve } = Promise.withResolvers<number>();
  let asked = 0;
  const revision = (): Promise<number> => (asked++ === 0 ? late : store.keys.revision());
  const keys = { ...store.keys, revision };
  const ring = new KeyRing({ keys } as unknown as Store, { clock: server.clock, api_key: API_KEY });
  const { key } = await store.keys.create('late', ['feed:read'], editAt(0));
  const failed: unknown[] = [];
  const log = { error: (fields: unknown) => void failed.push(fields) };
  for (let call = 0; call < 4; call++) ring.keepUp(log);
  expect(asked).toBe(1);
  ring.keepUp(log);
  expect(asked).toBe(2);
  const headers = new Headers({ 'x-api-key': key });
  await settled();
  expect(ring.authenticate(headers).account).toBe('late');
  resolve(0);
  await settled();
  expect(ring.authenticate(headers).account).toBe('late');
  expect(failed).toEqual([]);
});
