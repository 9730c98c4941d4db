import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../interchange/support.ts';
import {
  API_KEY,
  killAll,
  type ServiceProcess,
  startService,
} from '../simulation/support/service-process.ts';
import { freePort } from '../support/free-port.ts';
import { sendAsIs } from '../support/send-as-is.ts';
import { endProxies, replaced, startProxy } from './proxy.ts';
import { deployText, isInstalled } from './support.ts';

/** The proxies' files, with ports, paths and the name of the host replaced. Skipped where the proxy is not installed. */

const PREFIX = '/feedloom';
const EVENT = {
  wallet_address: `0x${'1'.repeat(40)}`,
  item_id: `base.0x${'c'.repeat(40)}`,
  event_type: 'mint',
};

afterAll(async () => {
  await endProxies();
  await killAll();
});

/** Runs a command to its end. @throws Error with its output if it fails */
function must(command: readonly string[]): void {
  const { success, stdout, stderr } = Bun.spawnSync([...command]);
  if (!success) throw new Error(`${command[0]} failed:\n${stdout}${stderr}`);
}

/** The service behind a proxy, as its clients see it. */
class Published {
  constructor(
    readonly base: string,
    private readonly service: ServiceProcess,
  ) {}

  call(path: string, init: BunFetchRequestInit = {}): Promise<Response> {
    const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
    return fetch(this.base + path, {
      headers,
      redirect: 'manual',
      tls: { rejectUnauthorized: false },
      ...init,
    });
  }

  post(path: string, body: unknown): Promise<Response> {
    return this.call(path, { method: 'POST', body: JSON.stringify(body) });
  }

  /** Requests that the service is working on, except the one that reads this. */
  async underWay(): Promise<number> {
    const text = await (await fetch(`${this.service.address}/metrics`)).text();
    return Number(/^feedloom_requests_under_way (\d+)$/m.exec(text)?.[1]) - 1;
  }

  async end(): Promise<void> {
    await endProxies();
    await this.service.stop();
  }
}

async function startBehind(folder: string): Promise<ServiceProcess> {
  return startService(join(folder, 'data'), { env: { FEEDLOOM_BASE_PATH: PREFIX } });
}

/** Starts nginx with the file as it is, but for places. */
async function behindNginx(folder: string): Promise<Published> {
  const service = await startBehind(folder);
  const files = ['-out', join(folder, 'fullchain.pem'), '-keyout', join(folder, 'privkey.pem')];
  must([
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=a',
    ...files,
  ]);
  mkdirSync(join(folder, 'temp'));
  const base = await startProxy(() => {
    const [tls_port, plain_port] = [freePort(), freePort()];
    const site = replaced(deployText('nginx/feedloom.conf'), [
      ['    listen [::]:80;\n', ''],
      ['    listen [::]:443 ssl;\n', ''],
      ['listen 80;', `listen 127.0.0.1:${plain_port};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${tls_port} ssl;`],
      ['feeds.example.com', '127.0.0.1'],
      ['/etc/ssl/feedloom/', `${folder}/`],
      ['127.0.0.1:3000', new URL(service.address).host],
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const config = [
      'daemon off;',
      'master_process off;',
      `pid ${folder}/nginx.pid;`,
      'error_log stderr notice;',
      'events {}',
      'http {',
      'access_log off;',
      ...temporary.map((name) => `${name}_temp_path ${folder}/temp/${name};`),
      site,
      '}',
    ];
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, config.join('\n'));
    return {
      command: ['nginx', '-p', folder, '-c', file],
      // Printed after the sockets have been opened.
      ready: ': OS: ',
      base: `https://127.0.0.1:${tls_port}`,
    };
  }).catch((error) => Promise.reject(new Error(nginxFault(folder), { cause: error })));
  return new Published(base, service);
}

/** What nginx says about its configuration. */
function nginxFault(folder: string): string {
  const check = ['nginx', '-t', '-p', folder, '-c', join(folder, 'nginx.conf')];
  return Bun.spawnSync(check).stderr.toString();
}

/** Starts Caddy without TLS, which needs a name that the world can reach. */
async function behindCaddy(folder: string, own_network = 'private_ranges'): Promise<Published> {
  const service = await startBehind(folder);
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const base = await startProxy(() => {
    const port = freePort();
    const site = replaced(deployText('caddy/Caddyfile'), [
      ['feeds.example.com {', `http://127.0.0.1:${port} {`],
      ['127.0.0.1:3000', new URL(service.address).host],
      ['private_ranges', own_network],
    ]);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
    return {
      command: ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
      env,
      ready: 'serving initial configuration',
      base: `http://127.0.0.1:${port}`,
    };
  });
  return new Published(base, service);
}

/** What both proxies must do. @param too_large the statuses with which the proxy may refuse a body */
async function expectPublished(published: Published, too_large: readonly number[]): Promise<void> {
  const status = async (answer: Promise<Response>) => (await answer).status;
  const item = { item_id: 'a', author_id: 'b', created_at: '2026-11-19T10:00:00Z' };
  expect(await status(published.post(`${PREFIX}/v2/farcaster/items`, item))).toBe(200);
  const page = await published.post(`${PREFIX}/v2/farcaster/feeds/for-you`, { user_id: 'u' });
  expect(page.status).toBe(200);
  expect(JSON.stringify(await page.json())).toContain('"a"');
  expect(await status(published.call(`${PREFIX}/readyz`))).toBe(200);
  expect(await status(published.call(`${PREFIX}/metrics`))).toBe(404);
  await expectNoDetour(published.base);
  const redirect = await published.call(PREFIX);
  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    301,
    expect.stringMatching(/\/feedloom\/$/),
  ]);
  expect(redirect.headers.get('strict-transport-security')).toContain('max-age');
  // More than an event may have, and less than the service takes elsewhere.
  const large = 'x'.repeat(100_000);
  expect(too_large).toContain(
    await status(published.post(`${PREFIX}/base/events`, { ...EVENT, note: large })),
  );
  expect(await status(published.post(`${PREFIX}/v2/farcaster/items`, { ...item, text: large }))).toBe(200);
}

