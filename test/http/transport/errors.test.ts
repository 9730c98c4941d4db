import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import { createApp } from '../../../src/http/app.ts';
import { Host } from '../../../src/http/transport/host.ts';
import { readSettings } from '../../../src/settings.ts';
import { forFile, openTestServer, type TestAnswer } from '../../support/service.ts';
import { feedPath, ingestPath, KEY } from '../support.ts';

const server = await forFile(openTestServer());

const ITEM = `${ingestPath('items')}/x`;

/** What every error answer has. */
function expectProblem({ headers, body }: TestAnswer, status: number, code: string): void {
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(body).toMatchObject({ type: `urn:feedloom:error:${code}`, status, code });
  expect(typeof body.title).toBe('string');
  expect(body.detail.length).toBeGreaterThan(0);
}

test('every answer, including errors and files, forbids sniffing and referrers and names no server', async () => {
  const answers = [
    await server.call('GET', '/healthz'),
    await server.call('HEAD', '/healthz'),
    await server.call('GET', '/metrics'),
    await server.call('GET', '/swagger'),
    await server.call('GET', '/swagger/json'),
    await server.call('GET', '/swagger/swagger-ui.css'),
    await server.call('GET', '/base/feed/popular'),
    await server.post(feedPath('trending')),
    await server.post(feedPath('trending'), { user_id: 'u', request_id: 'r' }),
    await server.post(feedPath('trending'), '{'),
    await server.post(ingestPath('items'), []),
    await server.post(ingestPath('items'), [5]),
    await server.call('GET', ITEM),
    await server.call('GET', '/nothing'),
    await server.call('PUT', '/healthz', {}),
  ];
  for (const { headers } of answers) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

test('every answer has its own x-request-id', async () => {
  const answers = [
    await server.call('GET', '/healthz'),
    await server.call('GET', '/readyz'),
    await server.call('HEAD', '/healthz'),
    await server.get('/api/plugins'),
    await server.post(feedPath('trending')),
    await server.post(ingestPath('items'), []),
    await server.post(ingestPath('items'), [5]),
    await server.call('GET', '/nothing'),
    await server.call('PUT', '/healthz', {}),
  ];
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(ids).not.toContain(null);
  expect(new Set(ids).size).toBe(answers.length);
});

describe('a problem', () => {
  test('a problem of a feed request repeats status and detail for published clients', async () => {
    for (const body of ['{', { top_k: 0 }]) {
      const answer = await server.post(feedPath('trending'), body);
      expect(answer.status).toBe(400);
      expect(answer.body.status_code).toBe(400);
      expect(answer.body.body).toBe(answer.body.detail);
    }
  });

  test('a problem of ingest has no extra fields', async () => {
    const answer = await server.get(ITEM);
    expectProblem(answer, 404, 'not_found');
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'detail', 'status', 'title', 'type']);
  });
});

describe('404 for', () => {
  const paths: [string, string, string][] = [
    ['an unknown path', 'GET', '/nothing'],
    ['another version', 'POST', '/v1/farcaster/casts/feed/trending'],
    ['an unknown feed type', 'POST', feedPath('newest')],
    ['a path in another case', 'GET', '/HealthZ'],
    ['an identifier with a bare slash', 'GET', `${ITEM}/y`],
    ['a path of two slashes', 'GET', '//'],
    ['health with a slash at its end', 'GET', '/healthz/'],
    ['health with two slashes before it', 'GET', '//healthz'],
    ['a feed with a slash at its end', 'POST', `${feedPath('for-you')}/`],
    ['a feed with a double slash inside', 'POST', feedPath('for-you').replace('/casts', '//casts')],
    ['a list of records with a slash at its end', 'DELETE', `${ingestPath('items')}/`],
    ['a record with a slash at its end', 'GET', `${ITEM}/`],
    ['a wallet of no characters', 'GET', '/base/feed/for-you/'],
    ['a percent-encoded letter of a known path', 'GET', '/%68ealthz'],
  ];
  for (const [name, method, path] of paths) {
    test(name, async () => {
      const answer = await server.call(method, path, method === 'POST' ? {} : undefined, KEY);
      expect(answer.status).toBe(404);
      expectProblem(answer, 404, 'not_found');
      expect(answer.body.detail).toBe(`there is nothing at ${path}`);
    });
  }
});

