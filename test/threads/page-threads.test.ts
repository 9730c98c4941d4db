import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemTimers } from '../../src/clock.ts';
import { PageThreads } from '../../src/threads/page-threads.ts';
import { startPageThreads, threadsFor } from '../../src/threads/start.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';

const FOR_YOU = '/v2/farcaster/casts/feed/for-you';
const USERS = Array.from({ length: 24 }, (_, index) => `u${index}`);
const ITEMS = Array.from({ length: 300 }, (_, index) => `i${index}`);

interface Page {
  body: { item_id: string }[];
}

/** A server whose pages are built on threads, with a community that likes this and that. */
async function openThreaded(threads = 2): Promise<TestServer & { threads: PageThreads | undefined }> {
  const server = await openTestServer({ settings: { derived_lag_ms: 100, page_threads: threads } });
  const items = ITEMS.map((item_id, index) => ({
    item_id,
    author_id: `a${index % 9}`,
    created_at: START - index,
  }));
  expect((await server.post('/v2/farcaster/items', items)).status).toBe(200);
  const acts = USERS.flatMap((user_id, number) =>
    ITEMS.filter((_, index) => (index * 7 + number * 5) % 31 === 0).map((item_id) => ({
      user_id,
      item_id,
      event_type: 'like',
      timestamp: START - 100,
    })),
  );
  expect((await server.post('/v2/farcaster/interactions', acts)).status).toBe(200);
  return { ...server, threads: startPageThreads(server.service) };
}

async function ask(server: TestServer, body: object): Promise<string[]> {
  const { status, body: answer } = await server.post(FOR_YOU, { top_k: 10, ...body });
  expect(status).toBe(200);
  return (answer as Page).body.map(({ item_id }) => item_id);
}

describe('page threads', () => {
  let server: Awaited<ReturnType<typeof openThreaded>>;
  beforeAll(async () => {
    server = await openThreaded();
  });
  afterAll(async () => {
    await server.threads?.stop();
    await server.close();
  });

  test('build what the serving thread builds', async () => {
    const together = await Promise.all(USERS.map((user_id) => ask(server, { user_id, seed: 7 })));
    // One at a time is built by the serving thread.
    for (const [index, user_id] of USERS.entries())
      expect(await ask(server, { user_id, seed: 7 })).toEqual(together[index]);
    const { feeds } = server.service;
    expect(feeds.meter.pages.get('for-you')?.pages).toBe(2 * USERS.length);
    expect(feeds.threads.threads).toBe(2);
    expect(feeds.threads.pages).toBeGreaterThan(USERS.length / 4);
  });

  test('are not asked for a few', async () => {
    const { feeds } = server.service;
    const before = feeds.threads.pages;
    const few = USERS.slice(0, 4);
    const pages = await Promise.all(few.map((user_id) => ask(server, { user_id })));
    expect(pages.map((page) => page.length)).toEqual(few.map(() => 10));
    expect(feeds.threads.pages).toBe(before);
  });

  test('see whatever was acknowledged before, while pages and acts come together', async () => {
    for (let round = 0; round < 12; round++) {
      const pages = await Promise.all(USERS.map((user_id) => ask(server, { user_id })));
      const liked = USERS.map((user_id, index) => ({
        user_id,
        item_id: pages[index][0],
        event_type: 'like',
      }));
      await Promise.all(
        liked.map(async (act) => {
          expect((await server.post('/v2/farcaster/interactions', act)).status).toBe(200);
          expect(await ask(server, { user_id: act.user_id })).not.toContain(act.item_id);
        }),
      );
    }
  });

  test('show no item twice to a viewer who asks often at once, and new ones as soon as they are there', async () => {
    const user_id = 'reader';
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => ask(server, { user_id, impression_count: 10 })),
    );
    const shown = pages.flat();
    expect(new Set(shown).size).toBe(shown.length);
    // So many that tables and columns move elsewhere.
    const more = Array.from({ length: 4_000 }, (_, index) => ({
      item_id: `more${index}`,
      author_id: `new${index}`,
      created_at: START - 1,
    }));
    const ingesting = server.post('/v2/farcaster/items', more);
    const meanwhile = await Promise.all(
      USERS.map((user) => ask(server, { user_id: user, impression_count: 10 })),
    );
    expect(meanwhile.every((page) => page.length === 10)).toBe(true);
    expect((await ingesting).status).toBe(200);
    const filters = { author_ids: ['new3999'] };
    const found = await Promise.all(USERS.map((user) => ask(server, { user_id: user, filters })));
    expect(found).toEqual(USERS.map(() => ['more3999']));
  });

  test('know saved feeds as they are now, and tell what is wrong as ever', async () => {
    const call = (method: string, body: object) =>
      server.call(method, '/api/feed/config', body, { authorization: 'Bearer test-key' });
    const created = await call('POST', { name: 'n', config: { filters: { author_ids: ['a1'] } } });
    const { config_id: feed_id } = created.body.data;
    const authors = async () => {
      const pages = await Promise.all(USERS.map((user_id) => ask(server, { user_id, feed_id })));
      return new Set(pages.flat().map((item_id) => `a${Number(item_id.slice(1)) % 9}`));
    };
    expect(await authors()).toEqual(new Set(['a1']));
    await call('PATCH', { config_id: feed_id, config: { filters: { author_ids: ['a2'] } } });
    expect(await authors()).toEqual(new Set(['a2']));
    const unknown = await Promise.all(
      USERS.map((user_id) => server.post(FOR_YOU, { user_id, feed_id: 'feed_99' })),
    );
    expect(unknown.map(({ status }) => status)).toEqual(USERS.map(() => 404));
  });

  test('let go of who was erased and what was deleted', async () => {
    await Promise.all(USERS.map((user_id) => ask(server, { user_id })));
    const authorization = { authorization: 'Bearer test-key' };
    const gone = await server.call('DELETE', '/v2/farcaster/users/a0', undefined, authorization);
    expect(gone.status).toBe(200);
    const pages = await Promise.all(USERS.map((user_id) => ask(server, { user_id, top_k: 100 })));
    const of_a0 = pages.flat().filter((id) => id.startsWith('i') && Number(id.slice(1)) % 9 === 0);
    expect(of_a0).toEqual([]);
  });
});

