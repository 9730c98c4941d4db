import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { monotonicMs } from '../../src/clock.ts';
import { HandOver } from '../../src/cluster/hand-over.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { type Answer, testCluster as it, item, SECRET, until } from './support.ts';

const V2 = '/v2/farcaster';
/** A leader that leaves waits up to a second for its followers, and a request up to three seconds for the next leader. */
const WAITS_MS = 1_000;

type Send = (number: number) => Promise<Answer | undefined>;

interface Sent {
  number: number;
  status: number | undefined;
  took_ms: number;
}

/** Sends one request after the other until the work is done, and once more. */
async function sendDuring(work: Promise<unknown>, send: Send): Promise<Sent[]> {
  const sent: Sent[] = [];
  let is_done = false;
  const done = work.finally(() => {
    is_done = true;
  });
  const sendOne = async () => {
    const start_ms = monotonicMs();
    const number = sent.length;
    const answer = await send(number);
    sent.push({ number, status: answer?.status, took_ms: monotonicMs() - start_ms });
  };
  while (!is_done) await sendOne();
  await done;
  await sendOne();
  return sent;
}

/** Requests that were refused, although the machine was not too slow for a hand-over. */
function refusedAtOnce(sent: readonly Sent[]): Sent[] {
  return sent.filter(({ status, took_ms }) => status !== 200 && took_ms < WAITS_MS);
}

const numbersOf = (sent: readonly Sent[]) =>
  sent.filter(({ status }) => status === 200).map(({ number }) => number);

describe('when the leader is stopped', () => {
  it('followers refuse no write and no page, and lose no write', async (cluster) => {
    const leader = await cluster.start();
    const followers = [await cluster.start(), await cluster.start()];
    await followers[0].post(`${V2}/items`, [item('first')]);
    const leads = async () => {
      await cluster.stop(leader);
      await until(
        () => Promise.all(followers.map((node) => node.role())),
        (roles) => roles.includes('leader'),
      );
    };
    const led = leads();
    const writes = followers.map((node, at) =>
      sendDuring(led, (number) => node.post(`${V2}/items`, [item(`item${at}-${number}`)])),
    );
    const pages = followers.map((node) => {
      const page = (number: number) => ({ user_id: `viewer${number}`, top_k: 1, impression_count: 1 });
      return sendDuring(led, (number) => node.post(`${V2}/feeds/popular`, page(number)));
    });
    const written = await Promise.all(writes);
    for (const sent of [...written, ...(await Promise.all(pages))]) expect(refusedAtOnce(sent)).toEqual([]);
    const acknowledged = written.flatMap((sent, at) =>
      numbersOf(sent).map((number) => `item${at}-${number}`),
    );
    for (const node of followers)
      expect(await node.page({ top_k: 1_000 })).toEqual(expect.arrayContaining(acknowledged));
  });

  it('a viewer of two followers is shown no item twice', async (cluster) => {
    const leader = await cluster.start();
    const followers = [await cluster.start(), await cluster.start()];
    const items = Array.from({ length: 1_000 }, (_, at) => item(`item${at}`));
    await followers[0].post(`${V2}/items`, items);
    const shown: string[] = [];
    const stopped = cluster.stop(leader);
    const views = followers.map((node) =>
      sendDuring(stopped, async () => {
        const request = { user_id: 'viewer', top_k: 1, impression_count: 1 };
        const answer = await node.post(`${V2}/feeds/popular`, request);
        if (answer.status === 200)
          shown.push(...answer.body.body.map((each: { item_id: string }) => each.item_id));
        return answer;
      }),
    );
    for (const sent of await Promise.all(views)) expect(refusedAtOnce(sent)).toEqual([]);
    expect(shown.toSorted()).toEqual([...new Set(shown)].toSorted());
    expect(shown.length).toBeGreaterThan(0);
  });
});

