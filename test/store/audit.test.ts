import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StoredFeed } from '../../src/store/stored-feed.ts';
import { editAt } from '../support/edit.ts';
import { ENGINES, optionsFor, withServing } from './engines.ts';

const ACTOR = 'cli:test';

for (const engine of ENGINES) {
  describe(`the audit log on ${engine.name}`, () => {
    test('lists changes to the feeds and keys of an account with actor and time, newest first', () =>
      withServing(engine, async ({ store: { feeds, keys, audit } }) => {
        const { key_id } = await keys.create('acme', ['feed:read'], editAt(10.5));
        await feeds.create('acme', 'a', { now: 20, actor: 'key_1' });
        await feeds.create('other', 'a', editAt(25));
        await feeds.replace('feed_1', 1, 'b', editAt(30));
        const imported: StoredFeed = {
          ...{ feed_id: 'feed_9', account: 'acme', revision: 4 },
          ...{ created_at: 1, updated_at: 1, content: 'a' },
        };
        await feeds.restore(imported, editAt(40));
        await feeds.delete('feed_1', editAt(50));
        await keys.revoke(key_id, editAt(60));
        const entries = [
          { at: 10.5, actor: ACTOR, action: 'key.create', object: key_id, revision: null },
          { at: 20, actor: 'key_1', action: 'feed.create', object: 'feed_1', revision: 1 },
          { at: 30, actor: ACTOR, action: 'feed.change', object: 'feed_1', revision: 2 },
          { at: 40, actor: ACTOR, action: 'feed.import', object: 'feed_9', revision: 4 },
          { at: 50, actor: ACTOR, action: 'feed.delete', object: 'feed_1', revision: null },
          { at: 60, actor: ACTOR, action: 'key.revoke', object: key_id, revision: null },
        ] as const;
        const ids = [1, 2, 4, 5, 6, 7];
        const whole = entries
          .map((entry, at) => ({ audit_id: ids[at], account: 'acme', ...entry }))
          .reverse();
        expect(await audit.entries('acme', 100, 0)).toEqual(whole);
        expect(await audit.entries('acme', 2, 1)).toEqual(whole.slice(1, 3));
        expect(await audit.entries('other', 100, 0)).toMatchObject([{ object: 'feed_2' }]);
        expect(await audit.entries('unknown', 100, 0)).toEqual([]);
      }));

    test('records nothing for changes that failed', () =>
      withServing(engine, async ({ store: { feeds, keys, audit } }) => {
        await feeds.create('acme', 'a', editAt(1));
        await feeds.replace('feed_1', 7, 'b', editAt(2));
        await feeds.delete('feed_2', editAt(2));
        await keys.revoke('key_unknown', editAt(2));
        const show = () => {
          throw new Error('stdout is closed');
        };
        await keys.create('acme', ['feed:read'], editAt(2), { show }).catch(() => {});
        expect(await audit.entries('acme', 100, 0)).toHaveLength(1);
      }));

    test('records keys that another process creates or revokes', () =>
      withServing(engine, async ({ store }, place) => {
        const beside = await openStore(optionsFor(place, { role: 'beside', command: 'keys' }));
        const { key_id } = await beside.keys.create('acme', ['feed:read'], editAt(1));
        await beside.close();
        expect(await store.audit.entries('acme', 1, 0)).toMatchObject([{ object: key_id }]);
      }));

    test('keeps the newest entries of an account up to the limit, and does not touch other accounts', () =>
      withServing(engine, async ({ store: { feeds, audit } }, place) => {
        const { audit_entries_max } = LIMITS;
        await feeds.create('other', 'a', editAt(1));
        await place.run(`
          insert into audit (audit_id, account, at, actor, action, object)
          with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n <= ${audit_entries_max})
          select n, 'acme', n, 'cli:test', 'feed.change', 'feed_1' from numbers`);
        await feeds.create('acme', 'a', editAt(99_000));
        await feeds.create('acme', 'a', editAt(99_001));
        const oldest = await audit.entries('acme', 10, audit_entries_max - 1);
        expect(oldest).toMatchObject([{ audit_id: 4 }]);
        expect(await audit.entries('acme', 1, 0)).toMatchObject([{ at: 99_001 }]);
        expect(await audit.entries('other', 10, 0)).toHaveLength(1);
      }));
  });
}