/** Paths that the rules of a proxy do not match must not become the paths that they match. */
async function expectNoDetour(base: string): Promise<void> {
  const host = new URL(base).host;
  const detours: [string, string, string][] = [
    ['GET', '//metrics', host],
    ['GET', '/x\\..\\metrics', host],
    ['GET', '/\\metrics', host],
    ['GET', '/x/..%5Cmetrics', host],
    ['GET', '/xx/metrics', 'abc'],
    ['POST', '/base\\events', host],
    ['POST', '/x\\..\\base/events', host],
    ['POST', '/base/x\\..\\events', host],
    ['POST', '/internal/base/events', 'a'],
  ];
  for (const [method, path, named] of detours) {
    const headers = { host: named, 'x-api-key': API_KEY };
    const body = method === 'POST' ? EVENT : undefined;
    const { status, text } = await sendAsIs(base, PREFIX + path, { method, headers, body });
    // A proxy answers 200 without a body for a host that it does not serve.
    expect([method, path, status < 300 && text !== '']).toEqual([method, path, false]);
  }
}

describe.skipIf(!isInstalled('nginx') || !isInstalled('openssl'))('nginx with the file of deploy/', () => {
  test('publishes the service under the prefix, without its metrics and with limits of size', () =>
    withFolder({}, async (folder) => {
      const published = await behindNginx(folder);
      await expectPublished(published, [413]);
      await published.end();
    }));

  test('waits itself for slow bodies without a key', () =>
    withFolder({}, async (folder) => {
      const published = await behindNginx(folder);
      const { hostname, port } = new URL(published.base);
      const { promise: ready, resolve } = Promise.withResolvers<void>();
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        tls: { rejectUnauthorized: false },
        socket: { data() {}, handshake: () => resolve() },
      });
      await ready;
      const head = [`POST ${PREFIX}/base/events HTTP/1.1`, `Host: ${hostname}`, 'Content-Length: 60000'];
      socket.write(`${head.join('\r\n')}\r\n\r\n{`);
      // nginx has a single worker, so it has read the head before it answers a later request.
      expect((await published.call(`${PREFIX}/readyz`)).status).toBe(200);
      expect(await published.underWay()).toBe(0);
      socket.terminate();
      await published.end();
    }));

  test('limits how often an address calls without a key, route by route', () =>
    withFolder({}, async (folder) => {
      const published = await behindNginx(folder);
      const sent = Array.from({ length: 80 }, () => published.post(`${PREFIX}/base/events`, EVENT));
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40);
      expect(statuses).toContain(429);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      for (const path of ['/base/feed/popular', '/xrpc/app.bsky.feed.describeFeedGenerator']) {
        const reads = Array.from({ length: 80 }, () => published.call(PREFIX + path));
        const limited = (await Promise.all(reads)).filter(({ status }) => status === 429);
        expect([path, limited.length > 0]).toEqual([path, true]);
      }
      const deliveries = Array.from({ length: 80 }, () =>
        published.post(`${PREFIX}/v2/farcaster/hooks/x`, {}),
      );
      for (const { status } of await Promise.all(deliveries)) expect(status).toBe(404);
      for (const path of ['/readyz', '/api/feed/configs']) {
        const sent = path === '/readyz' ? published.call(PREFIX + path) : published.post(PREFIX + path, {});
        expect((await sent).status).toBe(200);
      }
      await published.end();
    }));
});

describe.skipIf(!isInstalled('caddy'))('Caddy with the file of deploy/', () => {
  test('publishes the service under the prefix, without its metrics and with limits of size', () =>
    withFolder({}, async (folder) => {
      const published = await behindCaddy(folder);
      // Older versions answer 502 when a body is cut off.
      await expectPublished(published, [413, 502]);
      expect((await published.post(`${PREFIX}/base/events`, EVENT)).status).toBe(200);
      await published.end();
    }));

  test('takes requests without a key only from its own network', () =>
    withFolder({}, async (folder) => {
      const published = await behindCaddy(folder, '192.0.2.0/24');
      expect((await published.post(`${PREFIX}/base/events`, EVENT)).status).toBe(403);
      expect((await published.post(`${PREFIX}/base/%65vents`, EVENT)).status).toBe(403);
      expect((await published.post(`${PREFIX}//base/events`, EVENT)).status).toBe(403);
      expect((await published.post(`${PREFIX}/v2/farcaster/hooks/x`, EVENT)).status).toBe(403);
      for (const path of ['/base/feed/popular', '/base/feed/for-you/0x1', '/xrpc/x'])
        expect([path, (await published.call(PREFIX + path)).status]).toEqual([path, 403]);
      expect((await published.post(`${PREFIX}/api/feed/configs`, {})).status).toBe(200);
      expect((await published.post(`${PREFIX}/v2/farcaster/feeds/popular`, {})).status).toBe(200);
      await published.end();
    }));
});
