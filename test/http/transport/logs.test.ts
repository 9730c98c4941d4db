import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { ServiceError } from '../../../src/errors.ts';
import { createApp } from '../../../src/http/app.ts';
import { Metrics } from '../../../src/http/metrics/metrics.ts';
import { Host } from '../../../src/http/transport/host.ts';
import { RequestLog } from '../../../src/http/transport/request-log.ts';
import { LOG_LEVELS, readSettings } from '../../../src/settings.ts';
import { API_KEY, forFile, openTestServer } from '../../support/service.ts';
import { feedPath, ingestPath, KEY } from '../support.ts';

const server = await forFile(openTestServer({ settings: { log_level: 'debug' } }));

/** What is logged while a task runs. */
async function loggedBy(task: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = server.log.length;
  await task();
  return server.log.slice(before).map((line) => JSON.parse(line));
}

const DEBUG = 20;
const ERROR = 50;

describe('at debug each request is one line', () => {
  test('the log line of a request has method, route, status, time, request id and account', async () => {
    let request_id: string | null = null;
    const lines = await loggedBy(async () => {
      request_id = (await server.post(feedPath('popular'), {})).headers.get('x-request-id');
    });
    expect(lines).toHaveLength(1);
    const [{ ms, time, ...line }] = lines;
    expect(line as object).toEqual({
      level: DEBUG,
      method: 'POST',
      route: '/v2/community/casts/feed/popular',
      status: 200,
      request_id,
      account: 'default',
      msg: 'request',
    });
    expect(ms).toBeNumber();
    expect(time).toBeNumber();
  });

  const cases: [string, string, string, unknown, object][] = [
    [
      'with the pattern of a path',
      'GET',
      `${ingestPath('items')}/secret-item`,
      undefined,
      { route: '/v2/community/items/:id', status: 404 },
    ],
    [
      'without a route for unknown paths',
      'GET',
      '/secret/path?key=secret-key',
      undefined,
      { route: 'none', status: 404 },
    ],
    ['of a refused body', 'POST', feedPath('popular'), { top_k: 0 }, { status: 400, account: 'default' }],
    ['of another method', 'PUT', '/healthz', {}, { route: 'none', status: 405 }],
    ['of operations', 'GET', '/metrics', undefined, { route: '/metrics', status: 200 }],
  ];
  for (const [name, method, path, body, expected] of cases) {
    test(name, async () => {
      const lines = await loggedBy(() => server.call(method, path, body, KEY));
      expect(lines).toMatchObject([{ method, ...expected }]);
      expect(JSON.stringify(lines)).not.toContain('secret');
    });
  }

  test('the log line of a request with an unknown key has no account', async () => {
    const lines = await loggedBy(() => server.call('POST', feedPath('popular'), {}, { 'x-api-key': 'x' }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ status: 401 });
    expect(lines[0]).not.toHaveProperty('account');
  });
});

test('at level info a request is not logged', async () => {
  await using quiet = await openTestServer();
  await quiet.post(feedPath('popular'), {});
  await quiet.post(feedPath('popular'), { top_k: 0 });
  await quiet.call('GET', '/nothing');
  expect(quiet.log).toEqual([]);
});

test('a request that takes a second is logged as a warning, unless its client disconnected', () => {
  const lines: string[] = [];
  let now_ms = 0;
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) });
  const requests = new RequestLog(log, new Metrics(() => undefined), 10, () => now_ms);
  const caller = new AbortController();
  const patient = new Request('http://host/');
  const gone = new Request('http://host/', { signal: caller.signal });
  for (const request of [patient, gone]) requests.started(request, 'id');
  caller.abort();
  now_ms += 1_000;
  requests.finished(gone, '/gone', 200);
  requests.finished(patient, '/patient', 200);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { route: '/patient', status: 200, ms: 1_000, msg: 'slow request' },
  ]);
  expect(lines).toHaveLength(1);
});

test('slow requests of a route are logged every ten seconds, with the number of suppressed lines', () => {
  const lines: string[] = [];
  let now_ms = 0;
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) });
  const requests = new RequestLog(log, new Metrics(() => undefined), 10, () => now_ms);
  const answerSlowly = (route: string) => {
    const request = new Request('http://host/');
    requests.started(request, 'id');
    now_ms += 2_000;
    requests.finished(request, route, 400);
  };
  for (const route of ['/a', '/a', '/b', '/a', '/a', '/a', '/a', '/b']) answerSlowly(route);
  const told = lines.map((line) => JSON.parse(line)).map(({ route, unlogged }) => [route, unlogged]);
  expect(told).toEqual([
    ['/a', undefined],
    ['/b', undefined],
    ['/a', 3],
    ['/b', undefined],
  ]);
});

test('a 500 is logged as an error with the request id and the cause, which the answer lacks', async () => {
  await using broken = await openTestServer({ settings: { log_level: 'error' } });
  broken.service.feeds.serve = () => Promise.reject(new Error('the cause of it'));
  const answer = await broken.post(feedPath('popular'), {});
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).not.toContain('the cause of it');
  expect(broken.log).toHaveLength(1);
  expect(JSON.parse(broken.log[0])).toMatchObject({
    level: ERROR,
    code: 'internal',
    cause: ['the cause of it'],
    request_id: answer.headers.get('x-request-id'),
  });
});

