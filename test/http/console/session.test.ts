import { expect, test } from 'bun:test';
import { editAt } from '../../support/edit.ts';
import { API_KEY, openTestServer, START, type TestAnswer, type TestServer } from '../../support/service.ts';

const MINUTE_MS = 60_000;

class Scene {
  private constructor(
    readonly server: TestServer,
    private readonly time: { now_ms: number },
  ) {}

  static async open(): Promise<Scene> {
    const time = { now_ms: 5 };
    return new Scene(await openTestServer({ hosting: { monotonic: () => time.now_ms } }), time);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close();
  }

  newCode(): string {
    return this.server.host.console_codes.create(API_KEY);
  }

  wait(milliseconds: number): void {
    this.time.now_ms += milliseconds;
  }

  exchange(code: unknown): Promise<TestAnswer> {
    return this.server.call('POST', '/api/console/session', { code });
  }

  session(headers: Record<string, string>): Promise<TestAnswer> {
    return this.server.call('GET', '/api/session', undefined, headers);
  }
}

test('a one-time code is exchanged for the key that it was created for', async () => {
  await using scene = await Scene.open();
  const { status, body, headers } = await scene.exchange(scene.newCode());
  expect([status, body]).toEqual([200, { api_key: API_KEY }]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect((await scene.session({ authorization: `Bearer ${body.api_key}` })).status).toBe(200);
});

test('a code that was used, is ten minutes old or never existed is refused', async () => {
  await using scene = await Scene.open();
  const [used, old, fresh] = [scene.newCode(), scene.newCode(), scene.newCode()];
  expect((await scene.exchange(used)).status).toBe(200);
  scene.wait(10 * MINUTE_MS - 1);
  expect((await scene.exchange(fresh)).status).toBe(200);
  scene.wait(1);
  for (const code of [used, old, fresh, 'nonsense']) {
    const { status, body } = await scene.exchange(code);
    expect([status, body.code]).toEqual([401, 'unauthorized']);
  }
});

test('a body without a code is refused by name', async () => {
  await using scene = await Scene.open();
  const form = 'expected a string of 1 to 256 characters';
  for (const [code, message] of [
    [undefined, 'is required'],
    [null, 'is required'],
    ['', `${form}; got ""`],
    [5, `${form}; got 5`],
  ]) {
    const { status, body } = await scene.exchange(code);
    expect([status, body.errors]).toEqual([400, [{ path: '/code', message }]]);
  }
});

test('after ten wrong codes within a minute further wrong ones are refused, and the right one works', async () => {
  await using scene = await Scene.open();
  const code = scene.newCode();
  for (let times = 0; times < 10; times++) {
    expect((await scene.exchange(`wrong ${times}`)).status).toBe(401);
    scene.wait(1_000);
  }
  const { status, body, headers } = await scene.exchange('wrong');
  expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '50']);
  expect(body.detail).toEndWith('try again in 50 s');
  expect((await scene.exchange(code)).status).toBe(200);
  expect((await scene.exchange(code)).status).toBe(429);
  scene.wait(50_000);
  expect((await scene.exchange(code)).status).toBe(401);
});

test('only the latest hundred codes are kept', async () => {
  await using scene = await Scene.open();
  const codes = Array.from({ length: 101 }, () => scene.newCode());
  expect((await scene.exchange(codes[0])).status).toBe(401);
  expect((await scene.exchange(codes[1])).status).toBe(200);
});

test('the session tells the account, the name, the scopes and the expiry of the key', async () => {
  await using scene = await Scene.open();
  const { server } = scene;
  const details = { name: 'console', expires_at: START + 60.5 };
  const { key, key_id } = await server.service.store.keys.create(
    'acme',
    ['ingest:write', 'feed:read'],
    editAt(START),
    details,
  );
  await server.keys.refresh();
  expect((await scene.session({ 'x-api-key': key })).body).toEqual({
    account: 'acme',
    key_id,
    key_name: 'console',
    scopes: ['feed:read', 'ingest:write'],
    expires_at: START + 60,
    network: 'farcaster',
    chain: 'base',
  });
  expect((await scene.session({ 'x-api-key': API_KEY })).body).toEqual({
    account: 'default',
    key_id: 'FEEDLOOM_API_KEY',
    key_name: null,
    scopes: ['feed:read', 'config:write', 'ingest:write'],
    expires_at: null,
    network: 'farcaster',
    chain: 'base',
  });
  server.clock.set(START + 61);
  for (const sent of ['', key, 'wrong'])
    expect((await scene.session({ 'x-api-key': sent })).status).toBe(401);
});

test('a viewer token is no session', async () => {
  await using scene = await Scene.open();
  const { body } = await scene.server.post('/api/tokens', { user_id: '1', ttl_seconds: 60 });
  expect((await scene.session({ authorization: `Bearer ${body.token}` })).body.code).toBe('forbidden');
});
