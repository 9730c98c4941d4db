import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import pino from 'pino';
import { createApp } from '../../src/http/app.ts';
import { Host } from '../../src/http/transport/host.ts';
import { LIMITS } from '../../src/limits.ts';
import { KEY } from '../http/support.ts';
import { beginBody } from '../support/sent-body.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** Strangers send well-formed signatures that are false, and withhold the last byte of each body. */

const SECRET = 'a-secret-of-the-sender';
/** Together they are more than the room for all bodies. */
const DELIVERIES = 66;

let server: TestServer;
let host: Host;
let app: ReturnType<typeof createApp>;
beforeEach(async () => {
  const webhook = [`neynar?secret=${SECRET}`, `neynar#other?secret=${SECRET}`];
  server = await openTestServer({ settings: { webhook } });
  host = new Host(pino({ enabled: false }));
  host.open(server.service, server.keys);
  app = createApp(host, server.service.settings);
});
afterEach(() => server.close());

const signed = (body: string) => ({
  'x-neynar-signature': createHmac('sha512', SECRET).update(body).digest('hex'),
});

/** Sends a whole body. @returns the status */
async function post(path: string, body: string, headers: Record<string, string>): Promise<number> {
  const { answer, send, end } = beginBody(app, path, body.length, headers);
  void send(body).catch(() => {});
  end();
  return (await answer).status;
}

/** The statuses of the largest body of an account, and of a large delivery to another webhook. */
async function othersStatuses(): Promise<number[]> {
  const delivery = JSON.stringify({ type: 'frame.new', created_at: 1, data: { text: 'x'.repeat(500_000) } });
  return [
    await post('/v2/farcaster/users', `[${' '.repeat(LIMITS.body_bytes_max - 2)}]`, KEY),
    await post('/v2/farcaster/hooks/other', delivery, signed(delivery)),
  ];
}

test('deliveries that are not signed take no memory from accounts and from other webhooks', async () => {
  expect(await othersStatuses()).toEqual([200, 200]);
  const length = LIMITS.webhook_body_bytes_max;
  const held = Array.from({ length: DELIVERIES }, () =>
    beginBody(app, '/v2/farcaster/hooks/neynar', length, signed('another body')),
  );
  await Promise.all(held.map(({ send }) => send(' '.repeat(length - 1)).catch(() => {})));
  const room = LIMITS.bodies_bytes_max * LIMITS.webhook_share;
  expect(host.requests.body_bytes).toBeLessThanOrEqual(room);
  expect(host.requests.body_bytes).toBeGreaterThan(room - length);
  expect(await othersStatuses()).toEqual([200, 200]);
  await Promise.all(held.map(({ send }) => send(' ').catch(() => {})));
  for (const { end } of held) end();
  const statuses = await Promise.all(held.map(async ({ answer }) => (await answer).status));
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect(host.requests.body_bytes).toBe(0);
});
