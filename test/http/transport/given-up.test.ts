import { afterEach, beforeEach, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { AlphaClient, token, wallet } from '../../alpha/support.ts';
import { settled } from '../../support/manual-timers.ts';
import { samples, scrape } from '../../support/samples.ts';
import type { TestAnswer } from '../../support/service.ts';
import {
  type Community,
  type Fields,
  feedPath,
  holdWrites,
  ingestPath,
  KEY,
  openCommunity,
  whileReading,
} from '../support.ts';

/** Clients that disconnect before the answer. */

const ITEMS = ['item-1', 'item-2', 'item-3'];
/** That go on in one turn of the event loop. */
const TOGETHER = 32;

let community: Community;
beforeEach(async () => {
  // No request is slow, which would be logged.
  community = await openCommunity({ hosting: { monotonic: () => 0 } });
  for (const item_id of ITEMS) await community.addItem(item_id);
});
afterEach(() => community.server.close());

/** A request whose client can disconnect. */
function call(method: string, path: string, body?: unknown, headers: Record<string, string> = KEY) {
  const caller = new AbortController();
  const answer = community.server.call(method, path, body, headers, caller.signal);
  return { answer, hangUp: () => caller.abort() };
}

const ask = (request: Fields) => call('POST', feedPath('popular'), request);
/** Asks for the next item, and has it recorded as seen. */
const next = (user_id: string, more: Fields = {}) => ask({ user_id, top_k: 1, impression_count: 1, ...more });
const shown = async (answer: Promise<TestAnswer>) => (await answer).body.body[0]?.item_id;

async function told(community_name = 'content') {
  const found = await scrape(community.server);
  const of_community = (more: string) => `{community="${community_name}",${more}}`;
  const pages = [...found].filter(([name]) =>
    name.startsWith(`feedloom_pages_total${of_community('').slice(0, -1)}`),
  );
  const of_status = (first: string) =>
    [...found]
      .filter(([name]) => name.startsWith('feedloom_http_request_duration_seconds_count'))
      .filter(([name]) => name.includes(`status="${first}`))
      .reduce((sum, [, count]) => sum + count, 0);
  return {
    built: pages.reduce((sum, [, count]) => sum + count, 0),
    given_up: found.get('feedloom_requests_given_up_total'),
    with_499: of_status('499'),
    with_5xx: of_status('5'),
    // Beside this one.
    under_way: (found.get('feedloom_requests_under_way') ?? 0) - 1,
  };
}

test('a disconnected client leaves the queue of its viewer immediately, and the next request is served', async () => {
  const release = holdWrites(community);
  const first = next('viewer');
  const gone = Array.from({ length: LIMITS.turns_waiting_max }, () => next('viewer'));
  expect((await next('viewer').answer).status).toBe(503);
  for (const { hangUp } of gone) hangUp();
  await Promise.all(gone.map(({ answer }) => answer));
  expect(await told()).toMatchObject({ given_up: gone.length, with_499: gone.length, under_way: 1 });
  const second = next('viewer');
  release();
  const pages = [await shown(first.answer), await shown(second.answer), await shown(next('viewer').answer)];
  expect(new Set(pages)).toEqual(new Set(ITEMS));
  expect(await told()).toMatchObject({ built: 3, with_5xx: 1, under_way: 0 });
});

test('no page is built for clients that disconnect while other pages are built', async () => {
  const { seq } = community;
  const gone: ReturnType<typeof ask>[] = [];
  // Without a viewer, whose row would be read first.
  const early = { top_k: 1, return_metadata: true };
  const living = await whileReading(
    community,
    () => {
      const before = Array.from({ length: TOGETHER }, () => ask(early));
      for (let at = 0; at < 100; at++) gone.push(next(`gone-${at}`));
      return Promise.resolve([...before, ask({ user_id: 'late' })]);
    },
    async () => {
      for (const { hangUp } of gone) hangUp();
      await Promise.all(gone.map(({ answer }) => answer));
    },
  );
  for (const { answer } of living) expect((await answer).status).toBe(200);
  expect(await told()).toEqual({
    built: TOGETHER + 1,
    given_up: gone.length,
    with_499: gone.length,
    with_5xx: 0,
    under_way: 0,
  });
  expect([community.seq, community.server.log]).toEqual([seq, []]);
});

test('a client that disconnects while contents are read records no impressions', async () => {
  const { seq } = community;
  let asked = next('viewer');
  asked.hangUp();
  await asked.answer;
  await whileReading(
    community,
    async () => {
      asked = next('viewer', { return_metadata: true });
    },
    async () => asked.hangUp(),
  );
  await asked.answer;
  expect(community.seq).toBe(seq);
  expect(await told()).toMatchObject({ built: 1, given_up: 2, under_way: 0 });
});

test('impressions already sent to the store are recorded, and delay the next page of the viewer', async () => {
  const { seen } = community.server.service.store;
  const write = seen.write.bind(seen);
  const { promise: submitted, resolve: reached } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  seen.write = (...given) => {
    reached();
    return held.promise.then(() => write(...given));
  };
  const first = next('viewer');
  await submitted;
  first.hangUp();
  const second = next('viewer');
  held.resolve();
  const pages = [await shown(first.answer), await shown(second.answer)];
  expect(new Set(pages).size).toBe(2);
  expect(await told()).toMatchObject({ built: 2, given_up: 1 });
});

test('a repeated request is answered although the first client disconnected', async () => {
  const release = holdWrites(community);
  const before = next('viewer');
  const named = { request_id: 'r' };
  const [first, second, third] = [1, 2, 3].map(() => next('viewer', named));
  // It is behind them.
  const last = next('viewer');
  while ((await told()).under_way < 5) await settled();
  second.hangUp();
  await second.answer;
  first.hangUp();
  await first.answer;
  expect(await told()).toMatchObject({ given_up: 2, under_way: 3 });
  release();
  const pages = [await shown(before.answer), await shown(third.answer), await shown(last.answer)];
  expect(new Set(pages)).toEqual(new Set(ITEMS));
  expect(await shown(next('viewer', named).answer)).toBe(pages[1]);
  expect(await told()).toMatchObject({ built: 3, under_way: 0 });
});

test('no route builds a page for a disconnected client', async () => {
  const alpha = new AlphaClient(community.server);
  await alpha.events({ wallet_address: wallet(1), item_id: token(1), event_type: 'buy' });
  const config = { feed_type: 'popular' };
  const calls = [
    ...['for-you', 'trending', 'popular'].map((type) => call('POST', feedPath(type), { user_id: 'viewer' })),
    call('POST', feedPath('for-you/explain'), { user_id: 'viewer', item_id: 'item-1' }),
    call('POST', '/api/feed/preview', { config, user_id: 'viewer' }),
    call('GET', '/base/feed/popular', undefined, {}),
    call('GET', `/base/feed/for-you/${wallet(1)}`, undefined, {}),
  ];
  for (const { hangUp } of calls) hangUp();
  await Promise.all(calls.map(({ answer }) => answer));
  expect(await told()).toMatchObject({ built: 0, given_up: calls.length, with_499: calls.length });
  expect(await told('wallets')).toMatchObject({ built: 0, with_5xx: 0, under_way: 0 });
});

test('a write completes whether or not its client is still connected', async () => {
  const sent = call('POST', ingestPath('items'), [
    { item_id: 'new', author_id: 'author', created_at: community.now },
  ]);
  sent.hangUp();
  await sent.answer;
  expect(await community.stored('items', 'new')).toMatchObject({ item_id: 'new' });
  expect(await told()).toMatchObject({ given_up: 1, under_way: 0 });
});

test('an internal error is reported although the client has disconnected', async () => {
  const { feeds } = community.server.service;
  feeds.serve = () => Promise.reject(new Error('the cause of it'));
  const asked = ask({});
  asked.hangUp();
  await asked.answer;
  expect(await told()).toMatchObject({ given_up: 0, with_5xx: 1, under_way: 0 });
  expect(community.server.log.join()).toContain('the cause of it');
});

test('a closed connection ends its requests', async () => {
  const { host } = community.server;
  const url = community.server.listen();
  const release = holdWrites(community);
  try {
    const asked = JSON.stringify({ user_id: 'viewer', top_k: 1, impression_count: 1 });
    const post = (signal?: AbortSignal) =>
      fetch(`${url}${feedPath('popular')}`, { method: 'POST', headers: KEY, body: asked, signal });
    const first = post();
    const caller = new AbortController();
    const gone = Array.from({ length: 40 }, () => post(caller.signal).catch(() => undefined));
    while (host.requests.count < 41) await settled();
    caller.abort();
    await Promise.all(gone);
    while (host.requests.count > 1) await settled();
    const last = post();
    release();
    const items = [];
    for (const answer of [first, last]) {
      const { body } = (await (await answer).json()) as { body: { item_id: string }[] };
      items.push(body[0].item_id);
    }
    expect(new Set(items).size).toBe(2);
    const found = samples(await (await fetch(`${url}/metrics`)).text());
    expect(found.get('feedloom_requests_given_up_total')).toBe(40);
    expect(await told()).toMatchObject({ built: 2 });
  } finally {
    release();
  }
});
