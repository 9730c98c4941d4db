import { beforeEach, expect, test } from 'bun:test';
import { BUILT_IN } from '../../plugins/index.ts';
import { ManualClock } from '../../src/clock.ts';
import { ServiceError } from '../../src/errors.ts';
import { SavedFeeds } from '../../src/feeds/saved-feeds.ts';
import { Registry } from '../../src/registry/registry.ts';
import { readSettings } from '../../src/settings.ts';
import { State } from '../../src/state/state.ts';
import type { Edit } from '../../src/store/audit.ts';
import type { FeedChanges } from '../../src/store/feed-changes.ts';
import type { FeedStore } from '../../src/store/feeds.ts';
import { unavailable } from '../../src/store/refusals.ts';
import type { StoredFeed } from '../../src/store/stored-feed.ts';
import { editor } from '../support/edit.ts';

/** A store that fails on request, before or after the write is stored, like a lost connection. */
class ShakyStore implements FeedStore {
  rows: StoredFeed[] = [];
  private removed: string[] = [];
  private changes = 0;
  fails: 'no' | 'before' | 'after' | 'reading' = 'no';
  reads = 0;

  async changed(): Promise<FeedChanges> {
    this.reads++;
    if (this.fails === 'reading') throw new Error('the database is gone');
    const saved = this.rows.map((row) => ({ ...row }));
    return { saved, deleted: this.removed, until: ++this.changes, is_last: true };
  }

  async create(account: string, content: string, { now }: Edit): Promise<StoredFeed> {
    const feed_id = `feed_${this.rows.length + 1}`;
    const row = { feed_id, account, revision: 1, created_at: now, updated_at: now, content };
    return this.write(() => {
      this.rows.push(row);
      return row;
    });
  }

  async allDeleted(): Promise<[]> {
    return [];
  }

  async restore(): Promise<boolean> {
    throw new Error('nothing is imported here');
  }

  async replace(feed_id: string, revision: number, content: string, { now }: Edit) {
    return this.write(() => {
      const row = this.rows.find((known) => known.feed_id === feed_id && known.revision === revision);
      if (row === undefined) return undefined;
      return { ...Object.assign(row, { revision: revision + 1, content, updated_at: now }) };
    });
  }

  async delete(feed_id: string): Promise<boolean> {
    return this.write(() => {
      const before = this.rows.length;
      this.rows = this.rows.filter((row) => row.feed_id !== feed_id);
      this.removed.push(feed_id);
      return this.rows.length < before;
    });
  }

  // Revisions and restoring are tested with real stores.
  all = unused;
  keyOwner = unused;
  deleted = unused;
  undelete = unused;
  forget = unused;
  revisions = unused;
  revision = unused;

  private write<T>(work: () => T): T {
    const { fails } = this;
    if (fails === 'before' || fails === 'reading') throw unavailable(new Error('lost'));
    const result = work();
    if (fails === 'after') throw unavailable(new Error('lost'));
    return result;
  }
}

async function unused(): Promise<never> {
  throw new Error('not used here');
}

let store: ShakyStore;
let feeds: SavedFeeds;
const always = () => true;

async function open(): Promise<SavedFeeds> {
  const registry = new Registry();
  registry.addBuiltIn(BUILT_IN);
  const opened = new SavedFeeds(registry, store, new ManualClock(100), readSettings({}), new State());
  await opened.keepUp();
  return opened;
}

beforeEach(async () => {
  store = new ShakyStore();
  feeds = await open();
  await feeds.create(editor('acme'), { name: 'a' });
});

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const [result] = await Promise.allSettled([promise]);
  if (result.status === 'fulfilled') return 'none';
  expect(result.reason).toBeInstanceOf(ServiceError);
  return (result.reason as ServiceError).code;
}

