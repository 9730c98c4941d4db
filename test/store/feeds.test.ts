import { describe, expect } from 'bun:test';
import { openStore } from '../../src/store/open-store.ts';
import type { StoredFeed } from '../../src/store/stored-feed.ts';
import { editAt } from '../support/edit.ts';
import { follow } from './changes.ts';
import { testServing as it, optionsFor, type Place, refusal, serve, stored, testPlace } from './engines.ts';
import { undoMigrations } from './former-version.ts';

/** Opens a serving store, runs `work` with it and closes it. */
async function visit<T>(
  place: Place,
  work: (store: Awaited<ReturnType<typeof serve>>['store']) => Promise<T>,
) {
  const { store } = await serve(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A feed as another store might have exported it. */
function elsewhere(feed_id: string, given: Partial<StoredFeed> = {}): StoredFeed {
  return {
    ...{ feed_id, account: 'acme', revision: 4, created_at: 100.25, updated_at: 200.5, content: 'a' },
    ...given,
  };
}

describe('feeds', () => {
  it('are numbered from 1 and returned as stored, oldest first', async ({ store: { feeds } }) => {
    const content = JSON.stringify({ name: 'Müsik \u0000 "🎵" \ud83d', config: { nested: [1, null] } });
    const first = await feeds.create('acme', content, editAt(100.25));
    const second = await feeds.create('other', '{}', editAt(200));
    const times = { created_at: 100.25, updated_at: 100.25 };
    expect(first).toEqual({ feed_id: 'feed_1', account: 'acme', revision: 1, ...times, content });
    expect(second.feed_id).toBe('feed_2');
    expect(await feeds.all()).toEqual([first, second]);
  });

  it('are read by their last change, some at a time, and deleted ones are named', async ({
    store: { feeds },
  }) => {
    for (let at = 0; at < 12; at++) await feeds.create('acme', 'a', editAt(100));
    await feeds.replace('feed_2', 1, 'b', editAt(200));
    await feeds.replace('feed_2', 7, 'refused', editAt(200));
    const first = await feeds.changed(0, false);
    expect([first.saved.length, first.until, first.is_last]).toEqual([10, 11, false]);
    const second = await feeds.changed(first.until, false);
    expect(second.saved.map(({ feed_id, content }) => [feed_id, content])).toEqual([
      ['feed_12', 'a'],
      ['feed_2', 'b'],
    ]);
    expect([second.until, second.is_last]).toEqual([13, true]);
    await feeds.delete('feed_3', editAt(300));
    await feeds.undelete('feed_3', editAt(400));
    await feeds.delete('feed_4', editAt(500));
    const third = await feeds.changed(second.until, true);
    expect(third).toMatchObject({ saved: [{ feed_id: 'feed_3' }], deleted: ['feed_4'], until: 16 });
    const unknown = await feeds.changed(0, false);
    expect([unknown.deleted, (await feeds.changed(16, true)).saved]).toEqual([[], []]);
  });

  testPlace(
    'from before changes were numbered are numbered by a migration, and later changes count on',
    async (place) => {
      await visit(place, async ({ feeds }) => {
        for (let at = 0; at < 3; at++) await feeds.create('acme', 'a', editAt(100));
        await feeds.delete('feed_2', editAt(200));
      });
      await undoMigrations(place, '0025');
      await visit(place, async ({ feeds }) => {
        const migrated = await feeds.changed(0, false);
        expect(migrated.saved.map(({ feed_id }) => feed_id)).toEqual(['feed_1', 'feed_3']);
        await feeds.replace('feed_1', 1, 'b', editAt(300));
        const later = await feeds.changed(migrated.until, true);
        expect(later).toMatchObject({ saved: [{ feed_id: 'feed_1' }], deleted: [], is_last: true });
      });
    },
  );

  it('are replaced at the expected revision only, which then counts up', async ({ store: { feeds } }) => {
    await feeds.create('acme', 'a', editAt(100));
    const kept = { feed_id: 'feed_1', account: 'acme', created_at: 100 };
    const second: StoredFeed = { ...kept, revision: 2, updated_at: 200.5, content: 'b' };
    expect(await feeds.replace('feed_1', 1, 'b', editAt(200.5))).toEqual(second);
    expect(await feeds.replace('feed_1', 1, 'c', editAt(300))).toBeUndefined();
    expect(await feeds.replace('feed_1', 3, 'c', editAt(300))).toBeUndefined();
    expect(await feeds.all()).toEqual([second]);
    expect(await feeds.replace('feed_1', 2, 'd', editAt(400))).toMatchObject({ revision: 3, content: 'd' });
  });

  it('are changed by only one of two concurrent changes', async ({ store: { feeds } }) => {
    await feeds.create('acme', 'a', editAt(100));
    const both = [feeds.replace('feed_1', 1, 'b', editAt(200)), feeds.replace('feed_1', 1, 'c', editAt(200))];
    const results = await Promise.all(both);
    expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    expect(await feeds.all()).toMatchObject([{ revision: 2 }]);
  });

  it('are deleted once, together with their content', async ({ store: { feeds }, place }) => {
    await feeds.create('acme', 'secret content', editAt(100));
    expect(await feeds.delete('feed_1', editAt(200))).toBe(true);
    expect(await feeds.delete('feed_1', editAt(300))).toBe(false);
    expect(await feeds.replace('feed_1', 2, 'x', editAt(300))).toBeUndefined();
    expect(await feeds.all()).toEqual([]);
    expect(JSON.stringify(await place.run('select * from feeds'))).not.toContain('secret');
  });

  it('are found only under their own id', async ({ store: { feeds } }) => {
    const feed = await feeds.create('acme', 'a', editAt(100));
    const others = ['feed_2', 'feed_0', 'feed_01', 'feed_', 'feed_1 ', 'FEED_1', '1', '', 'feed_9999999999'];
    for (const feed_id of [...others, 'feed_1e0', 'feed_2147483648', `feed_${'1'.repeat(400)}`]) {
      expect(await feeds.replace(feed_id, 1, 'b', editAt(200))).toBeUndefined();
      expect(await feeds.delete(feed_id, editAt(200))).toBe(false);
    }
    expect(await feeds.all()).toEqual([feed]);
  });

  it('get different ids when many are created concurrently', async ({ store: { feeds } }) => {
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const created = await Promise.all(
      numbers.map((number) => feeds.create('acme', `${number}`, editAt(number))),
    );
    expect(created.map(({ feed_id }) => feed_id)).toEqual(numbers.map((number) => `feed_${number}`));
    expect(await feeds.all()).toEqual(created);
  });

  testPlace('never reuse an id, even after a deletion or a restart', async (place) => {
    await visit(place, async ({ feeds }) => {
      for (const content of ['a', 'b', 'c']) await feeds.create('acme', content, editAt(1));
      await feeds.delete('feed_2', editAt(2));
      await feeds.delete('feed_3', editAt(2));
    });
    const kept = await visit(place, async ({ feeds }) => {
      expect((await feeds.create('acme', 'd', editAt(3))).feed_id).toBe('feed_4');
      await feeds.delete('feed_4', editAt(4));
      expect((await feeds.create('acme', 'e', editAt(5))).feed_id).toBe('feed_5');
      return feeds.all();
    });
    expect(kept.map(({ feed_id }) => feed_id)).toEqual(['feed_1', 'feed_5']);
    expect(await visit(place, ({ feeds }) => feeds.all())).toEqual(kept);
  });

  it('are restored with their ids, and feeds created later get higher ids', async ({ store: { feeds } }) => {
    const restored = [
      elsewhere('feed_3'),
      elsewhere('feed_7', { account: 'other', content: JSON.stringify('\u0000 "🎵" \ud83d') }),
    ];
    expect(await feeds.restore!(restored[1], editAt(400))).toBe(true);
    expect(await feeds.restore!(restored[0], editAt(400))).toBe(true);
    expect(await feeds.all()).toEqual(restored);
    expect((await feeds.create('acme', 'b', editAt(300))).feed_id).toBe('feed_8');
    expect(await feeds.restore!(elsewhere('feed_5'), editAt(400))).toBe(true);
    expect((await feeds.create('acme', 'c', editAt(300))).feed_id).toBe('feed_9');
    expect(await feeds.replace('feed_3', 4, 'd', editAt(400))).toMatchObject({
      revision: 5,
      created_at: 100.25,
    });
  });

  it('are restored over an earlier revision of the same account only', async ({ store: { feeds } }) => {
    const feed = elsewhere('feed_1');
    expect(await feeds.restore!(feed, editAt(400))).toBe(true);
    const stale: Partial<StoredFeed>[] = [
      {},
      { content: 'other', updated_at: 999 },
      { revision: 3, content: 'other' },
      { revision: 9, account: 'other' },
    ];
    for (const given of stale)
      expect(await feeds.restore!(elsewhere('feed_1', given), editAt(400))).toBe(false);
    expect(await feeds.all()).toEqual([feed]);
    const later = elsewhere('feed_1', { revision: 5, content: 'b', created_at: 50, updated_at: 300 });
    expect(await feeds.restore!(later, editAt(400))).toBe(true);
    expect(await feeds.all()).toEqual([later]);
    expect((await feeds.create('acme', 'c', editAt(300))).feed_id).toBe('feed_2');
  });

  it('are not restored after they were deleted', async ({ store: { feeds } }) => {
    await feeds.restore!(elsewhere('feed_2'), editAt(400));
    await feeds.delete('feed_2', editAt(300));
    expect(await feeds.restore!(elsewhere('feed_2', { revision: 99 }), editAt(400))).toBe(false);
    expect(await feeds.all()).toEqual([]);
    expect((await feeds.create('acme', 'a', editAt(300))).feed_id).toBe('feed_3');
  });

  it('are not restored under an invalid id', async ({ store: { feeds } }) => {
    for (const feed_id of ['feed_0', 'feed_', '', 'feed_2147483648']) {
      expect(await feeds.restore!(elsewhere(feed_id), editAt(400))).toBe(false);
    }
    expect((await feeds.create('acme', 'a', editAt(1))).feed_id).toBe('feed_1');
  });

  it('can be created and changed after a feed with the highest restorable id and revision', async ({
    store: { feeds },
  }) => {
    const highest = elsewhere('feed_2000000000', { revision: 2_000_000_000 });
    expect(await feeds.restore(highest, editAt(400))).toBe(true);
    const beyond = [elsewhere('feed_2000000001'), elsewhere('feed_1', { revision: 2_000_000_001 })];
    for (const feed of [...beyond, elsewhere('feed_2147483647')])
      expect(await feeds.restore(feed, editAt(400))).toBe(false);
    const { feed_id } = await feeds.create('acme', 'a', editAt(1));
    expect(feed_id).toBe('feed_2000000001');
    expect(await feeds.replace(feed_id, 1, 'b', editAt(2))).toMatchObject({ revision: 2, content: 'b' });
    const changed = await feeds.replace(highest.feed_id, highest.revision, 'b', editAt(2));
    expect(changed).toMatchObject({ revision: 2_000_000_001, content: 'b' });
    expect(await feeds.delete(feed_id, editAt(3))).toBe(true);
  });

  it('are written between changes and do not affect their numbering', async ({ store }) => {
    const written = Array.from({ length: 10 }, (_, index) => [
      store.submit([follow(index, index + 1)]),
      store.feeds.create('acme', `${index}`, editAt(index)),
    ]);
    await Promise.all([...written.flat(), store.purge()]);
    expect((await stored(store)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await store.feeds.all()).toHaveLength(10);
  });

  it('are refused with store_unavailable when they cannot be written, and nothing is stored', async ({
    store,
    store: { feeds },
    place,
  }) => {
    await feeds.create('acme', 'a', editAt(100));
    await place.run('alter table feeds rename to hidden');
    const writes = [
      feeds.create('acme', 'b', editAt(2)),
      feeds.replace('feed_1', 1, 'b', editAt(2)),
      feeds.delete('feed_1', editAt(2)),
      feeds.restore!(elsewhere('feed_9'), editAt(400)),
    ];
    for (const write of writes) {
      expect(await refusal(write)).toMatchObject({ code: 'store_unavailable', retry_after_seconds: 5 });
    }
    await place.run('alter table hidden rename to feeds');
    expect(await feeds.all()).toMatchObject([{ feed_id: 'feed_1', revision: 1, content: 'a' }]);
    expect((await feeds.create('acme', 'b', editAt(200))).feed_id).toBe('feed_2');
    await store.submit([follow(1, 2)]);
  });

  it('can be read but not written by a second process', async ({ store, place }) => {
    const feed = await store.feeds.create('acme', 'a', editAt(100));
    const beside = await openStore(optionsFor(place, { role: 'beside', command: 'export' }));
    expect(await beside.feeds.all()).toEqual([feed]);
    expect((await refusal(beside.feeds.create('acme', 'b', editAt(1)))).message).toContain(
      'before startWriter',
    );
    expect((await refusal(beside.feeds.delete('feed_1', editAt(1)))).message).toContain('before startWriter');
    const restored = beside.feeds.restore!(elsewhere('feed_1'), editAt(400));
    expect((await refusal(restored)).message).toContain('before startWriter');
    await beside.close();
    expect(await store.feeds.all()).toEqual([feed]);
  });

  testPlace('are refused while the store is closing', async (place) => {
    const { store } = await serve(place);
    const before = store.feeds.create('acme', 'a', editAt(1));
    const closing = store.close();
    expect(await refusal(store.feeds.create('acme', 'b', editAt(1)))).toMatchObject({
      code: 'shutting_down',
    });
    await closing;
    expect((await before).feed_id).toBe('feed_1');
  });

  testPlace('a migration adds them to a database of the previous version', async (place) => {
    await visit(place, (store) => store.submit([follow(1, 2)]));
    await undoMigrations(place, '0002');
    await visit(place, async (store) => {
      expect(await stored(store)).toHaveLength(1);
      expect((await store.feeds.create('acme', 'a', editAt(1))).feed_id).toBe('feed_1');
      expect(await store.checkpoints?.databaseId()).not.toBe('');
    });
  });
});
