import { afterEach, beforeEach, expect, test } from 'bun:test';
import pino from 'pino';
import { Metrics } from '../../../src/http/metrics/metrics.ts';
import { RequestLog } from '../../../src/http/transport/request-log.ts';
import { LIMITS } from '../../../src/limits.ts';
import { scrape } from '../../support/samples.ts';
import type { TestAnswer } from '../../support/service.ts';
import { newAccount } from '../config-support.ts';
import { type Community, feedPath, holdWrites, ingestPath, KEY, openCommunity } from '../support.ts';

const REQUESTS_MAX = 200;
const WAITING = LIMITS.turns_waiting_max;

let community: Community;
beforeEach(async () => {
  community = await openCommunity({ settings: { requests_max: REQUESTS_MAX } });
  for (const at of [1, 2, 3]) await community.addItem(`item-${at}`);
});
afterEach(() => community.server.close());

function expectOverloaded({ status, headers, body }: TestAnswer): void {
  expect([status, body.code]).toEqual([503, 'overloaded']);
  expect(headers.get('retry-after')).toBe('1');
  expect(headers.get('content-type')).toBe('application/problem+json');
}

function ask(user_id: string): Promise<TestAnswer> {
  return community.ask('popular', { user_id, impression_count: 1, top_k: 1 });
}

const metric = async (name: string) => (await scrape(community.server)).get(name);

test('one request above the limit is refused, and those under way are answered', async () => {
  const other = await newAccount(community.server, 'other');
  const release = holdWrites(community);
  const askOf = (at: number) => (at % 2 === 0 ? ask(`viewer-${at}`) : other.ask('popular', page(at)));
  const page = (at: number) => ({ user_id: `viewer-${at}`, impression_count: 1, top_k: 1 });
  const answers = Array.from({ length: REQUESTS_MAX }, (_, at) => askOf(at));
  expectOverloaded(await ask('one more'));
  expectOverloaded(await community.server.post(ingestPath('users'), { user_id: 'u' }));
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await community.server.call('GET', path)).status).toBe(200);
  }
  expect(await metric('feedloom_requests_under_way')).toBe(REQUESTS_MAX + 1);
  release();
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await ask('one more')).status).toBe(200);
});

test('an account has a share of the requests under way and cannot block other accounts', async () => {
  const other = await newAccount(community.server, 'other');
  const release = holdWrites(community);
  const share = REQUESTS_MAX * LIMITS.account_share;
  const answers = Array.from({ length: share }, (_, at) => ask(`viewer-${at}`));
  const refused = await ask('one more');
  expectOverloaded(refused);
  expect(refused.body.detail).toContain(`${share + 1} requests of this account are under way`);
  expect((await other.ask('popular', {})).status).toBe(200);
  release();
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await ask('one more')).status).toBe(200);
});

test('requests of one viewer queue up to a limit and delay no other viewer', async () => {
  const release = holdWrites(community);
  const answers = Array.from({ length: WAITING + 1 }, () => ask('viewer'));
  expectOverloaded(await ask('viewer'));
  const other = ask('other');
  release();
  expect((await other).status).toBe(200);
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await ask('viewer')).status).toBe(200);
});

test('large bodies that are being processed do not count as waiting, however their bytes arrive', () => {
  const log = new RequestLog(pino({ enabled: false }), new Metrics(() => undefined), REQUESTS_MAX);
  const start = () => {
    const request = new Request('http://host/', { method: 'POST' });
    log.started(request, 'id');
    return request;
  };
  const [page, small, large] = [start(), start(), start()];
  log.takeBody(small, LIMITS.small_body_bytes_max);
  expect(log.waiting).toBe(3);
  for (const bytes of [1, LIMITS.small_body_bytes_max, 7]) log.takeBody(large, bytes);
  expect([log.count, log.waiting]).toEqual([3, 2]);
  expect(log.finished(large, '/', 200)).toBe(LIMITS.small_body_bytes_max + 8);
  expect(log.finished(large, '/', 200)).toBe(0);
  expect([log.count, log.waiting]).toEqual([2, 2]);
  for (const request of [page, small]) log.finished(request, '/', 200);
  expect([log.count, log.waiting]).toEqual([0, 0]);
});

test('routes without a key accept no large body', async () => {
  const event = { text: ' '.repeat(LIMITS.small_body_bytes_max) };
  const { status, body } = await community.server.call('POST', '/base/events', event);
  expect([status, body.detail]).toEqual([
    413,
    `the body must be at most ${LIMITS.small_body_bytes_max} bytes`,
  ]);
});

test('a kind of request without a key has as many under way as it leaves free, and cannot block others', async () => {
  const share = (REQUESTS_MAX * LIMITS.keyless_share) / 2;
  const senders: WritableStreamDefaultWriter<Uint8Array>[] = [];
  const sendEvent = () => {
    const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>();
    senders.push(writable.getWriter());
    return app.handle(new Request('http://localhost/base/events', { method: 'POST', body }));
  };
  const { app } = community.server;
  const held = Array.from({ length: share }, sendEvent);
  const one_more = await sendEvent();
  expect([one_more.status, one_more.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await one_more.json()).toMatchObject({
    detail: expect.stringContaining(`${share + 1} wallet events are under way`),
  });
  const popular = new Request('http://localhost/base/feed/popular');
  expect((await app.handle(popular)).status).toBe(200);
  const paged = new Request(`http://localhost${feedPath('popular')}`, { method: 'POST', headers: KEY });
  expect((await app.handle(paged)).status).toBe(200);
  for (const sender of senders.slice(0, share)) void sender.close();
  expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([400]));
  const event = sendEvent();
  void senders.at(-1)?.close();
  expect((await event).status).toBe(400);
});

test('a request that ends in any way is no longer under way', async () => {
  const { server } = community;
  await Promise.all([
    server.call('GET', '/nothing'),
    server.call('PUT', '/healthz', {}),
    server.call('HEAD', '/healthz'),
    server.call('OPTIONS', '/healthz'),
    server.call('GET', '/swagger/json'),
    server.call('POST', ingestPath('items'), {}),
    server.post(ingestPath('items'), '{'),
    server.post(ingestPath('items'), [5]),
    community.ask('for-you', { user_id: 'x', request_id: 'r' }),
    community.ask('for-you', { user_id: 'x', top_k: 0 }),
    community.ask('for-you/explain', { user_id: 'x', item_id: 'item-1' }),
  ]);
  expect(await metric('feedloom_requests_under_way')).toBe(1);
});

test('a request whose client disconnects in the middle of its body is no longer under way', async () => {
  const { host } = community.server;
  const { port, origin } = new URL(community.server.listen());
  const head = [
    `POST ${ingestPath('users')} HTTP/1.1`,
    'host: x',
    `authorization: ${KEY.authorization}`,
    'content-length: 100000',
  ];
  const socket = await Bun.connect({ hostname: '127.0.0.1', port: Number(port), socket: { data() {} } });
  socket.write(`${head.join('\r\n')}\r\n\r\n[`);
  while (host.requests.count === 0) await fetch(`${origin}/healthz`);
  expect(host.requests.body_bytes).toBeLessThan(100_000);
  socket.end();
  while (host.requests.count > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(host.requests.body_bytes).toBe(0);
  const told = await (await fetch(`${origin}/metrics`)).text();
  expect(told).toContain('\nfeedloom_requests_given_up_total 1\n');
  expect(told).toContain('\nfeedloom_http_problems_total{code="malformed_json"} 0\n');
});
