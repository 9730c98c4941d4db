import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API_KEY, openTestServer, type TestAnswer, type TestServer } from '../../support/service.ts';
import { feedPath, ingestPath } from '../support.ts';

const APP = 'https://app.example';
const LOCAL = 'http://localhost:5173';

let listed: TestServer;
let open: TestServer;
let closed: TestServer;
beforeAll(async () => {
  listed = await openTestServer({ settings: { cors_origins: [APP, LOCAL] } });
  open = await openTestServer({ settings: { cors_origins: ['*'] } });
  closed = await openTestServer();
});
afterAll(async () => {
  for (const server of [listed, open, closed]) await server.close();
});

const BEARER = { authorization: `Bearer ${API_KEY}` };

function popular(server: TestServer, headers: Record<string, string>): Promise<TestAnswer> {
  return server.call('POST', feedPath('popular'), {}, headers);
}

function preflight(server: TestServer, origin: string, path = feedPath('for-you')): Promise<TestAnswer> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  return server.call('OPTIONS', path, undefined, headers);
}

/** The headers of an answer that speak of origins. */
function corsOf({ headers }: TestAnswer): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
}

const EXPOSED = { 'access-control-expose-headers': 'x-request-id, etag, retry-after, allow, traceparent' };

describe('a request from a listed origin', () => {
  test('a listed origin is allowed on every answer, including errors', async () => {
    for (const origin of [APP, LOCAL]) {
      const answers = [
        await popular(listed, { ...BEARER, origin }),
        await popular(listed, { origin }),
        await listed.call('GET', '/nowhere', undefined, { origin }),
        await listed.call('PUT', '/healthz', undefined, { origin }),
        await listed.call('POST', ingestPath('items'), '{', { ...BEARER, origin }),
        await listed.call('GET', '/healthz', undefined, { origin }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 400, 200]);
      for (const answer of answers)
        expect(corsOf(answer)).toEqual({
          vary: 'Origin',
          'access-control-allow-origin': origin,
          ...EXPOSED,
        });
    }
  });

  test('a preflight of a listed origin lists what the service accepts', async () => {
    for (const path of [feedPath('for-you'), ingestPath('items'), '/api/feed/config', '/base/events']) {
      const answer = await preflight(listed, APP, path);
      expect([answer.status, answer.body]).toEqual([204, undefined]);
      expect(answer.headers.get('x-request-id')).not.toBeNull();
      expect(corsOf(answer)).toEqual({
        vary: 'Origin',
        'access-control-allow-origin': APP,
        ...EXPOSED,
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'authorization, content-type, x-api-key, if-match, http-referer, x-title, x-feedloom-viewer, traceparent, tracestate, baggage',
        'access-control-max-age': '7200',
      });
    }
  });
});

describe('an origin that is not listed', () => {
  test.each(['https://evil.example', 'https://app.example.evil.example', 'http://app.example', 'null', ''])(
    "an origin that is not listed gets no CORS headers: '%s'",
    async (origin) => {
      const answer = await popular(listed, { ...BEARER, origin });
      expect([answer.status, corsOf(answer)]).toEqual([200, { vary: 'Origin' }]);
      const asked = await preflight(listed, origin);
      expect([asked.status, corsOf(asked)]).toEqual([405, { vary: 'Origin' }]);
    },
  );

  test('caches keep answers of unlisted origins apart, also for requests without an origin', async () => {
    expect(corsOf(await popular(listed, BEARER))).toEqual({ vary: 'Origin' });
  });
});

test('with * every origin may call, and the answer is the same for all', async () => {
  for (const origin of [APP, 'null']) {
    const all = { 'access-control-allow-origin': '*', ...EXPOSED };
    expect(corsOf(await popular(open, { ...BEARER, origin }))).toEqual(all);
    const asked = await preflight(open, origin);
    expect([asked.status, corsOf(asked)]).toMatchObject([204, all]);
  }
});

test('without the setting no CORS header is sent', async () => {
  expect(corsOf(await popular(closed, { ...BEARER, origin: APP }))).toEqual({});
  const asked = await preflight(closed, APP);
  expect([asked.status, corsOf(asked)]).toEqual([405, {}]);
});

test('cookies are never allowed', async () => {
  for (const server of [listed, open])
    for (const answer of [await popular(server, { ...BEARER, origin: APP }), await preflight(server, APP)])
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});

test('OPTIONS without preflight headers is refused like any other method', async () => {
  const { status, headers } = await listed.call('OPTIONS', '/healthz', undefined, { origin: APP });
  expect([status, headers.get('allow')]).toEqual([405, 'GET']);
});
