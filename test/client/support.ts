import { expect } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, FeedloomClient } from 'feedloom-client';
import pino from 'pino';
import { packClient } from '../../.ci/client-package.ts';
import { runService } from '../../src/cli/run-service.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { environment } from '../support/feedloom.ts';

export const KEY = 'client-tests-key';

/** A service that listens on a port of its own, on an empty database. */
export async function openService(given: Partial<Settings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-client-'));
  const defaults = { port: 0, data: join(folder, 'data'), api_key: KEY, derived_lag_ms: 0 };
  const settings = { ...readSettings({}), ...defaults, ...given };
  const running = await runService(settings, 'test', pino({ level: 'silent' }));
  return {
    address: running.address,
    client: (options: Partial<ClientOptions> = {}) =>
      new FeedloomClient({ url: running.address, key: KEY, ...options }),
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type OpenedService = Awaited<ReturnType<typeof openService>>;

/** What a client sent. */
export interface Sent {
  method: string;
  url: string;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}

/** Answers of a service that is not there, and how a client takes them. */
export class Script {
  readonly sent: Sent[] = [];
  /** Milliseconds of each wait before a retry. */
  readonly waits: number[] = [];
  readonly client: FeedloomClient;
  private readonly steps: (Response | Error)[];

  /** @param steps what each attempt meets: an answer, or an error of the connection */
  constructor(steps: readonly (Response | Error)[], options: Partial<ClientOptions> = {}) {
    this.steps = [...steps];
    this.client = new FeedloomClient({
      url: 'https://feeds.example',
      fetch: (request) => this.answer(request),
      sleep: async (ms) => {
        this.waits.push(ms);
      },
      random: () => 0.5,
      ...options,
    });
  }

  private async answer(request: Request): Promise<Response> {
    const { method, url, headers } = request;
    const text = await request.text();
    this.sent.push({ method, url, headers, body: text === '' ? undefined : JSON.parse(text) });
    const step = this.steps.shift();
    if (step === undefined) throw new Error('the script has no further step');
    if (step instanceof Error) throw step;
    return step;
  }
}

/** The error of the connection as `fetch` throws it. */
export const BROKEN = new TypeError('fetch failed');

export function page(item_ids: readonly string[], cursor?: string): Response {
  return Response.json({ status_code: 200, body: item_ids.map((item_id) => ({ item_id })), cursor });
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { type: `urn:feedloom:error:${code}`, title: code, status, code, detail: `about ${code}` };
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
}

/** What a call rejects with. */
export function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error,
  );
}

/** Installs the client next to a program, from an archive as a release has it. @returns its folder */
export function install(folder: string): string {
  const archive = packClient(folder);
  const command = [process.execPath, 'add', `./${archive}`];
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: folder, env: environment() });
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr.toString() }).toEqual({ exitCode: 0, stderr: '' });
  return join(folder, 'node_modules', 'feedloom-client');
}
