import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { ConnectorHost, ConnectorRecord } from 'feedloom/plugin';
import bluesky from '../../plugins/integrations/bluesky.ts';
import farcaster from '../../plugins/integrations/farcaster.ts';
import { NO_MAPS } from '../support/no-maps.ts';

/** Servers of networks that answer with what a connector cannot hold. */

const BOMB = Bun.gzipSync(new Uint8Array(100_000_000));
const MEGABYTE = new Uint8Array(1_000_000).fill(0x20);

/** Called for each warning of a connector. */
let warned = (): void => {};
/** A server whose answer the test decides. */
let answer: (url: URL) => Response;
let headers: Headers[];
let sent_bytes: number;
let server: Bun.Server<undefined>;
beforeEach(() => {
  headers = [];
  sent_bytes = 0;
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      headers.push(request.headers);
      return answer(new URL(request.url));
    },
  });
});
afterEach(() => {
  warned = () => {};
  return server.stop(true);
});

const compressed = (status: number) =>
  new Response(BOMB, { status, headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' } });

/** Spaces without end. */
const endless = (status: number) => {
  const body = new ReadableStream({
    pull: (stream) => {
      sent_bytes += MEGABYTE.length;
      stream.enqueue(MEGABYTE);
    },
  });
  return new Response(body, { status });
};

/** Runs a connector until it fails. @returns the records that it emitted, and why it failed */
async function run(
  start: (host: ConnectorHost) => Promise<void>,
  cursor?: string,
): Promise<{ records: ConnectorRecord[]; reason: string }> {
  const records: ConnectorRecord[] = [];
  const log = { info() {}, warn: () => warned(), error() {} };
  const host: ConnectorHost = {
    cursor,
    signal: new AbortController().signal,
    clock: { now: () => 1_700_000_000 },
    log,
    warning() {},
    async *current() {},
    emit: async (emitted) => {
      records.push(...emitted);
      return { accepted: emitted.length, rejected_count: 0, rejected: [] };
    },
  };
  const reason = await start(host).then(
    () => '',
    (error) => String(error),
  );
  return { records, reason };
}

const jetstream = () => {
  const host = `127.0.0.1:${server.port}`;
  const url = `ws://${host}/xrpc/network.bsky.jetstream.subscribeEvents`;
  const start = bluesky.connect!(
    { url, collections: ['posts'], dids: [], lists: [], back_hours: 0 },
    NO_MAPS,
  );
  return run(start, `1700000000000000 5 ${host}`);
};

test('a Jetstream server that refuses a subscription cannot send more than a reason', async () => {
  // The control: the reason is read, and the stream is opened again without the number.
  answer = (url) =>
    url.searchParams.get('cursor') === '5'
      ? Response.json({ error: 'CursorTooOld' }, { status: 400 })
      : new Response('closed', { status: 503 });
  expect((await jetstream()).reason).toContain('503');
  expect(headers).toHaveLength(3);
  for (const each of headers) expect(each.get('sec-websocket-extensions')).toBeNull();

  answer = () => compressed(400);
  expect((await jetstream()).reason).toContain('the answer is compressed (gzip)');
  expect(headers.at(-1)?.get('accept-encoding')).toBe('identity');
  answer = () => endless(400);
  expect((await jetstream()).reason).toContain('more than 16384 bytes');
  expect(sent_bytes).toBeLessThan(20_000_000);
  headers = [];
  answer = () => Response.redirect('/elsewhere', 302);
  expect((await jetstream()).reason).toContain('redirect');
  expect(headers).toHaveLength(2);
});

test('a Jetstream server that sends a message without measure is left', async () => {
  let connections = 0;
  let message = '';
  await using streaming = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('', { status: 400 })),
    websocket: {
      open: (socket) => {
        connections++;
        socket.send(message);
        socket.close();
      },
      message() {},
      backpressureLimit: 64_000_000,
    },
  });
  const url = `ws://127.0.0.1:${streaming.port}/subscribe`;
  const start = () =>
    run(bluesky.connect!({ url, collections: ['posts'], dids: [], lists: [], back_hours: 0 }, NO_MAPS));
  // The control: a bad message is skipped, and the connection ends when the server ends it.
  message = 'x'.repeat(2_000_000);
  expect((await start()).reason).toContain('the connection was closed (code');
  message = 'x'.repeat(33_000_000);
  expect((await start()).reason).toContain('the server sent a message of 33000000 characters');
  expect(connections).toBe(2);
});