it('a write at a follower waits while the leader says that it leaves, and is stored by the next leader', async (cluster) => {
  const leader = await cluster.start();
  const follower = await cluster.start();
  // A write that does not wait for the next leader finds none.
  await cluster.cutOff(leader);
  const { node_id } = leader.running.service.cluster ?? {};
  const told = await fetch(`${follower.address}/internal/leaving`, {
    method: 'POST',
    headers: { 'x-feedloom-cluster': SECRET, 'content-type': 'application/json' },
    body: JSON.stringify({ node_id }),
  });
  expect(told.status).toBe(200);
  const writing = sendDuring(Promise.resolve(), () => follower.post(`${V2}/items`, [item('held')]));
  await cluster.sql('update leases set expires_at = 0');
  expect(refusedAtOnce(await writing)).toEqual([]);
  await until(
    () => follower.role(),
    (role) => role === 'leader',
  );
});

it('shown pages and uses of keys for a node that takes the lead wait until it leads', async (cluster) => {
  const leader = await cluster.start();
  const next = await cluster.start();
  const { node_id } = leader.running.service.cluster ?? {};
  const headers = { 'x-feedloom-cluster': SECRET };
  const send = () =>
    Promise.all([
      next.call('POST', '/internal/shown', { pages: [] }, headers),
      next.call('POST', '/internal/key-uses', { uses: [] }, headers),
    ]);
  const refused = await send();
  expect(refused.map(({ body }) => body.code)).toEqual(['store_unavailable', 'store_unavailable']);
  await using client = new SQL({ url: cluster.database_url, max: 1 });
  let sent: ReturnType<typeof send> | undefined;
  await client.begin(async (transaction) => {
    // The next leader has the lease, but cannot take the data over.
    await transaction.unsafe('lock table meta in share mode');
    await until(
      async () => {
        await cluster.sql('update leases set expires_at = 0 where holder = $1', [node_id]);
        return next.running.service.cluster?.is_taking;
      },
      (is_taking) => is_taking === true,
    );
    sent = send();
    // Both have most likely arrived when what was sent after them is answered.
    await next.role();
  });
  expect((await sent)?.map(({ status }) => status)).toEqual([200, 200]);
});

it('only a node of the cluster can say that the leader leaves', async (cluster) => {
  const leader = await cluster.start();
  const answer = await leader.call('POST', '/internal/leaving', { node_id: 'any' });
  expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
});

describe('a request that waits for the next leader', () => {
  /** The error of a promise. Undefined if it resolves. */
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error) => error,
    );

  test('is refused after three seconds, and the next one is not kept', async () => {
    const timers = new ManualTimers();
    const hand_over = new HandOver(timers);
    hand_over.begin();
    await timers.pass(1);
    const waiting = errorOf(hand_over.ended());
    // The hand-over counts as failed three seconds after its begin.
    await timers.pass(2);
    expect([await waiting, hand_over.is_under_way]).toEqual([undefined, false]);
    hand_over.begin();
    const late = errorOf(hand_over.ended());
    await timers.pass(2);
    hand_over.begin();
    await timers.pass(1);
    expect([(await late).code, hand_over.is_under_way]).toEqual(['store_unavailable', true]);
  });

  test('is refused at once if a thousand wait already, and its end lets the next one wait', async () => {
    const hand_over = new HandOver(new ManualTimers());
    hand_over.begin();
    const given_up = new AbortController();
    const first = errorOf(hand_over.ended(given_up.signal));
    const others = Array.from({ length: 999 }, () => errorOf(hand_over.ended()));
    expect((await errorOf(hand_over.ended())).code).toBe('store_unavailable');
    given_up.abort(new Error('the client has gone'));
    expect((await first).message).toBe('the client has gone');
    const next = errorOf(hand_over.ended());
    hand_over.end();
    const errors = await Promise.all([...others, next]);
    expect(errors.filter((error) => error !== undefined)).toEqual([]);
  });
});