test('where a thread cannot begin, or dies, pages are built without it', async () => {
  const server = await openTestServer({ settings: { derived_lag_ms: 100 } });
  const items = ITEMS.map((item_id) => ({ item_id, author_id: 'a', created_at: START }));
  await server.post('/v2/farcaster/items', items);
  const { feeds, saved_feeds, clock, settings } = server.service;
  const told: string[] = [];
  const log = { info() {}, error() {}, warn: (...said: unknown[]) => void told.push(String(said[1])) };
  const threads = new PageThreads({
    threads: 1,
    settings,
    rankings: ['no_such_signal'],
    shared: feeds.shared,
    saved_feeds,
    meter: feeds.meter,
    clock,
    timers: systemTimers,
    effort: () => 1,
    log,
    onFree: () => feeds.wake(),
  });
  feeds.buildElsewhere(threads);
  const pages = await Promise.all(USERS.map((user_id) => ask(server, { user_id, impression_count: 5 })));
  expect(pages.every((page) => page.length === 10)).toBe(true);
  expect(told).toEqual(['a page thread has ended; pages are built without it']);
  expect(feeds.threads).toEqual({ threads: 0, pages: 0 });
  await threads.stop();
  await server.close();
});

test('a stop waits for what is under way', async () => {
  const server = await openThreaded(1);
  const asked = USERS.map((user_id) => ask(server, { user_id, impression_count: 3 }));
  await server.threads?.stop();
  expect((await Promise.all(asked)).every((page) => page.length === 10)).toBe(true);
  expect((await ask(server, { user_id: 'u1' })).length).toBe(10);
  await server.close();
});

describe('there are none', () => {
  test('where pages must be repeatable, or none are wanted', async () => {
    for (const settings of [
      { derived_lag_ms: 0, page_threads: 2 },
      { derived_lag_ms: 100, page_threads: 0 },
    ]) {
      const server = await openTestServer({ settings });
      expect(startPageThreads(server.service)).toBeUndefined();
      await server.close();
    }
  });

  test('on machines of two cores, unless the settings ask for some', () => {
    expect([1, 2, 3, 4, 5, 64].map(threadsFor)).toEqual([0, 0, 1, 2, 3, 3]);
  });
});
