import { describe, expect } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { StoredFeed } from '../../src/store/stored-feed.ts';
import { editAt } from '../support/edit.ts';
import { testServing as it, optionsFor } from './engines.ts';

const ACTOR = 'cli:test';

/** Inserts so many changes that an actor gets no entries of its own for more. */
function manyEntries(account: string, actor: string, at: number): string {
  return `
    insert into audit (audit_id, account, at, actor, action, object, count)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${LIMITS.audit_entries_max})
    select n + 100, '${account}', ${at}, '${actor}', 'feed.create', 'feed_1', 1 from numbers`;
}

describe('the audit log', () => {
  it('lists changes to the feeds and keys of an account with actor and time, newest first', async ({
    store: { feeds, keys, audit },
  }) => {
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
      .map((entry, at) => ({ audit_id: ids[at], account: 'acme', ...entry, count: 1 }))
      .reverse();
    expect(await audit.entries('acme', 100, 0)).toEqual(whole);
    expect(await audit.entries('acme', 2, 1)).toEqual(whole.slice(1, 3));
    expect(await audit.entries('other', 100, 0)).toMatchObject([{ object: 'feed_2' }]);
    expect(await audit.entries('unknown', 100, 0)).toEqual([]);
  });

  it('records nothing for changes that failed', async ({ store: { feeds, keys, audit } }) => {
    await feeds.create('acme', 'a', editAt(1));
    await feeds.replace('feed_1', 7, 'b', editAt(2));
    await feeds.delete('feed_2', editAt(2));
    await keys.revoke('key_unknown', editAt(2));
    const show = () => {
      throw new Error('stdout is closed');
    };
    await keys.create('acme', ['feed:read'], editAt(2), { show }).catch(() => {});
    expect(await audit.entries('acme', 100, 0)).toHaveLength(1);
  });

  it('records keys that another process creates or revokes', async ({ store, place }) => {
    const beside = await openStore(optionsFor(place, { role: 'beside', command: 'keys' }));
    const { key_id } = await beside.keys.create('acme', ['feed:read'], editAt(1));
    await beside.close();
    expect(await store.audit.entries('acme', 1, 0)).toMatchObject([{ object: key_id }]);
  });

  it('counts changes of one object by one actor within a minute in one entry', async ({
    store: { feeds, audit },
  }) => {
    await feeds.create('acme', 'a', editAt(60));
    await feeds.replace('feed_1', 1, 'b', editAt(61));
    await feeds.create('acme', 'a', editAt(62));
    await feeds.replace('feed_1', 2, 'c', { now: 63, actor: 'key_1' });
    await feeds.replace('feed_1', 3, 'd', editAt(119.5));
    await feeds.replace('feed_1', 4, 'e', editAt(120));
    const entries = await audit.entries('acme', 100, 0);
    expect(
      entries.map(({ at, actor, object, revision, count }) => [at, actor, object, revision, count]),
    ).toEqual([
      [120, ACTOR, 'feed_1', 5, 1],
      [119.5, ACTOR, 'feed_1', 4, 2],
      [63, 'key_1', 'feed_1', 3, 1],
      [62, ACTOR, 'feed_2', 1, 1],
      [60, ACTOR, 'feed_1', 1, 1],
    ]);
  });

  it('an actor with very many entries gets one a day for each action, and displaces no others', async ({
    store: { feeds, keys, audit },
    place,
  }) => {
    const now = LIMITS.audit_kept_seconds;
    const { key_id } = await keys.create('acme', ['config:write'], editAt(now - 1_000));
    await place.run(manyEntries('acme', 'key_1', now - 900));
    const create = (at: number, actor = 'key_1') => feeds.create('acme', 'a', { now: at, actor });
    for (let at = 0; at < 5; at++) await create(now + at * 60);
    await create(now + 300, 'key_2');
    await create(now + 360, 'key_2');
    await create(now + 86_400);
    await feeds.forget(editAt(now + 86_400));
    const entries = await audit.entries('acme', 5, 0);
    expect(entries.map(({ actor, object, count }) => [actor, object, count])).toEqual([
      ['key_1', 'feed_8', 1],
      ['key_2', 'feed_7', 1],
      ['key_2', 'feed_6', 1],
      ['key_1', 'feed_5', 5],
      ['key_1', 'feed_1', 1],
    ]);
    const [first] = (await audit.entries('acme', 100_000, LIMITS.audit_entries_max)).slice(-1);
    expect(first).toMatchObject({ action: 'key.create', object: key_id });
  });

  it('old entries stay as long as an account has few later ones of their kind', async ({
    store: { feeds, keys, audit },
    place,
  }) => {
    await keys.create('acme', ['config:write'], editAt(1));
    await feeds.create('acme', 'a', editAt(2));
    await feeds.create('other', 'a', editAt(3));
    await place.run(manyEntries('acme', 'key_1', 100));
    const kept = async (now: number) => {
      await feeds.forget(editAt(now));
      const { length } = await audit.entries('acme', 100_000, 0);
      return [length, (await audit.entries('other', 10, 0)).length];
    };
    const { audit_entries_max, audit_kept_seconds } = LIMITS;
    expect(await kept(1 + audit_kept_seconds)).toEqual([audit_entries_max + 2, 1]);
    expect(await kept(2 + audit_kept_seconds)).toEqual([audit_entries_max + 1, 1]);
    const [oldest] = await audit.entries('acme', 1, audit_entries_max);
    expect(oldest).toMatchObject({ action: 'key.create' });
  });
});
