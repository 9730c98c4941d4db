import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import pino from 'pino';
import { createApp } from '../../src/http/app.ts';
import { Host } from '../../src/http/transport/host.ts';
import { beginBody, type Sending } from '../support/sent-body.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** Callers without a key withhold the bodies of requests of one kind. */

const SECRET = 'a-secret-of-the-sender';
const DELIVERY = JSON.stringify({ type: 'frame.new', created_at: 1, data: {} });
/** Less than a quarter of the requests under way may be without a key. */
const REQUESTS_MAX = 64;
const EVENTS = '/base/events';
const hook = (name: string) => `/v2/farcaster/hooks/${name}`;

let server: TestServer;
let app: ReturnType<typeof createApp>;
beforeEach(async () => {
  const webhook = [`neynar?secret=${SECRET}`, `neynar#other?secret=${SECRET}`];
  server = await openTestServer({ settings: { webhook } });
  const host = new Host(pino({ enabled: false }), { requests_max: REQUESTS_MAX });
  host.open(server.service, server.keys);
  app = createApp(host, server.service.settings);
});
afterEach(() => server.close());

const signed = (body: string) => ({
  'x-neynar-signature': createHmac('sha512', SECRET).update(body).digest('hex'),
});

function deliver(name: string): Promise<Response> {
  const { answer, send, end } = beginBody(app, hook(name), DELIVERY.length, signed(DELIVERY));
  void send(DELIVERY).catch(() => {});
  end();
  return answer;
}

const read = (path: string) => app.handle(new Request(`http://localhost${path}`));

/** The statuses of calls of each kind without a key that do no harm. */
async function statuses() {
  const answers = {
    webhook: await deliver('neynar'),
    other_webhook: await deliver('other'),
    bluesky: await read('/xrpc/app.bsky.feed.describeFeedGenerator'),
    wallets: await read('/base/feed/popular'),
  };
  return Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]));
}

const ALL_ANSWERED = { webhook: 200, other_webhook: 200, bluesky: 200, wallets: 200 };

/** Begins requests without their bodies, more than all callers without a key may have under way. */
function hold(path: string, headers: Record<string, string> = {}): Sending[] {
  return Array.from({ length: REQUESTS_MAX / 2 }, () => beginBody(app, path, 60_000, headers));
}

test('withheld bodies of one kind, or of several, keep none of the other kinds out', async () => {
  expect(await statuses()).toEqual(ALL_ANSWERED);
  const events = hold(EVENTS);
  expect(await statuses()).toEqual(ALL_ANSWERED);
  const sign_ins = hold('/api/console/session');
  expect(await statuses()).toEqual(ALL_ANSWERED);
  const deliveries = hold(hook('other'), signed('another body'));
  expect(await statuses()).toEqual({ ...ALL_ANSWERED, other_webhook: 503 });
  const held = [...events, ...sign_ins, ...deliveries];
  for (const { end } of held) end();
  const ended = await Promise.all(held.map(async ({ answer }) => (await answer).status));
  expect(ended).toContain(503);
  expect(await statuses()).toEqual(ALL_ANSWERED);
});