describe('405 names the methods that are allowed at', () => {
  const paths: [string, string, string, string][] = [
    ['a feed', 'GET', feedPath('for-you'), 'POST'],
    ['a list of records', 'PATCH', ingestPath('items'), 'POST, GET, DELETE'],
    ['a list of follows', 'GET', ingestPath('follows'), 'POST'],
    ['a record', 'PUT', ITEM, 'GET, DELETE'],
    ['health', 'POST', '/healthz', 'GET'],
    ['the plugins', 'DELETE', '/api/plugins', 'GET'],
  ];
  for (const [name, method, path, allowed] of paths) {
    test(name, async () => {
      const answer = await server.call(method, path, method === 'GET' ? undefined : {}, KEY);
      expect(answer.status).toBe(405);
      expectProblem(answer, 405, 'method_not_allowed');
      const named = answer.headers.get('allow') ?? '';
      expect(named.split(', ').sort()).toEqual(allowed.split(', ').sort());
      expect(answer.body.detail).toContain(named.replaceAll(', ', ' or '));
    });
  }
});

test('400 for an identifier in the path that is not percent-encoded UTF-8', async () => {
  for (const id of ['%zz', '%', '%ff', 'a%E2%82']) {
    for (const [kind, method] of [
      ['items', 'GET'],
      ['items', 'DELETE'],
      ['users', 'GET'],
      ['users', 'DELETE'],
    ] as const) {
      const answer = await server.call(method, `${ingestPath(kind)}/${id}`, undefined, KEY);
      expect(answer.status).toBe(400);
      expectProblem(answer, 400, 'invalid_value');
    }
  }
});

describe('503 with Retry-After', () => {
  const asked: [string, string][] = [
    ['POST', feedPath('for-you')],
    ['POST', ingestPath('items')],
    ['GET', ITEM],
    ['DELETE', ITEM],
    ['GET', '/readyz'],
    ['GET', '/api/plugins'],
  ];

  async function expectUnready(host: Host, code: string): Promise<void> {
    const app = createApp(host, readSettings({}));
    for (const [method, path] of asked) {
      const response = await app.handle(new Request(`http://localhost${path}`, { method }));
      const { headers, status } = response;
      expect(status).toBe(503);
      expectProblem({ headers, status, body: await response.json() }, 503, code);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const health = await app.handle(new Request('http://localhost/healthz'));
    expect(health.status).toBe(200);
    const nowhere = await app.handle(new Request('http://localhost/nothing'));
    expect(nowhere.status).toBe(404);
  }

  test('while the state loads every path but health answers 503, and nothing is logged', async () => {
    const log: string[] = [];
    await expectUnready(new Host(pino({}, { write: (line: string) => log.push(line) })), 'loading');
    expect(log).toEqual([]);
  });

  test('while the service shuts down requests get 503 with Retry-After', async () => {
    const host = new Host(pino({ level: 'silent' }));
    host.open(server.service, server.keys);
    host.close();
    await expectUnready(host, 'shutting_down');
  });
});

test('an unexpected error has a fixed text, and the log contains its cause under the request id', async () => {
  const cause = 'SELECT * FROM secrets /home/somebody/file.ts';
  const { serve } = server.service.feeds;
  server.service.feeds.serve = () => Promise.reject(new Error(cause));
  const answer = await server.post(feedPath('trending'), {});
  server.service.feeds.serve = serve;
  expect(answer.status).toBe(500);
  expectProblem(answer, 500, 'internal');
  expect(answer.body).toEqual({
    type: 'urn:feedloom:error:internal',
    title: 'Internal error',
    status: 500,
    detail: 'Something went wrong here; the log has the cause under this request id.',
    code: 'internal',
    status_code: 500,
    body: 'Something went wrong here; the log has the cause under this request id.',
  });
  const logged = server.log.map((line) => JSON.parse(line)).at(-1);
  expect(logged).toMatchObject({ request_id: answer.headers.get('x-request-id'), cause: [cause] });
  expect(logged.stack).toContain('errors.test.ts');
});
