import { describe, expect, test } from 'bun:test';
import { hashKey, SCOPES } from '../../src/store/keys.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ENGINES, optionsFor, refusal, withPlace, withServing } from './engines.ts';

for (const engine of ENGINES) {
  describe(`keys on ${engine.name}`, () => {
    test('are shown once and stored as a hash only', () =>
      withServing(engine, async ({ store }, place) => {
        const { key, key_id } = await store.keys.create('acme', ['feed:read'], 100);
        expect(key).toMatch(/^fl_[A-Za-z0-9_-]{43}$/);
        const known = { hash: hashKey(key), key_id, account: 'acme', scopes: ['feed:read' as const] };
        expect(await store.keys.all()).toEqual([known]);
        const rows = [
          ...(await place.run('select * from api_keys')),
          ...(await place.run('select * from meta')),
        ];
        expect(JSON.stringify(rows)).not.toContain(key.slice(3));
      }));

    test('are listed oldest first with their account, scopes and times', () =>
      withServing(engine, async ({ store: { keys } }) => {
        const first = await keys.create('acme', ['ingest:write', 'feed:read'], 100.5);
        const second = await keys.create('acme', SCOPES, 200);
        const third = await keys.create('other.account-1_x', ['config:write'], 300);
        expect(await keys.revoke(second.key_id, 400)).toBe(true);
        const account = 'acme';
        expect(await keys.list()).toEqual([
          {
            key_id: first.key_id,
            account,
            scopes: ['feed:read', 'ingest:write'],
            created_at: 100.5,
            revoked_at: null,
          },
          { key_id: second.key_id, account, scopes: [...SCOPES], created_at: 200, revoked_at: 400 },
          {
            key_id: third.key_id,
            account: 'other.account-1_x',
            scopes: ['config:write'],
            created_at: 300,
            revoked_at: null,
          },
        ]);
      }));

    test('are revoked once, and only if they exist', () =>
      withServing(engine, async ({ store: { keys } }) => {
        const { key_id } = await keys.create('acme', ['feed:read'], 100);
        expect(await keys.revoke('key_unknown', 150)).toBe(false);
        expect(await keys.revoke(key_id, 200)).toBe(true);
        expect(await keys.revoke(key_id, 300)).toBe(false);
        expect(await keys.all()).toEqual([]);
      }));

    test('made or revoked by another process are seen, and announced by the revision', () =>
      withServing(engine, async ({ store }, place) => {
        const beside = await openStore(optionsFor(place, { role: 'beside', command: 'keys' }));
        const before = await store.keys.revision();
        const { key, key_id } = await beside.keys.create('acme', ['feed:read'], 100);
        const created = await store.keys.revision();
        expect(created).not.toBe(before);
        expect((await store.keys.all()).map(({ hash }) => hash)).toEqual([hashKey(key)]);
        await beside.keys.revoke(key_id, 200);
        expect(await store.keys.revision()).not.toBe(created);
        expect(await store.keys.all()).toEqual([]);
        await beside.close();
      }));

    test('can be made before the service has ever run', () =>
      withPlace(engine, async (place) => {
        const beside = await openStore(optionsFor(place, { role: 'beside', command: 'keys' }));
        await beside.keys.create('acme', ['feed:read'], 100);
        await beside.close();
        const store = await openStore(optionsFor(place));
        expect(await store.keys.all()).toHaveLength(1);
        await store.close();
      }));

    test.each(['', 'a b', 'a/b', 'é', 'x'.repeat(65)])("are refused for the account '%s'", (account) =>
      withServing(engine, async ({ store }) => {
        const refused = store.keys.create(account, ['feed:read'], 1);
        expect(await refusal(refused)).toMatchObject({ code: 'invalid_value' });
        expect(await store.keys.list()).toEqual([]);
      }),
    );

    test('are refused without a scope', () =>
      withServing(engine, async ({ store }) => {
        expect(await refusal(store.keys.create('acme', [], 1))).toMatchObject({ code: 'invalid_value' });
      }));
  });
}
