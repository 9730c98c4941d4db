import { describe, expect, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import { decodeHead, erasedHead, shortHash } from '../../src/seen/head.ts';
import { type Recording, SeenBook, type SeenBookOptions } from '../../src/seen/seen-book.ts';
import type { SeenRow } from '../../src/seen/seen-row.ts';
import type { KnownSeen, SeenStore, SeenWrite } from '../../src/seen/seen-store.ts';
import { seenViewers } from '../../src/seen/seen-viewers.ts';
import { VolatileSeen } from '../../src/store/volatile-seen.ts';

/** A store that notes its calls. `broken` fails writes: before they are stored, or after it. */
class NotedStore implements SeenStore {
  readonly reads: (readonly KnownSeen[])[] = [];
  readonly writes: (readonly SeenWrite[])[] = [];
  broken: 'before' | 'after' | undefined;

  stored: SeenStore = new VolatileSeen();

  read(known: readonly KnownSeen[]) {
    this.reads.push(known);
    return this.stored.read(known);
  }

  async write(writes: readonly SeenWrite[]) {
    this.writes.push(writes);
    const { broken } = this;
    this.broken = undefined;
    if (broken === 'before') throw new Error('the connection is lost');
    const written = await this.stored.write(writes);
    if (broken === 'after') throw new Error('the connection is lost');
    return written;
  }
}

const clock = new ManualClock(1_700_000_000);

function bookOf(store: SeenStore, options: Partial<SeenBookOptions> = {}): SeenBook {
  const key = new Uint8Array(32);
  return new SeenBook({ store, key, clock, is_shared: true, cache_bytes_max: 2 ** 20, ...options });
}

const page = (page_id: number, ...keys: number[]): Recording => ({
  page_id,
  page: { keys: Uint32Array.from(keys), feed: 1, arm: 0 },
  applied_seq: 10,
});

const keysOf = (row: SeenRow): number[] => [...row.inOrder()];

describe('a book of seen rows', () => {
  const book = bookOf(new NotedStore());
  const [anna, ben] = ['anna', 'ben'].map((user_id) => book.viewerOf(user_id));

  test('names viewers by a hash of 16 bytes that depends on the key of the data', () => {
    const other = bookOf(new NotedStore(), { key: new Uint8Array(32).fill(1) });
    expect(anna).toMatch(/^[0-9a-f]{32}$/);
    expect(book.viewerOf('anna')).toBe(anna);
    expect(other.viewerOf('anna')).not.toBe(anna);
  });

  test('reads and writes many viewers of one turn in one statement, writes in the order of viewers', async () => {
    const store = new NotedStore();
    const shared = bookOf(store);
    const viewers = Array.from({ length: 20 }, (_, index) => shared.viewerOf(`user-${index}`));
    const rows = await Promise.all(viewers.map((viewer) => shared.read(viewer)));
    await Promise.all(rows.map((row, index) => shared.record(row, page(index, index))));
    expect(store.reads.map((known) => known.length)).toEqual([20]);
    expect(store.writes.map((writes) => writes.map(({ viewer }) => viewer))).toEqual([viewers.toSorted()]);
  });

  test('finds what another process recorded, and reads nothing of what it has', async () => {
    const store = new NotedStore();
    const [one, other] = [bookOf(store), bookOf(store)];
    await one.record(await one.read(anna), page(1, 5, 3));
    expect(keysOf(await other.read(anna))).toEqual([5, 3]);
    await other.record(await other.read(anna), page(2, 4));
    const row = await one.read(anna);
    expect(keysOf(row)).toEqual([5, 3, 4]);
    expect(row.pages.map(({ page_id, feed, time }) => [page_id, feed, time])).toEqual([
      [1, 1, clock.now()],
      [2, 1, clock.now()],
    ]);
    expect(await store.stored.read([row])).toEqual([]);
    expect(await one.read(anna)).toEqual(row);
  });

  test('without other processes reads only rows that are not cached', async () => {
    const store = new NotedStore();
    const alone = bookOf(store, { is_shared: false });
    for (const page_id of [1, 2, 3]) await alone.record(await alone.read(anna), page(page_id, page_id));
    expect(keysOf(await alone.read(anna))).toEqual([1, 2, 3]);
    expect(store.reads).toHaveLength(1);
  });

  test('takes a cached row for a page that may be outdated', async () => {
    const store = new NotedStore();
    const [one, other] = [bookOf(store), bookOf(store)];
    expect(one.cached(anna)).toBeUndefined();
    await one.record(await one.read(anna, true), page(1, 1));
    await other.record(await other.read(anna), page(2, 2));
    expect(keysOf(await one.read(anna, true))).toEqual([1]);
    expect(keysOf(one.cached(anna)!)).toEqual([1]);
    expect(keysOf(await one.read(anna))).toEqual([1, 2]);
  });

  test('refuses a page that was built from an outdated row, and then reads the row again, also alone', async () => {
    const store = new NotedStore();
    const [one, other] = [bookOf(store, { is_shared: false }), bookOf(store)];
    const row = await one.read(anna);
    await other.record(await other.read(anna), page(1, 1));
    expect(await one.record(row, page(2, 1))).toBe('conflict');
    const again = await one.read(anna);
    expect(keysOf(again)).toEqual([1]);
    expect(await one.record(again, page(3, 2))).toBe('written');
    expect(keysOf(await other.read(anna))).toEqual([1, 2]);
  });

  test('refuses the second of two pages that were built from one row at once, whatever statement they share', async () => {
    const store = new NotedStore();
    const one = bookOf(store);
    const row = await one.read(anna);
    const outcomes = await Promise.all([one.record(row, page(1, 1)), one.record(row, page(2, 1))]);
    expect(outcomes).toEqual(['written', 'conflict']);
    expect(store.writes.map((writes) => writes.length)).toEqual([1, 1]);
  });

  test('tells after a failed write whether the page was stored', async () => {
    for (const broken of ['before', 'after'] as const) {
      const store = new NotedStore();
      const one = bookOf(store);
      const row = await one.read(anna);
      store.broken = broken;
      expect((await Promise.allSettled([one.record(row, page(7, 1))]))[0].status).toBe('rejected');
      const settled = await one.settle(anna);
      expect(settled.has(7)).toBe(broken === 'after');
      expect(keysOf(settled)).toEqual(broken === 'after' ? [1] : []);
      // Built again, it takes the place of a write that is still under way.
      expect(await one.record(settled, page(8, 2))).toBe('written');
      expect(await store.stored.write(store.writes[0])).toEqual([]);
    }
  });

  test('records nothing of a page that was requested before an erasure was applied', async () => {
    const store = new NotedStore();
    const one = bookOf(store);
    await one.record(await one.read(anna), page(1, 1));
    const former = await one.read(anna);
    const erased = { viewer: anna, built_from: former.number, number: former.number + 1, updated_at: 0 };
    await store.stored.write([{ ...erased, content: erasedHead(11, 5), parts: [] }]);
    expect(await one.record(former, page(2, 2))).toBe('conflict');
    const row = await one.read(anna);
    expect(keysOf(row)).toEqual([]);
    expect(await one.record(row, page(2, 2))).toBe('erased');
    expect(await one.record(row, { ...page(3, 3), applied_seq: 11 })).toBe('written');
    expect(keysOf(await one.read(anna))).toEqual([3]);
    expect((await one.read(anna)).erased_seq).toBe(11);
  });

  test('keeps a reply without a page, which any process finds', async () => {
    const store = new NotedStore();
    const reply = { hash: shortHash('r1'), digest: shortHash('{}'), keys: Uint32Array.of(4, 2) };
    const one = bookOf(store);
    expect(await one.record(await one.read(ben), { page_id: 1, reply, applied_seq: 0 })).toBe('written');
    const row = await bookOf(store).read(ben);
    expect(row.reply(reply.hash, clock.now())).toMatchObject(reply);
    expect(row.has(1)).toBeTrue();
    expect(keysOf(row)).toEqual([]);
  });

  test('evicts the rows that were used longest ago when they take too much memory', async () => {
    const store = new NotedStore();
    const small = bookOf(store, { cache_bytes_max: 20_000 });
    const viewers = Array.from({ length: 30 }, (_, index) => small.viewerOf(`user-${index}`));
    for (const viewer of viewers) {
      await small.record(await small.read(viewer), page(1, 1, 2, 3));
      await small.read(viewers[0], true);
    }
    expect(small.cached_bytes).toBeLessThanOrEqual(20_000);
    const cached = viewers.filter((viewer) => small.cached(viewer) !== undefined);
    expect(cached.length).toBeGreaterThan(5);
    expect(cached.length).toBeLessThan(25);
    expect(cached).toEqual([viewers[0], ...viewers.slice(1 - cached.length)]);
    expect(keysOf(await small.read(viewers[1]))).toEqual([1, 2, 3]);
  });

  test('moves days out of the head, and forgets them with a row that was removed and begun anew', async () => {
    const store = new NotedStore();
    const own_clock = new ManualClock(clock.now());
    const [one, other] = [bookOf(store, { clock: own_clock }), bookOf(store, { clock: own_clock })];
    const recorded: number[] = [];
    for (let day = 0; day < 30; day++) {
      own_clock.advance(86_400);
      const keys = Array.from({ length: 100 }, (_, index) => 1_000 * day + 7 * index);
      recorded.push(...keys);
      expect(await one.record(await one.read(anna), page(day, ...keys))).toBe('written');
      if (day % 7 === 0) await other.read(anna);
    }
    const [{ content, parts }] = await store.stored.read([{ viewer: anna, number: 0 }]);
    expect(parts.length).toBeGreaterThan(1);
    expect(decodeHead(content!).moved).toBe(parts.length);
    for (const row of [await one.read(anna), await other.read(anna), await bookOf(store).read(anna)])
      expect(keysOf(row)).toEqual(recorded);
    // The row is removed, and another process begins a new one.
    store.stored = new VolatileSeen();
    own_clock.advance(1);
    const third = bookOf(store, { clock: own_clock });
    await third.record(await third.read(anna), page(99, 5));
    for (const row of [await one.read(anna), await other.read(anna)]) expect(keysOf(row)).toEqual([5]);
  });
});

test('a damaged row is an error of its viewer alone, also of those who are read in the same statement', async () => {
  const store = new NotedStore();
  const book = bookOf(store);
  const [anna, ben] = ['anna', 'ben'].map((user_id) => book.viewerOf(user_id));
  await book.record(await book.read(ben), page(1, 7));
  const damaged = { viewer: anna, built_from: 0, number: 5, updated_at: 0, parts: [] };
  await store.stored.write([{ ...damaged, content: Uint8Array.of(1, 2) }]);
  const [of_anna, of_ben] = await Promise.allSettled([book.read(anna), book.read(ben)]);
  expect(of_anna).toMatchObject({ reason: { message: 'the bytes end too early' } });
  expect(of_ben.status === 'fulfilled' && keysOf(of_ben.value)).toEqual([7]);
  const [carl, nobody] = [book.viewerOf('carl'), book.viewerOf('nobody')];
  const isLogged = async (viewer: string) => viewer === carl;
  expect(await seenViewers(store, [anna, ben, carl, nobody], isLogged)).toEqual(new Set([anna, ben, carl]));
});

test('a book forgets what is older than the days that are kept, whichever process wrote it and whether it is cached', async () => {
  const store = new NotedStore();
  const own_clock = new ManualClock(clock.now());
  const options = { clock: own_clock, days_kept: 10 };
  const [writer, alone] = [bookOf(store, options), bookOf(store, { ...options, is_shared: false })];
  const viewer = writer.viewerOf('anna');
  const shown: number[] = [];
  for (let day = 0; day < 40; day++) {
    own_clock.advance(86_400);
    const keys = Array.from({ length: 150 }, (_, index) => 10_000 * day + 60 * index);
    await writer.record(await writer.read(viewer), page(day, ...keys));
    shown.push(...keys);
    expect(keysOf(await bookOf(store, options).read(viewer))).toEqual(shown.slice(-1_650));
    if (day === 25) expect(keysOf(await alone.read(viewer))).toHaveLength(1_650);
  }
  // The head was written without them, and of the parts some are left to a sweep.
  expect(keysOf(await bookOf(store).read(viewer)).length).toBeGreaterThan(1_650);
  own_clock.advance(8 * 86_400);
  for (const book of [writer, alone, bookOf(store, options)])
    expect(keysOf(await book.read(viewer))).toEqual(shown.slice(-450));
  const reads = store.reads.length;
  for (let again = 0; again < 3; again++) await alone.read(viewer);
  expect(store.reads.length).toBe(reads);
  own_clock.advance(9 * 86_400);
  expect((await alone.read(viewer)).is_empty).toBeTrue();
});
