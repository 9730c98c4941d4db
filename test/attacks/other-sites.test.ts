import { expect, test } from 'bun:test';
import pino from 'pino';
import { createApp } from '../../src/http/app.ts';
import { Host } from '../../src/http/transport/host.ts';
import { forFile, openTestServer } from '../support/service.ts';

/** A page of another site makes the browsers of its visitors send requests, without CORS. */

const server = await forFile(openTestServer());

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

/** Every name reaches a service that listens on all addresses. */
test.each([
  ['127.0.0.1', 400],
  ['0.0.0.0', 200],
])(
  'a service that listens on %s answers %i to a page of another site whose name means a loopback address',
  async (hostname, expected) => {
    const host = new Host(pino({ enabled: false }));
    host.open(server.service, server.keys);
    const app = createApp(host, server.service.settings).listen({ port: 0, hostname });
    const { port } = app.server!;
    const statusFor = async (name: string) =>
      (await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { host: name } })).status;
    const names = [
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
    ];
    for (const name of names) expect([name, await statusFor(name)]).toEqual([name, expected]);
    const own = [`127.0.0.1:${port}`, `localhost:${port}`, `feeds.localhost:${port}`, `[::1]:${port}`];
    // A proxy passes its own host on.
    const of_proxy = ['feeds.example.com', 'feeds.example.com:8443'];
    for (const name of [...own, ...of_proxy]) expect([name, await statusFor(name)]).toEqual([name, 200]);
    await app.stop(true);
  },
);
