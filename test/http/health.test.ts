import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestServer, type TestServer } from '../support/service.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('the health check needs no key', async () => {
  expect(await server.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('the readiness check reports how many stored changes were read', async () => {
  const { status, body } = await server.call('GET', '/readyz');
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ready', changes: 0, refused_plugins: [] });
});
