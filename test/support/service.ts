import { afterAll } from 'bun:test';
import { rmSync } from 'node:fs';
import pino from 'pino';
import { ManualClock, monotonicMs } from '../../src/clock.ts';
import { createApp } from '../../src/http/app.ts';
import { KeyRing } from '../../src/http/identity/auth.ts';
import { createRateLimiter } from '../../src/http/identity/rate-limit.ts';
import { Host, type HostOptions } from '../../src/http/transport/host.ts';
import { closeService, type OpenOptions, openService, type Service } from '../../src/service.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { emptyData } from './prepared-data.ts';

/** The time at which test clocks start: 2026-01-01T00:00:00Z, seconds. */
export const START = 1_767_225_600;
/** The key of every test server: account `default`, every scope. */
export const API_KEY = 'test-key';

export interface TestServiceOptions {
  clock?: ManualClock;
  /** An existing data folder, which is kept at close. Undefined: a new one, removed at close. */
  data?: string;
  settings?: Partial<Settings>;
  /** Options of opening, besides the command and the clock. */
  opening?: Partial<OpenOptions>;
  /** Options of the HTTP host. By default metrics are not cached. */
  hosting?: HostOptions;
}

export interface TestService extends AsyncDisposable {
  service: Service;
  clock: ManualClock;
  dir: string;
  close(): Promise<void>;
}

/** Opens a service on the embedded database, with caches that never lag. */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dir = options.data ?? emptyData();
  const clock = options.clock ?? new ManualClock(START);
  const settings = {
    ...readSettings({}),
    api_key: API_KEY,
    derived_lag_ms: 0,
    exploration_percent: 0,
    ...options.settings,
    data: dir,
  };
  const service = await openService(settings, { command: 'test', clock, monotonicMs, ...options.opening });
  const close = async () => {
    await closeService(service);
    if (options.data === undefined) rmSync(dir, { recursive: true, force: true });
  };
  return { service, clock, dir, close, [Symbol.asyncDispose]: close };
}

/** What the tests of a file share, and what is closed after the last. For the top of the file. */
export async function forFile<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
  const opened = await opening;
  afterAll(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** An answer with its JSON body (undefined if it is empty or not JSON). */
export interface TestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface TestServer extends TestService {
  /** Log lines of the service, as JSON texts. */
  log: string[];
  keys: KeyRing;
  host: Host;
  app: ReturnType<typeof createApp>;
  /** Listens on a free port until the server is closed. @returns the address */
  listen(): string;
  /**
   * Sends a request through the whole HTTP application. `body` is sent as JSON unless it is text or bytes.
   * @param given_up disconnects the client when it is aborted
   */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    given_up?: AbortSignal,
  ): Promise<TestAnswer>;
  /** `POST`, `GET` and `DELETE` with the test key. */
  post(path: string, body?: unknown): Promise<TestAnswer>;
  get(path: string): Promise<TestAnswer>;
  remove(path: string): Promise<TestAnswer>;
}

/** A test service behind its HTTP application, without a socket. */
export async function openTestServer(options: TestServiceOptions = {}): Promise<TestServer> {
  const opened = await openTestService(options);
  const log: string[] = [];
  const level = opened.service.settings.log_level;
  const host = new Host(pino({ base: undefined, level }, { write: (line: string) => log.push(line) }), {
    requests_max: opened.service.settings.requests_max,
    metrics_kept_ms: 0,
    ...options.hosting,
  });
  const app = createApp(host, opened.service.settings);
  const { service } = opened;
  const { api_key } = service.settings;
  const keys = new KeyRing(service.store, {
    clock: service.clock,
    api_key,
    limiter: createRateLimiter(service),
  });
  await keys.refresh();
  host.open(opened.service, keys);
  const call: TestServer['call'] = async (method, path, body, headers = {}, signal) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const content = body === undefined ? undefined : raw ? body : JSON.stringify(body);
    const sent = content === undefined ? headers : { 'content-type': 'application/json', ...headers };
    const response = await app.handle(
      new Request(`http://localhost${path}`, { method, headers: sent, body: content, signal }),
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : parse(text),
    };
  };
  const listen = (): string => {
    app.listen({ port: 0, hostname: '127.0.0.1' });
    return app.server!.url.origin;
  };
  const close = async () => {
    if (app.server !== null) await app.stop(true);
    await opened.close();
  };
  const headers = { authorization: `Bearer ${API_KEY}` };
  return {
    ...{ ...opened, close, [Symbol.asyncDispose]: close },
    ...{ log, keys, host, app, listen, call },
    post: (path, body) => call('POST', path, body, headers),
    get: (path) => call('GET', path, undefined, headers),
    remove: (path) => call('DELETE', path, undefined, headers),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
