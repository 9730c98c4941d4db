import { afterEach, beforeEach, expect, test } from 'bun:test';
import pino from 'pino';
import { createApp } from '../../src/http/app.ts';
import { Host } from '../../src/http/host.ts';
import { LIMITS } from '../../src/limits.ts';
import { type Community, KEY, openCommunity } from './support.ts';

/** Requests that need raw bytes: those of probes, old clients and attackers. */

let community: Community;
let host: Host;
let app: ReturnType<typeof createApp>;
beforeEach(async () => {
  community = await openCommunity({ settings: { requests_max: 2 } });
  const { service, keys } = community.server;
  host = new Host(pino({ enabled: false }), { requests_max: 2 });
  host.open(service, keys);
  app = createApp(host, service.settings).listen({ port: 0, hostname: '127.0.0.1' });
});
afterEach(async () => {
  await app.stop(true);
  await community.server.close();
});

/** Sends the lines of a request and gives what comes back until the connection is closed. */
async function sent(lines: readonly string[], body = ''): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: app.server?.port ?? 0,
    socket: {
      data: (_, bytes) => {
        answer += bytes.toString();
      },
      close: () => resolve(answer),
      error: () => resolve(answer),
    },
  });
  socket.write(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n${body}`);
  return promise;
}

const statusOf = (answer: string) => Number(answer.split(' ')[1]);

test('clients without a valid Host get errors, and their requests end', async () => {
  for (const head of [
    ['GET /nothing HTTP/1.0'],
    ['GET /nothing HTTP/1.1', 'host:'],
    ['GET /nothing HTTP/1.1', 'host: a b'],
    ['GET /nothing HTTP/1.1', 'host: h:99999'],
  ]) {
    const answer = await sent(head);
    expect([head, statusOf(answer)]).toEqual([head, 404]);
    expect(answer).toContain('there is nothing at /nothing"');
  }
  expect(host.requests.count).toBe(0);
});

test('an identifier in the path that is not UTF-8 matches no other identifier', async () => {
  const item_id = 'q\ufffd';
  await community.addItem(item_id);
  const asking = (method: string, id: string) =>
    sent([`${method} /v2/farcaster/items/${id} HTTP/1.1`, 'host: x', `authorization: ${KEY.authorization}`]);
  for (const method of ['GET', 'DELETE']) {
    for (const id of ['q%FF', 'q%', 'q%zz', '%E2%82']) {
      expect([id, statusOf(await asking(method, id))]).toEqual([id, 400]);
    }
  }
  expect(statusOf(await asking('GET', encodeURIComponent(item_id)))).toBe(200);
});

test('clients without a valid Host get errors of overload, and their queries are read', async () => {
  const waiting = [new Request('http://x/'), new Request('http://x/')];
  for (const request of waiting) host.requests.started(request, 'id');
  const reading = (config_id: string) =>
    sent([`GET /api/feed/config?config_id=${config_id} HTTP/1.0`, `authorization: ${KEY.authorization}`]);
  expect(statusOf(await reading('feed_1'))).toBe(503);
  expect(statusOf(await sent(['GET /healthz HTTP/1.0']))).toBe(200);
  for (const request of waiting) host.requests.finished(request, '/', 200);
  expect(await reading('feed_none')).toContain('feed_none');
  expect(host.requests.count).toBe(0);
});

test('a content-length that is sent twice does not bypass the limits of bodies', async () => {
  const body = JSON.stringify({ text: ' '.repeat(LIMITS.small_body_bytes_max) });
  const length = `content-length: ${body.length}`;
  const answer = await sent(['POST /base/events HTTP/1.1', 'host: x', length, length], body);
  expect([400, 413]).toContain(statusOf(answer));
  expect([host.requests.count, host.requests.body_bytes]).toEqual([0, 0]);
});