test('refusals of the store are logged every ten seconds per reason, with the number of suppressed lines', () => {
  const lines: string[] = [];
  let now_ms = 5_000;
  const log = pino({ base: undefined, timestamp: false }, { write: (line: string) => lines.push(line) });
  const requests = new RequestLog(log, new Metrics(() => undefined), 10, () => now_ms);
  const refuse = (request_id: string, reason = 'no room') => {
    const error = new ServiceError('store_unavailable', 'the disk is full', undefined, 5, {
      cause: new Error(reason),
    });
    requests.failed('', request_id, error, error);
  };
  for (const request_id of ['a', 'b', 'c']) refuse(request_id);
  now_ms += 9_999;
  refuse('d');
  now_ms += 1;
  refuse('e');
  now_ms += 10_000;
  refuse('f');
  const told = lines.map((line) => JSON.parse(line));
  const shared = { level: ERROR, code: 'store_unavailable', cause: ['no room'], msg: 'the disk is full' };
  expect(told).toMatchObject([
    { ...shared, request_id: 'a' },
    { ...shared, request_id: 'e', unlogged: 3 },
    { ...shared, request_id: 'f' },
  ]);
  expect([told[0].unlogged, told[2].unlogged]).toEqual([undefined, undefined]);
  refuse('g', 'another reason');
  expect(lines).toHaveLength(4);
});

test('faults of one place in the code are logged every ten seconds, whatever callers made their texts', () => {
  const lines: string[] = [];
  let now_ms = 0;
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) });
  const requests = new RequestLog(log, new Metrics(() => undefined), 10, () => now_ms);
  const internal = new ServiceError('internal', 'something went wrong');
  const failHere = (text: string) => requests.failed('', 'id', internal, new Error(text));
  const failThere = (text: string) => requests.failed('', 'id', internal, new Error(text));
  for (const text of ['a', 'b', 'c']) failHere(text);
  failThere('a');
  expect(lines.map((line) => JSON.parse(line).cause)).toEqual([['a'], ['a']]);
  now_ms += 10_000;
  failHere('d');
  expect(JSON.parse(lines[2])).toMatchObject({ cause: ['d'], unlogged: 2 });
});

test('a request ends even if its log line cannot be written', async () => {
  const full = () => {
    throw new Error('no space left');
  };
  const host = new Host(pino({ level: 'debug' }, { write: full }));
  const { service, keys } = server;
  const app = createApp(host, service.settings);
  const feeds = { ...service.feeds, serve: () => Promise.reject(new Error('the cause of it')) };
  host.open(Object.assign(Object.create(service), { feeds }), keys);
  const asked = [
    new Request('http://localhost/healthz'),
    new Request('http://localhost/nothing'),
    new Request(`http://localhost${feedPath('popular')}`, { method: 'POST', headers: KEY }),
  ];
  for (const request of asked) await app.handle(request).catch(() => {});
  expect([host.requests.arrived, host.requests.count]).toEqual([3, 0]);
});

describe('no log line contains a key, an Authorization header or a body', () => {
  const WRONG = 'wrong-key-5e1f';
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const ways: [string, Record<string, string>][] = [
    ['Bearer', { authorization: `Bearer ${API_KEY}` }],
    ['Bearer, unknown', { authorization: `Bearer ${WRONG}` }],
    ['Basic', { authorization: basic(`me:${API_KEY}`) }],
    ['Basic, raw', { authorization: `Basic ${API_KEY}` }],
    ['Basic, unknown', { authorization: basic(`me:${WRONG}`) }],
    ['Basic, raw and unknown', { authorization: `Basic ${WRONG}` }],
    ['x-api-key', { 'x-api-key': API_KEY }],
    ['x-api-key, unknown', { 'x-api-key': WRONG }],
    ['no scheme', { authorization: WRONG }],
    ['another scheme', { authorization: `Digest ${WRONG}` }],
    ['both headers', { authorization: `Bearer ${WRONG}`, 'x-api-key': API_KEY }],
  ];
  const bodies: [string, string][] = [
    ['sound JSON', `{"user_id":"private-user-77","api_key":"${WRONG}"}`],
    ['malformed JSON', `{"user_id":"private-user-77","api_key":${WRONG}`],
    ['JSON that is only a key', `${WRONG}`],
    ['a bad value', `{"user_id":"private-user-77","top_k":"${WRONG}"}`],
    ['an unknown filter', `{"user_id":"private-user-77","filters":{"${WRONG}":1}}`],
  ];
  const forbidden = [
    API_KEY,
    WRONG,
    'private-user-77',
    'Bearer ',
    'Basic ',
    'Digest ',
    basic(`me:${API_KEY}`).slice(6),
    basic(`me:${WRONG}`).slice(6),
  ];
  for (const [name, headers] of ways) {
    test(name, async () => {
      const lines = await loggedBy(async () => {
        for (const [, body] of bodies) {
          await server.call('POST', feedPath('for-you'), body, headers);
          await server.call('POST', ingestPath('users'), body, headers);
          await server.call('POST', `${feedPath('for-you')}?key=${WRONG}`, body, headers);
          await server.call('GET', `/${WRONG}`, undefined, headers);
          await server.call('GET', `${ingestPath('users')}/${WRONG}`, undefined, headers);
          await server.call('GET', '/api/plugins', undefined, headers);
        }
      });
      expect(lines).toHaveLength(6 * bodies.length);
      const text = JSON.stringify(lines);
      for (const secret of forbidden) expect(text).not.toContain(secret);
    });
  }
});

describe('the setting', () => {
  test('the log level is info by default', () => {
    expect(readSettings({}).log_level).toBe('info');
    for (const level of LOG_LEVELS) expect(readSettings({ FEEDLOOM_LOG_LEVEL: level }).log_level).toBe(level);
    expect(readSettings({ FEEDLOOM_LOG_LEVEL: 'warn' }, { log_level: 'error' }).log_level).toBe('error');
  });
  for (const bad of ['INFO', 'verbose', '30', ' ']) {
    test(`the log level cannot be '${bad}'`, () => {
      expect(() => readSettings({ FEEDLOOM_LOG_LEVEL: bad })).toThrow('debug, info, warn, error, silent');
    });
  }
});
