import { expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../src/limits.ts';
import { newAccount } from '../http/config-support.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** One account writes much at once, while another writes and reads a little. */

/** An account waits when it has its share, and the slice before may be this large: each record names two users. */
const SHARE_MAX = LIMITS.account_queued_rows + 3 * LIMITS.ingest_slice_records;

interface Observed {
  /** Statuses of the other account: writes, and pages that are recorded as seen. */
  statuses: Set<number>;
  /** Writes of the other account that were answered before the attack ended. */
  answered: number;
  /** The most records in the write queue after a turn of the event loop. */
  queued: number;
}

async function during(server: TestServer, attack: Promise<unknown>): Promise<Observed> {
  const { headers } = await newAccount(server, 'other');
  const observed: Observed = { statuses: new Set(), answered: 0, queued: 0 };
  const attacking = { ends: false };
  const ended = attack.finally(() => {
    attacking.ends = true;
  });
  const watching = (async () => {
    while (!attacking.ends) {
      observed.queued = Math.max(observed.queued, server.service.store.queued_records);
      await nextTurn();
    }
  })();
  for (let at = 0; !attacking.ends; at++) {
    const follow = { user_id: `fan-${at}`, target_user_id: 'star' };
    const { status } = await server.call('POST', '/v2/farcaster/follows', follow, headers);
    observed.statuses.add(status);
    if (!attacking.ends) observed.answered++;
    if (at > 0) continue;
    const page = { user_id: 'viewer', impression_count: 1, top_k: 1 };
    const shown = await server.call('POST', '/v2/farcaster/casts/feed/popular', page, headers);
    observed.statuses.add(shown.status);
  }
  await Promise.all([ended, watching]);
  return observed;
}

async function withServer(work: (server: TestServer, key: Record<string, string>) => Promise<void>) {
  await using server = await openTestServer();
  const item = { item_id: 'item', author_id: 'star', created_at: server.clock.now() - 60, text: 'hello' };
  await server.post('/v2/farcaster/items', [item]);
  await work(server, (await newAccount(server, 'attacker')).headers);
}

test('a whole list of many follows leaves the write queue to other accounts', async () => {
  await withServer(async (server, headers) => {
    const put = async (length: number): Promise<number> => {
      const target_user_ids = Array.from({ length }, (_, at) => `followed-${at}`);
      const path = '/v2/farcaster/users/somebody/follows';
      return (await server.call('PUT', path, { target_user_ids }, headers)).status;
    };
    // The control: a short list.
    expect(await put(10)).toBe(200);
    const list = put(8_000);
    const { statuses, answered, queued } = await during(server, list);
    expect(await list).toBe(200);
    expect([...statuses]).toEqual([200]);
    expect(answered).toBeGreaterThan(1);
    expect(queued).toBeLessThanOrEqual(SHARE_MAX);
  });
});

test('many bodies of one account delay the writes of another by its share of the queue', async () => {
  await withServer(async (server, headers) => {
    const post = async (body: number, length: number): Promise<number> => {
      const follows = Array.from({ length }, (_, at) => ({
        user_id: `user-${body}-${at}`,
        target_user_id: 'target',
      }));
      return (await server.call('POST', '/v2/farcaster/follows', follows, headers)).status;
    };
    // The control: one record.
    expect(await post(0, 1)).toBe(200);
    const bodies = Promise.all([1, 2, 3].map((body) => post(body, 4_000)));
    const { statuses, answered, queued } = await during(server, bodies);
    expect(new Set(await bodies)).toEqual(new Set([200]));
    expect([...statuses]).toEqual([200]);
    expect(answered).toBeGreaterThan(1);
    expect(queued).toBeLessThanOrEqual(SHARE_MAX);
  });
});