test('a write that was not stored changes nothing', async () => {
  store.fails = 'before';
  expect(await codeOf(feeds.create(editor('acme'), { name: 'b' }))).toBe('store_unavailable');
  expect(await codeOf(feeds.change(editor('acme'), 'feed_1', { name: 'b' }, always))).toBe(
    'store_unavailable',
  );
  expect(await codeOf(feeds.remove(editor('acme'), 'feed_1', always))).toBe('store_unavailable');
  expect(feeds.list('acme', undefined).map(({ object }) => object.name)).toEqual(['a']);
  store.fails = 'no';
  expect((await feeds.change(editor('acme'), 'feed_1', { name: 'c' }, always)).feed.revision).toBe(2);
});

test('a write that was stored although it was refused is found before the next', async () => {
  store.fails = 'after';
  expect(await codeOf(feeds.change(editor('acme'), 'feed_1', { name: 'b' }, always))).toBe(
    'store_unavailable',
  );
  expect(feeds.read('feed_1', 'acme').revision).toBe(1);
  store.fails = 'no';
  const { feed } = await feeds.change(editor('acme'), 'feed_1', { description: 'c' }, always);
  expect(feed).toMatchObject({ revision: 3, object: { name: 'b', description: 'c' } });

  store.fails = 'after';
  expect(await codeOf(feeds.remove(editor('acme'), 'feed_1', always))).toBe('store_unavailable');
  store.fails = 'no';
  expect(await codeOf(feeds.remove(editor('acme'), 'feed_1', always))).toBe('not_found');
});

test('while the store cannot be read either, writes are refused and reads go on', async () => {
  store.fails = 'before';
  await codeOf(feeds.create(editor('acme'), { name: 'b' }));
  store.fails = 'reading';
  expect(await codeOf(feeds.create(editor('acme'), { name: 'b' }))).toBe('store_unavailable');
  expect(feeds.read('feed_1', 'acme').object.name).toBe('a');
  store.fails = 'no';
  expect((await feeds.create(editor('acme'), { name: 'b' })).feed.feed_id).toBe('feed_2');
});

test('the store is read at the start, and again only when it may know better', async () => {
  for (let count = 0; count < 5; count++)
    await feeds.change(editor('acme'), 'feed_1', { name: `${count}` }, always);
  await codeOf(feeds.create(editor('acme'), { name: 5 }));
  await codeOf(feeds.change(editor('other'), 'feed_1', {}, always));
  expect(store.reads).toBe(1);
});

test('a feed that somebody else has changed in the store is read again', async () => {
  store.rows[0].revision = 7;
  expect(await codeOf(feeds.change(editor('acme'), 'feed_1', { name: 'b' }, always))).toBe(
    'store_unavailable',
  );
  expect((await feeds.change(editor('acme'), 'feed_1', { name: 'b' }, always)).feed.revision).toBe(8);
});

test('what is loaded is what was saved', async () => {
  const config = { filters: { channels: ['x'] }, top_k: 7, odd: [1] };
  await feeds.create(editor('other'), { name: 'b', endpoint: 'casts/feed/trending', config });
  const again = await open();
  for (const saved of [feeds, again]) {
    const feed = saved.read('feed_2', 'other');
    const { object, feed_type, parameters, problem } = feed;
    expect({ object, feed_type, parameters, problem }).toMatchObject({
      object: { name: 'b', config },
      feed_type: 'trending',
      parameters: { filters: { channels: ['x'] }, top_k: 7 },
      problem: undefined,
    });
    expect(feed.compiled(false)).toBe(feed.compiled(false));
    expect(feed.compiled(true)).toBe(feed.compiled(true));
    expect(feed.compiled(true).rules.length).toBeLessThan(feed.compiled(false).rules.length);
  }
});

test('all feeds are read again when the store has lost changes that were read', async () => {
  await feeds.keepUp();
  store.rows[0].content = JSON.stringify({ ...JSON.parse(store.rows[0].content), name: 'older' });
  await feeds.keepUp();
  expect(feeds.read('feed_1', 'acme').object.name).toBe('a');
  await feeds.keepUp(1);
  expect(feeds.read('feed_1', 'acme').object.name).toBe('older');
});
