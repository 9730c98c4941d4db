import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/clock.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openTestServer, START } from '../support/service.ts';

const ITEMS = 120;
const USERS = 90;
const GROUPS = 3;
/** Acts that fit one slice, so that no body counts as a large one. */
const AT_ONCE = 100;

/** A server whose background work runs when the test lets time pass. */
async function serving() {
  const timers = new ManualTimers();
  let now_ms = 0;
  const server = await openTestServer({
    settings: { derived_lag_ms: 100 },
    opening: { timers, monotonicMs: () => now_ms },
  });
  const stop = server.service.feeds.upkeep.warmUp([]);
  const idle = async (): Promise<void> => {
    now_ms += 10_000;
    await timers.pass(10);
  };
  const page = async (user_id: string): Promise<string[]> => {
    const request = { user_id, top_k: 10, seed: 1, impression_count: 0, scoring: 'user_interest_all_v0.0.1' };
    const { status, body } = await server.post('/v2/farcaster/feeds/for-you', request);
    expect(status).toBe(200);
    return body.body.map(({ item_id }: { item_id: string }) => item_id);
  };
  const close = async (): Promise<void> => {
    stop();
    await server.close();
  };
  return { server, idle, page, close };
}

/** Users like the items of their group; early in the ingest, the items of another one. */
function likes(): object[] {
  const random = seededRandom(5);
  return Array.from({ length: 1_200 }, (_, at) => {
    const user = Math.floor(random() * USERS);
    const group = (user + (at < AT_ONCE ? 1 : 0)) % GROUPS;
    const item = group + GROUPS * Math.floor((random() * ITEMS) / GROUPS);
    return { user_id: `u${user}`, item_id: `i${item}`, event_type: 'like', timestamp: START - 9_000 + at };
  });
}

test('the first page after an idle moment is like the second, although lists were requested early in an ingest', async () => {
  const { server, idle, page, close } = await serving();
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    item_id: `i${at}`,
    author_id: `author ${at % 9}`,
    created_at: START - 10_000,
  }));
  expect((await server.post('/v2/farcaster/items', items)).status).toBe(200);
  await idle();
  const all = likes();
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const sent = await server.post('/v2/farcaster/interactions', all.slice(at, at + AT_ONCE));
    expect(sent.status).toBe(200);
    if (at === 0) for (let user = 0; user < 30; user++) await page(`u${user}`);
  }
  await idle();
  for (const viewer of ['u1', 'u2', 'u3']) {
    const first = await page(viewer);
    await idle();
    expect(await page(viewer)).toEqual(first);
  }
  await close();
});
