import { afterEach, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { KEY } from '../http/support.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** Networks and senders whose texts end in the log and in `last_error`. */

const LENGTH = 900_000;
const SECRET = 'a-secret-of-the-sender';
const PLUGIN = join(import.meta.dir, 'support/repeating-plugin.ts');

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

interface Logged {
  server: TestServer;
  /** Lines of the service's log since the last call. */
  lines(): string[];
}

async function open(settings: Parameters<typeof openTestServer>[0] & {}): Promise<Logged> {
  const lines: string[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) });
  // The monotonic clock stands still, so no line is old enough to be repeated.
  const opening = { log, timers: new ManualTimers(), monotonicMs: () => 0 };
  const server = await openTestServer({ ...settings, opening });
  closings.push(() => server.close());
  return { server, lines: () => lines.splice(0) };
}

/** Runs the connector of a service whose Jetstream server sends these messages. @returns its status */
async function readJetstream(messages: object[]): Promise<Logged & { status: { last_error: string } }> {
  const network = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('', { status: 400 })),
    websocket: {
      open: (socket) => {
        for (const message of messages) socket.send(JSON.stringify(message));
      },
      message() {},
      backpressureLimit: 64_000_000,
    },
  });
  closings.push(() => network.stop(true));
  const url = `ws://127.0.0.1:${network.port}/xrpc/network.bsky.jetstream.subscribeEvents`;
  const logged = await open({ settings: { connect: [`bluesky?url=${url}`] } });
  logged.server.service.connectors.start();
  for (;;) {
    const { body } = await logged.server.call('GET', '/api/connectors', undefined, KEY);
    if (body.data[0].state === 'stalled') return { ...logged, status: body.data[0] };
    await settled();
  }
}

const notice = (message: string) => ({
  $type: 'message',
  payload: { $type: 'network.bsky.jetstream.subscribeEvents#info', name: 'Slow', message },
});
const failure = (message: string) => ({ $type: 'error', error: 'Broken', message });

test('a Jetstream server fills neither the log nor the list of connectors with its texts', async () => {
  const control = await readJetstream([notice('read faster'), failure('no disk')]);
  expect(control.status.last_error).toBe('the server ended the stream: Broken: no disk');
  const lines = control.lines().map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { msg: 'the server sent a notice', notice: 'Slow: read faster' },
    { cause: 'the server ended the stream: Broken: no disk' },
  ]);

  const notices = Array.from({ length: 10 }, (_, at) => notice(`${at}`.repeat(LENGTH)));
  const bad = Array.from({ length: 10 }, (_, at) => ({ $type: `${at}`.repeat(LENGTH) }));
  const attack = await readJetstream([...notices, ...bad, failure('x'.repeat(LENGTH))]);
  expect(attack.status.last_error).toMatch(
    /^the server ended the stream: Broken: x+… \(900037 characters\)$/,
  );
  expect(attack.status.last_error.length).toBeLessThan(1_100);
  const flooded = attack.lines();
  expect(flooded).toHaveLength(3);
  expect(flooded.join('').length).toBeLessThan(5_000);
});

test('deliveries fill neither the log nor the list of webhooks with their texts', async () => {
  const webhook = [`acme/repeating_v1.0.0#hook?secret=${SECRET}`];
  const { server, lines } = await open({ settings: { plugins: PLUGIN, webhook } });
  const deliver = async (text: string) => {
    const body = JSON.stringify({ text });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const path = '/v2/farcaster/hooks/hook';
    expect((await server.call('POST', path, body, { 'x-acme-signature': signature })).status).toBe(400);
    return (await server.call('GET', '/api/webhooks', undefined, KEY)).body.data[0].last_error;
  };
  expect(await deliver('short')).toEndWith('cannot be mapped: short');
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { deliveries: [{ text: 'short' }], msg: 'a delivery that begins with short', plugin: 'acme' },
    { cause: expect.stringContaining('short'), webhook: 'hook' },
  ]);

  let last_error = '';
  for (let count = 100; count < 200; count++) last_error = await deliver(`${count}${'x'.repeat(100_000)}`);
  expect(last_error.length).toBeLessThan(1_100);
  const flooded = lines();
  // The messages of the plugin differ, so the first 64 count as different kinds.
  expect(flooded.length).toBeLessThan(70);
  for (const line of flooded) expect(line.length).toBeLessThan(2_500);
});
