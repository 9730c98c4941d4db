import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestServer, type TestServer } from '../support/service.ts';

/** A page of another site makes the browsers of its visitors send requests, without CORS. */

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const EVENT = JSON.stringify({
  wallet_address: `0x${'1'.repeat(40)}`,
  item_id: `base.0x${'c'.repeat(40)}`,
  event_type: 'mint',
});

/** The media types that browsers send without a preflight, and none at all. */
const SIMPLE_TYPES = [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
];

test('no page of another site can make a browser write where no key is needed', async () => {
  const { paths } = (await server.call('GET', '/swagger/json')).body as {
    paths: Record<string, Record<string, { security: object[] }>>;
  };
  const open = Object.entries(paths).flatMap(([path, { post }]) =>
    post?.security.length === 0 ? [path] : [],
  );
  expect(open).toContain('/base/events');
  const bytes = new TextEncoder().encode(EVENT);
  for (const path of open) {
    for (const type of SIMPLE_TYPES) {
      const headers = { 'content-type': type, 'sec-fetch-site': 'cross-site' };
      const { status } = await server.call('POST', path, bytes, headers);
      expect([path, type, status >= 400 && status < 500]).toEqual([path, type, true]);
    }
  }
  expect(server.service.alpha.community).toBeUndefined();
  const named = { 'content-type': 'application/json; charset=utf-8' };
  expect((await server.call('POST', '/base/events', bytes, named)).status).toBe(200);
});
