import { expect, test } from 'bun:test';
import { sendAsIs } from '../../support/send-as-is.ts';
import { API_KEY, forFile, openTestServer } from '../../support/service.ts';

/** Paths are tried by a socket, too: the runtime routes those that it knows by itself. */

const server = await forFile(openTestServer({ settings: { base_path: '/apps/feedloom' } }));
const address = server.listen();

const HEADERS = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };

/** The same request by the application alone and by a socket, which must be answered alike. */
async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const { status, body: answered } = await server.call(method, path, body, HEADERS);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(address + path, { method, headers: HEADERS, body: text, redirect: 'manual' });
  expect([path, response.status, response.headers.has('x-request-id')]).toEqual([path, status, true]);
  await response.text();
  return { status, body: answered };
}

test('the prefix is removed from the path, which keeps its query and encoded parts', async () => {
  const item = { item_id: 'a/b c', author_id: '1', created_at: 1_700_000_000 };
  expect((await ask('POST', '/apps/feedloom/v2/farcaster/items', item)).status).toBe(200);
  const read = await ask('GET', '/apps/feedloom/v2/farcaster/items/a%2Fb%20c');
  expect([read.status, read.body]).toMatchObject([200, { item_id: 'a/b c' }]);
  expect((await ask('POST', '/apps/feedloom/v2/farcaster/feeds/popular', {})).body).toMatchObject({
    body: [{ item_id: 'a/b c' }],
  });
  expect((await ask('GET', '/apps/feedloom/api/feed/config?config_id=feed_9')).body).toMatchObject({
    status: 404,
    detail: "there is no feed 'feed_9'",
    status_code: 404,
  });
  expect((await ask('GET', '/apps/feedloom/swagger')).status).toBe(200);
});

test('paths without the prefix are unchanged, for probes inside the cluster', async () => {
  expect((await ask('GET', '/healthz')).status).toBe(200);
  expect((await ask('POST', '/v2/farcaster/feeds/popular', {})).status).toBe(200);
});

test('the path of a page with a slash at its end redirects to the page, also below a prefix', async () => {
  const pages = ['/console', '/docs', '/docs/keys', '/swagger'];
  for (const page of ['', '/apps/feedloom'].flatMap((prefix) => pages.map((path) => prefix + path))) {
    const first = await fetch(`${address}${page}/?a=%2F`, { redirect: 'manual' });
    expect([page, first.status, await first.text()]).toEqual([page, 308, '']);
    const last = await fetch(`${address}${page}/?a=%2F`);
    expect([last.status, last.url]).toEqual([200, `${address}${page}?a=%2F`]);
  }
});

test('a path that only begins like the prefix, or has it twice, is not served', async () => {
  for (const path of [
    '/apps/feedloomx/healthz',
    '/apps/healthz',
    '/Apps/feedloom/healthz',
    '/apps/feedloom/apps/feedloom/healthz',
    '/x/apps/feedloom/healthz',
  ])
    expect([path, (await ask('GET', path)).status]).toEqual([path, 404]);
  for (const path of ['/apps/feedloom', '/apps/feedloom/'])
    expect(await ask('GET', path)).toEqual(await ask('GET', '/'));
  const root = await fetch(`${address}/apps/feedloom`);
  expect([root.status, new URL(root.url).pathname]).toEqual([200, '/apps/feedloom/console']);
  const { body } = await ask('PUT', '/apps/feedloom/healthz');
  expect(body).toMatchObject({ status: 405, detail: 'PUT is not allowed at /healthz; use GET' });
});

test('the prefix is found whatever the host is, and only in the path that was sent', async () => {
  const status = async (path: string, host: string) =>
    (await sendAsIs(address, path, { headers: { host } })).status;
  for (const host of ['lb', 'a', 'feeds.example.com']) {
    for (const path of ['/apps/feedloom/healthz', '/apps/feedloom/', '/healthz'])
      expect([host, path, (await status(path, host)) < 400]).toEqual([host, path, true]);
    for (const path of ['/x/../apps/feedloom/healthz', '/apps/feedloom/x/../', '/apps\\feedloom\\healthz'])
      expect([host, path, await status(path, host)]).toEqual([host, path, 404]);
  }
});
