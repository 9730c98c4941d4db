import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { authorise, execute, KEY, MISSING, openStage, operation, type Stage } from './support.ts';

const PREFIX = '/tools/feedloom';
const POPULAR = '/v2/community/feeds/popular';

describe.skipIf(MISSING !== '')(`behind a proxy that serves it below a path${MISSING}`, () => {
  let stage: Stage;
  /** Paths that reached the service through the proxies. */
  const passed: string[] = [];

  /** A proxy at an origin of its own that answers below `PREFIX` alone. @param strips the prefix before it passes requests on */
  function startProxy(strips: boolean): Bun.Server<undefined> {
    return Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        if (!pathname.startsWith(`${PREFIX}/`)) return new Response('not here', { status: 404 });
        const path = strips ? pathname.slice(PREFIX.length) : pathname;
        passed.push(path);
        const { method, headers } = request;
        const body = method === 'GET' ? undefined : await request.arrayBuffer();
        return fetch(`${stage.running.address}${path}${search}`, { method, headers, body });
      },
    });
  }

  const proxies = { 'strips it': startProxy(true), 'passes it on': startProxy(false) };
  const originOf = (proxy: Bun.Server<undefined>): string => proxy.url.origin;

  beforeAll(async () => {
    const cors_origins = [originOf(proxies['strips it'])];
    stage = await openStage({ base_path: PREFIX, cors_origins });
    stage.reachable.push(...Object.values(proxies).map(originOf));
  }, 120_000);
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    for (const proxy of Object.values(proxies)) await proxy.stop(true);
  });

  for (const [how, proxy] of Object.entries(proxies)) {
    test(`Swagger UI loads, takes the key and runs an operation where the proxy ${how}`, async () => {
      passed.length = 0;
      const page = await stage.open(`${originOf(proxy)}${PREFIX}/swagger`);
      await operation(page, POPULAR).waitFor();
      await authorise(page, 'bearer');
      const { status, body } = await execute(operation(page, POPULAR));
      expect(status).toStartWith('200');
      expect(body).toContain('"source_feed": "main:popular"');
      const wanted = ['/swagger', '/swagger/json', POPULAR].map((path) =>
        proxy === proxies['strips it'] ? path : PREFIX + path,
      );
      expect(passed).toEqual(expect.arrayContaining(wanted));
      expect(stage.elsewhere).toEqual([]);
      expect(stage.errors).toEqual([]);
    }, 120_000);
  }

  for (const [how, proxy] of Object.entries(proxies)) {
    test(`the links of the documents lead to each other where the proxy ${how}`, async () => {
      const page = await stage.open(`${originOf(proxy)}${PREFIX}/docs`);
      await page.getByRole('main').getByRole('link', { name: 'Keys', exact: true }).click();
      await page.getByRole('heading', { name: 'Viewer tokens' }).waitFor();
      await page.getByRole('link', { name: 'All documents' }).click();
      await page.getByRole('link', { name: 'Swagger UI' }).click();
      await operation(page, POPULAR).waitFor();
      expect(page.url()).toBe(`${originOf(proxy)}${PREFIX}/swagger`);
      expect(stage.elsewhere).toEqual([]);
      expect(stage.errors).toEqual([]);
    }, 120_000);
  }

  test('the console signs in behind a proxy that asks for a name and a password', async () => {
    const credentials = { username: 'ann', password: 'of the proxy' };
    const wanted = `Basic ${Buffer.from(Object.values(credentials).join(':')).toString('base64')}`;
    await using proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { method, headers, url } = request;
        if (headers.get('authorization') !== wanted)
          return new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="proxy"' } });
        const { pathname, search } = new URL(url);
        const body = method === 'GET' ? undefined : await request.arrayBuffer();
        return fetch(`${stage.running.address}${pathname}${search}`, {
          method,
          headers,
          body,
          redirect: 'manual',
        });
      },
    });
    stage.reachable.push(proxy.url.origin);
    await stage.context.setHTTPCredentials(credentials);
    const page = await stage.open(`${proxy.url.origin}/console/`);
    expect(page.url()).toBe(`${proxy.url.origin}/console`);
    await page.getByLabel('API key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(stage.elsewhere).toEqual([]);
    // The browser names the answer with which the proxy asked.
    expect(stage.errors.splice(0).filter((error) => !error.startsWith('Failed to load resource'))).toEqual(
      [],
    );
    await page.close();
    await stage.context.setHTTPCredentials(null);
  }, 120_000);

  test('a page of a listed origin calls the service directly, and one of another origin does not', async () => {
    const call = async (proxy: Bun.Server<undefined>): Promise<string> => {
      const page = await stage.open(`${originOf(proxy)}${PREFIX}/healthz`);
      return page.evaluate(
        async ({ address, key }) => {
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
          try {
            const answer = await fetch(address, { method: 'POST', headers, body: '{"top_k":1}' });
            const { body } = (await answer.json()) as { body: unknown[] };
            return `${body.length} item, ${answer.headers.has('x-request-id') ? 'with' : 'without'} id`;
          } catch {
            return 'refused by the browser';
          }
        },
        { address: `${stage.running.address}${POPULAR}`, key: KEY },
      );
    };
    expect(await call(proxies['strips it'])).toBe('1 item, with id');
    expect(await call(proxies['passes it on'])).toBe('refused by the browser');
  }, 120_000);
});
