import { describe, expect } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { editAt } from '../support/edit.ts';
import { testServing as it, serve, testPlace } from './engines.ts';
import { undoMigrations } from './former-version.ts';

const ACTOR = 'cli:test';
/** After content of this length, the size of an account's revisions is checked. */
const LONG = 'x'.repeat(LIMITS.feed_revisions_bytes_max / 16);
/** Three of these are too many, and two are not. */
const NEARLY_HALF = Math.floor(LIMITS.feed_revisions_bytes_max * 0.45);

describe('revisions of feeds', () => {
  it('every change of a feed adds a revision with its content', async ({ store: { feeds } }) => {
    await feeds.create('acme', 'a', editAt(100.25));
    await feeds.replace('feed_1', 1, 'b', editAt(200));
    expect(await feeds.revisions('feed_1', 1_000, 0)).toEqual([
      { revision: 2, at: 200, actor: ACTOR, key_name: null },
      { revision: 1, at: 100.25, actor: ACTOR, key_name: null },
    ]);
    const first = { account: 'acme', revision: 1, created_at: 100.25, updated_at: 100.25, content: 'a' };
    expect(await feeds.revision('feed_1', 1)).toEqual(first);
    expect(await feeds.revision('feed_1', 3)).toBeUndefined();
    for (const feed_id of ['feed_2', 'feed_01', 'nonsense']) {
      expect(await feeds.revisions(feed_id, 1_000, 0)).toEqual([]);
      expect(await feeds.revision(feed_id, 1)).toBeUndefined();
    }
  });

  it('an imported feed adds a revision under its own number', async ({ store: { feeds } }) => {
    const imported = { feed_id: 'feed_7', account: 'acme', created_at: 1, updated_at: 2, content: 'a' };
    expect(await feeds.restore({ ...imported, revision: 9 }, editAt(50))).toBe(true);
    expect(await feeds.revisions('feed_7', 1_000, 0)).toMatchObject([{ revision: 9, at: 50 }]);
  });

  it('a deleted feed is restored once with its last content, until it is forgotten', async ({
    store: { feeds },
  }) => {
    await feeds.create('acme', 'a', editAt(100));
    await feeds.replace('feed_1', 1, 'b', editAt(200));
    expect(await feeds.deleted('feed_1')).toBeUndefined();
    expect(await feeds.undelete('feed_1', editAt(250))).toBeUndefined();
    await feeds.delete('feed_1', editAt(300));
    expect(await feeds.deleted('feed_1')).toEqual({ account: 'acme', deleted_at: 300, content: 'b' });
    const restored = await feeds.undelete('feed_1', editAt(400));
    const row = { feed_id: 'feed_1', account: 'acme', created_at: 100, updated_at: 400, content: 'b' };
    expect(restored).toEqual({ ...row, revision: 4 });
    expect(await feeds.undelete('feed_1', editAt(400))).toBeUndefined();
    expect(await feeds.all()).toEqual([{ ...row, revision: 4 }]);
    await feeds.delete('feed_1', editAt(500));
    await feeds.forget(editAt(499 + LIMITS.feed_restore_seconds));
    expect(await feeds.deleted('feed_1')).toBeDefined();
    await feeds.forget(editAt(500 + LIMITS.feed_restore_seconds));
    expect(await feeds.deleted('feed_1')).toBeUndefined();
    expect(await feeds.undelete('feed_1', editAt(600))).toBeUndefined();
  });

  it('the deleted feeds of an account are listed with their last content, latest deletion first', async ({
    store: { feeds },
  }) => {
    for (const account of ['acme', 'acme', 'other', 'acme']) await feeds.create(account, 'a', editAt(100));
    await feeds.replace('feed_1', 1, 'b', editAt(200));
    await feeds.delete('feed_1', editAt(300));
    await feeds.delete('feed_3', editAt(310));
    await feeds.delete('feed_4', editAt(320));
    const [first, fourth] = [
      { feed_id: 'feed_1', account: 'acme', revision: 2, deleted_at: 300, content: 'b' },
      { feed_id: 'feed_4', account: 'acme', revision: 1, deleted_at: 320, content: 'a' },
    ];
    expect(await feeds.allDeleted('acme', 0)).toEqual([fourth, first]);
    expect(await feeds.allDeleted('acme', 300)).toEqual([fourth]);
    await feeds.undelete('feed_4', editAt(400));
    expect(await feeds.allDeleted('acme', 0)).toEqual([first]);
  });

  it('the oldest former revisions of an account are removed when they take too many bytes', async ({
    store: { feeds },
    place,
  }) => {
    await feeds.create('acme', 'old but current', editAt(50));
    await feeds.create('acme', 'a', editAt(100));
    await feeds.replace('feed_2', 1, 'b', editAt(200));
    await feeds.replace('feed_2', 2, 'c', editAt(300));
    await place.run(`update feed_revisions set content_bytes = ${NEARLY_HALF} where feed_number = 2`);
    await feeds.create('other', LONG, editAt(350));
    expect(await feeds.revisions('feed_2', 1_000, 0)).toHaveLength(3);
    await feeds.replace('feed_2', 3, LONG, editAt(400));
    const kept = (await feeds.revisions('feed_2', 1_000, 0)).map(({ revision }) => revision);
    expect(kept).toEqual([4, 3, 2]);
    expect(await feeds.revisions('feed_1', 1_000, 0)).toHaveLength(1);
  });

  it('of earlier revisions than the latest, the last of each minute by each key is kept', async ({
    store: { feeds },
  }) => {
    await feeds.create('acme', 'a', editAt(60));
    await feeds.replace('feed_1', 1, 'b', editAt(61));
    await feeds.replace('feed_1', 2, 'c', { now: 62, actor: 'key_1' });
    await feeds.replace('feed_1', 3, 'd', editAt(63));
    await feeds.replace('feed_1', 4, 'e', editAt(125));
    for (let at = 0; at < LIMITS.feed_revisions_latest; at++)
      await feeds.replace('feed_1', 5 + at, 'f', editAt(185));
    const kept = (await feeds.revisions('feed_1', 1_000, 0)).map(({ revision }) => revision);
    expect(kept.slice(LIMITS.feed_revisions_latest)).toEqual([5, 4, 3]);
  });

  it('revisions that others of their minute follow are removed first when they take too many bytes', async ({
    store: { feeds },
    place,
  }) => {
    await feeds.create('acme', 'a', editAt(60));
    for (const [at, content] of ['b', 'c', 'd'].entries())
      await feeds.replace('feed_1', 1 + at, content, editAt(120 + at));
    await place.run(`update feed_revisions set content_bytes = ${NEARLY_HALF}`);
    await feeds.replace('feed_1', 4, LONG, editAt(180));
    const kept = (await feeds.revisions('feed_1', 10, 0)).map(({ revision }) => revision);
    expect(kept).toEqual([5, 4, 1]);
  });

  testPlace(
    'a migration adds the current revision of feeds that were saved before, with its actor',
    async (place) => {
      const before = await serve(place);
      await before.store.feeds.create('acme', 'ä', { now: 100, actor: 'key_1' });
      await before.store.feeds.create('acme', 'b', editAt(100));
      await before.store.feeds.delete('feed_2', editAt(200));
      await before.store.feeds.create('acme', 'c', editAt(300));
      await before.store.close();
      await place.run("delete from audit where object = 'feed_3'");
      await undoMigrations(place, '0013');
      const { store } = await serve(place);
      const migrated = await Promise.all(
        ['feed_1', 'feed_2', 'feed_3'].map((id) => store.feeds.revisions(id, 10, 0)),
      );
      expect(await store.feeds.revision('feed_1', 1)).toMatchObject({ content: 'ä' });
      await store.close();
      expect(migrated).toEqual([
        [{ revision: 1, at: 100, actor: 'key_1', key_name: null }],
        [],
        [{ revision: 1, at: 300, actor: 'unknown', key_name: null }],
      ]);
    },
  );
});
