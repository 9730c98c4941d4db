import { describe, expect } from 'bun:test';
import { hashKey, SCOPES, type Scope } from '../../src/store/keys.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { editAt } from '../support/edit.ts';
import { testServing as it, optionsFor, refusal, testPlace, withServing } from './engines.ts';

describe('keys', () => {
  it('are shown once and stored only as a hash', async ({ store, place }) => {
    const { key, key_id } = await store.keys.create('acme', ['feed:read'], editAt(100));
    expect(key).toMatch(/^fl_[A-Za-z0-9_-]{43}$/);
    const scopes = ['feed:read' as const];
    const known = { hash: hashKey(key), key_id, account: 'acme', scopes, name: null, expires_at: null };
    expect(await store.keys.all()).toEqual([known]);
    const rows = [...(await place.run('select * from api_keys')), ...(await place.run('select * from meta'))];
    expect(JSON.stringify(rows)).not.toContain(key.slice(3));
  });

  it('are listed oldest first with their account, name, scopes and times', async ({ store: { keys } }) => {
    const details = { name: 'a phone', expires_at: 900 };
    const first = await keys.create('acme', ['ingest:write', 'feed:read'], editAt(100.5), details);
    const second = await keys.create('acme', SCOPES, editAt(200));
    const third = await keys.create('other.account-1_x', ['config:write'], editAt(300));
    expect(await keys.revoke(second.key_id, editAt(400))).toBe(true);
    const plain = { name: null, expires_at: null, last_used_at: null, revoked_at: null };
    const scopes: Scope[] = ['feed:read', 'ingest:write'];
    expect(await keys.list()).toEqual([
      { ...plain, ...details, key_id: first.key_id, account: 'acme', scopes, created_at: 100.5 },
      {
        ...plain,
        key_id: second.key_id,
        account: 'acme',
        scopes: [...SCOPES],
        created_at: 200,
        revoked_at: 400,
      },
      {
        ...plain,
        key_id: third.key_id,
        account: 'other.account-1_x',
        scopes: ['config:write'],
        created_at: 300,
      },
    ]);
  });

  it('keep the latest time at which they were used', async ({ store: { keys } }) => {
    const used = await keys.create('acme', ['feed:read'], editAt(100));
    const unused = await keys.create('acme', ['feed:read'], editAt(200));
    await keys.noteUse([
      { key_id: used.key_id, used_at: 300.25 },
      { key_id: 'key_unknown', used_at: 300 },
    ]);
    await keys.noteUse([{ key_id: used.key_id, used_at: 250 }]);
    const listed = (await keys.list()).map(({ key_id, last_used_at }) => [key_id, last_used_at]);
    expect(listed).toEqual([
      [used.key_id, 300.25],
      [unused.key_id, null],
    ]);
  });

  it('store the use of more keys than fit one statement', async ({ store: { keys } }) => {
    const { key_id } = await keys.create('acme', ['feed:read'], editAt(100));
    const others = Array.from({ length: 1_200 }, (_, at) => ({ key_id: `key_${at}`, used_at: at }));
    await keys.noteUse([...others, { key_id, used_at: 5_000 }]);
    expect(await keys.list()).toMatchObject([{ key_id, last_used_at: 5_000 }]);
  });

  it('are refused with an empty name, one of several lines or columns, and a long one', async ({
    store: { keys },
  }) => {
    for (const name of ['', 'two\nlines', 'a\tcolumn', 'x'.repeat(101)]) {
      const refused = keys.create('acme', ['feed:read'], editAt(1), { name });
      expect(await refusal(refused)).toMatchObject({ code: 'invalid_value', errors: [{ path: '/name' }] });
    }
    expect(await keys.list()).toEqual([]);
  });

  it('are revoked once, and only if they exist', async ({ store: { keys } }) => {
    const { key_id } = await keys.create('acme', ['feed:read'], editAt(100));
    expect(await keys.revoke('key_unknown', editAt(150))).toBe(false);
    expect(await keys.revoke(key_id, editAt(200))).toBe(true);
    expect(await keys.revoke(key_id, editAt(300))).toBe(false);
    expect(await keys.all()).toEqual([]);
  });

  it('created or revoked by another process are seen and change the revision', async ({ store, place }) => {
    const beside = await openStore(optionsFor(place, { role: 'beside', command: 'keys' }));
    const before = await store.keys.revision();
    const { key, key_id } = await beside.keys.create('acme', ['feed:read'], editAt(100));
    const created = await store.keys.revision();
    expect(created).not.toBe(before);
    expect((await store.keys.all()).map(({ hash }) => hash)).toEqual([hashKey(key)]);
    await beside.keys.revoke(key_id, editAt(200));
    expect(await store.keys.revision()).not.toBe(created);
    expect(await store.keys.all()).toEqual([]);
    await beside.close();
  });

  testPlace(
    'come with lasting secrets for viewer tokens and for cursors, which differ between databases',
    async (place) => {
      const secretsOf = async (store: Store) => {
        const secrets = [await store.keys.tokenSecret(), await store.cursorSecret()];
        return secrets.map((secret) => Buffer.from(secret).toString('hex'));
      };
      const secrets: string[][] = [];
      for (let start = 0; start < 2; start++) {
        const store = await openStore(optionsFor(place));
        secrets.push(await secretsOf(store));
        await store.close();
      }
      for (const secret of secrets[0]) expect(secret).toMatch(/^[0-9a-f]{64}$/);
      expect(secrets[1]).toEqual(secrets[0]);
      await withServing(place.engine, async ({ store }) => {
        expect(new Set([...secrets[0], ...(await secretsOf(store))]).size).toBe(4);
      });
    },
  );

  testPlace('can be created before the first start of the service', async (place) => {
    const beside = await openStore(optionsFor(place, { role: 'beside', command: 'keys' }));
    await beside.keys.create('acme', ['feed:read'], editAt(100));
    await beside.close();
    const store = await openStore(optionsFor(place));
    expect(await store.keys.all()).toHaveLength(1);
    await store.close();
  });

  it('are refused for a bad account and without a scope', async ({ store: { keys } }) => {
    for (const account of ['', 'a b', 'a/b', 'é', 'x'.repeat(65)]) {
      const refused = keys.create(account, ['feed:read'], editAt(1));
      expect(await refusal(refused)).toMatchObject({ code: 'invalid_value' });
    }
    expect(await refusal(keys.create('acme', [], editAt(1)))).toMatchObject({ code: 'invalid_value' });
    expect(await keys.list()).toEqual([]);
  });
});
