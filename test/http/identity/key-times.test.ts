import { expect, test } from 'bun:test';
import { ManualClock } from '../../../src/clock.ts';
import { KeyRing } from '../../../src/http/identity/auth.ts';
import { editAt } from '../../support/edit.ts';
import { forFile, openTestServer, START } from '../../support/service.ts';
import { feedPath } from '../support.ts';

const server = await forFile(openTestServer());

const NO_LOG = { error: () => {} };

/** A new key, known to the server, and a request with it. */
async function newKey(expires_at?: number) {
  const { keys } = server.service.store;
  const { key_id, key } = await keys.create('acme', ['feed:read'], editAt(START), { expires_at });
  await server.keys.refresh();
  const authorization = `Bearer ${key}`;
  const ask = () => server.call('POST', feedPath('trending'), {}, { authorization });
  const lastUse = async () =>
    (await keys.list()).find((listed) => listed.key_id === key_id)?.last_used_at ?? undefined;
  return { authorization, ask, lastUse };
}

/** Lets the service store what it keeps in memory about keys, as it does twice a second. */
async function keepUp(): Promise<void> {
  server.keys.keepUp(NO_LOG);
  // Writes are carried out in order.
  await server.service.store.keys.noteUse([{ key_id: 'key_none', used_at: 1 }]);
}

test('an expired key is refused from the second of its expiry', async () => {
  server.clock.set(START);
  const { ask } = await newKey(START + 3_600);
  server.clock.set(START + 3_599.999);
  expect((await ask()).status).toBe(200);
  server.clock.set(START + 3_600);
  const { status, body } = await ask();
  expect(status).toBe(401);
  expect(body).toMatchObject({ code: 'unauthorized', detail: 'the key expired at 2026-01-01T01:00:00.000Z' });
});

test('the last use of a key is stored at most once a minute', async () => {
  server.clock.set(START + 10_000);
  const { ask, lastUse } = await newKey();
  await ask();
  expect(await lastUse()).toBeUndefined();
  await keepUp();
  expect(await lastUse()).toBe(START + 10_000);
  server.clock.set(START + 10_020);
  await ask();
  server.clock.set(START + 10_059);
  await keepUp();
  expect(await lastUse()).toBe(START + 10_000);
  server.clock.set(START + 10_060);
  await keepUp();
  expect(await lastUse()).toBe(START + 10_020);
});

test('a use that could not be stored is stored with the next write', async () => {
  const clock = new ManualClock(START + 20_000);
  const { authorization, lastUse } = await newKey();
  const { store } = server.service;
  let is_full = true;
  const noteUse: typeof store.keys.noteUse = async (uses) => {
    if (is_full) throw new Error('the disk is full');
    await store.keys.noteUse(uses);
  };
  const keys = new KeyRing(store, { clock, noteUse });
  await keys.refresh();
  keys.authenticate(new Headers({ authorization }));
  await keys.close();
  expect(await lastUse()).toBeUndefined();
  is_full = false;
  clock.advance(61);
  await keys.close();
  expect(await lastUse()).toBe(START + 20_000);
});

test('uses that are not stored yet are stored when the service stops', async () => {
  server.clock.set(START + 30_000);
  const { ask, lastUse } = await newKey();
  await ask();
  await keepUp();
  server.clock.set(START + 30_001);
  await ask();
  await server.keys.close();
  expect(await lastUse()).toBe(START + 30_001);
});
