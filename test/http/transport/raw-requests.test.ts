import { expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { forFile } from '../../support/service.ts';
import { KEY, openCommunity } from '../support.ts';

/** Requests that need raw bytes: those of probes, old clients and attackers. */

const community = await forFile(openCommunity({ settings: { requests_max: 2 } }));
const { host } = community.server;
const { port } = new URL(community.server.listen());

/** Sends the lines of a request and gives what comes back until the connection is closed. */
async function sent(lines: readonly string[], body = ''): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
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

test('a Host that gives no URL is refused, and its request ends', async () => {
  for (const name of [
    '',
    'a b',
    'h:99999',
    '[::1',
    'user@host',
    'ho/st',
    'ho?st',
    'ho#st',
    'ho\\st',
    'a%2fb',
  ]) {
    const answer = await sent(['GET /healthz HTTP/1.1', `host: ${name}`]);
    expect([name, statusOf(answer)]).toEqual([name, 400]);
    expect(answer).toContain('the header Host must be');
  }
  expect(host.requests.count).toBe(0);
});

test('every host finds the same routes, however short it is', async () => {
  for (const name of ['a', 'ab', 'abc', 'abcd', 'a:1', '::1', 'host.example:3000', '127.1']) {
    const head = (path: string) => [
      `GET ${path} HTTP/1.1`,
      `host: ${name.startsWith(':') ? `[${name}]` : name}`,
    ];
    expect([name, statusOf(await sent(head('/healthz')))]).toEqual([name, 200]);
    expect([name, statusOf(await sent(head('/xx/healthz')))]).toEqual([name, 404]);
    expect([name, statusOf(await sent(head('/api/session')))]).toEqual([name, 401]);
  }
  expect(statusOf(await sent(['GET /healthz HTTP/1.0']))).toBe(200);
  const without = await sent(['GET /nothing HTTP/1.0']);
  expect(without).toContain('there is nothing at /nothing"');
});

test('a path is served only if it is the path that was sent', async () => {
  for (const path of [
    '/x/../healthz',
    '/x/%2e%2E/healthz',
    '/./healthz',
    '/x\\..\\healthz',
    '/\\healthz',
    '/healthz#part',
    '/healthz#%FF',
    '//healthz',
    '/healthz/',
    '/healthz/..',
    '/healthz/.',
    `${'/x/..'.repeat(30)}/healthz`,
  ]) {
    const answer = await sent([`GET ${path} HTTP/1.1`, 'host: x']);
    expect([path, statusOf(answer)]).toEqual([path, 404]);
  }
  for (const path of ['/healthz', '/healthz?../x', 'http://other.example/healthz'])
    expect([path, statusOf(await sent([`GET ${path} HTTP/1.1`, 'host: x']))]).toEqual([path, 200]);
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
