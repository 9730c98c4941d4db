import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestServer, type TestServer } from '../support/service.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('health needs no key', async () => {
  expect(await server.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('readiness says how many stored changes were folded', async () => {
  const { status, body } = await server.call('GET', '/readyz');
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ready', changes: 0, refused_plugins: [] });
});