test('a Jetstream server that floods a connector without events leaves turns to others, and is left', async () => {
  const like = { operation: 'create', collection: 'app.bsky.feed.like', rkey: 'r' };
  const record = {
    subject: { uri: 'at://did:plc:a/app.bsky.feed.post/1' },
    createdAt: '2023-11-14T00:00:00Z',
  };
  const event = {
    did: 'did:plc:b',
    time_us: 1_699_900_000_000_000,
    kind: 'commit',
    commit: { ...like, record },
  };
  let messages: string[] = [];
  await using streaming = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('', { status: 400 })),
    websocket: {
      open: (socket) => {
        for (const message of messages) socket.send(message);
        socket.close();
      },
      message() {},
      backpressureLimit: 64_000_000,
    },
  });
  let warnings = 0;
  let of_turn = 0;
  let most_of_turn = 0;
  warned = () => {
    warnings++;
    most_of_turn = Math.max(most_of_turn, ++of_turn);
  };
  let is_over = false;
  const watch = () => {
    of_turn = 0;
    if (!is_over) setImmediate(watch);
  };
  watch();
  const url = `ws://127.0.0.1:${streaming.port}/subscribe`;
  const start = () =>
    run(bluesky.connect!({ url, collections: ['likes'], dids: [], lists: [], back_hours: 0 }, NO_MAPS));
  // The control: some bad messages are skipped, and the events after them are read.
  messages = [...Array(3_000).fill(''), JSON.stringify(event)];
  const control = await start();
  expect(control.reason).toContain('the connection was closed (code');
  expect(control.records).toHaveLength(1);
  expect(warnings).toBe(3_000);

  messages = [...Array(50_000).fill(''), JSON.stringify(event)];
  const attack = await start();
  is_over = true;
  expect(attack.reason).toContain('the server sent 10000 messages in a row without an event');
  expect(attack.records).toEqual([]);
  expect(warnings).toBe(13_000);
  expect(most_of_turn).toBeLessThanOrEqual(400);
});

test('a Snapchain node cannot send more than a page of messages', async () => {
  const event = { id: 2 ** 14 + 1, type: 'HUB_EVENT_TYPE_BLOCK_CONFIRMED' };
  const events = (content: () => Response) => (url: URL) =>
    url.pathname === '/v1/info' ? Response.json({ shardInfos: [{ shardId: 1, maxHeight: 9 }] }) : content();
  const snapchain = () => {
    const url = `http://127.0.0.1:${server.port}`;
    const options = { url, shards: [], backfill: [], poll_seconds: 0, key: '', key_header: 'x-api-key' };
    return run(farcaster.connect!({ ...options, start_at: 'oldest' }, NO_MAPS));
  };
  let requests = 0;
  // The control: a page is read, and then the next one.
  answer = events(() =>
    requests++ === 0 ? Response.json({ events: [event] }) : new Response('over', { status: 500 }),
  );
  expect((await snapchain()).reason).toContain('/v1/events answered 500: over');

  answer = events(() => compressed(200));
  expect((await snapchain()).reason).toContain('the answer is compressed (gzip)');
  for (const content of ['['.repeat(4_000_000), `[${'[],'.repeat(600_000)}[]]`]) {
    answer = events(() => new Response(`{"events":${content}}`));
    expect((await snapchain()).reason).toContain('/v1/events answered with invalid JSON');
  }
  answer = events(() => new Response(`{"events":[${'{},'.repeat(1_000)}{}]}`));
  expect((await snapchain()).reason).toContain('/v1/events answered with 1001 events; 1000 were asked for');
  headers = [];
  answer = events(() => endless(200));
  expect((await snapchain()).reason).toContain('/v1/events: the answer has more than 8388608 bytes');
  // Shorter pages do not help, so the last one is of a single event.
  expect(headers).toHaveLength(12);
  expect(sent_bytes).toBeLessThan(12 * 40_000_000);
});

test('an impossible number of a Snapchain node does not keep a connector from later events', async () => {
  const asked: string[] = [];
  let pages: object[][] = [];
  answer = (url) => {
    if (url.pathname === '/v1/info') return Response.json({ shardInfos: [{ shardId: 1, maxHeight: 9 }] });
    asked.push(url.searchParams.get('from_event_id') ?? '');
    const events = pages.shift();
    return events === undefined ? new Response('over', { status: 500 }) : Response.json({ events });
  };
  const url = `http://127.0.0.1:${server.port}`;
  const options = { url, shards: [], backfill: [], poll_seconds: 0, key: '', key_header: 'x-api-key' };
  const snapchain = (cursor?: string) =>
    run(farcaster.connect!({ ...options, start_at: 'oldest' }, NO_MAPS), cursor);
  const event = (id: number) => ({ id, type: 'HUB_EVENT_TYPE_BLOCK_CONFIRMED' });
  // The control: reading goes on behind the last event.
  pages = [[event(5 * 2 ** 14)]];
  await snapchain();
  expect(asked).toEqual(['0', String(5 * 2 ** 14 + 1)]);
  // The impossible event is left out.
  asked.length = 0;
  pages = [[event(5 * 2 ** 14), event(Number.MAX_SAFE_INTEGER)]];
  await snapchain();
  expect(asked).toEqual(['0', String(5 * 2 ** 14 + 1)]);
  // A position that was stored from one begins again.
  asked.length = 0;
  await snapchain(JSON.stringify({ shards: { 1: Number.MAX_SAFE_INTEGER } }));
  expect(asked).toEqual([String(9 * 2 ** 14)]);
});
