import type { Call } from './community.ts';
import { NOW } from './community.ts';

const API_KEY = 'upgrade-test-key';

/** The ids of the items on a page, in order. */
export type Page = string[];

/** A service of any version on a data folder. */
export interface VersionedService {
  /** What it logged before it listened. */
  start_log: string;
  /** @throws Error for an error answer */
  call(call: Call): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Starts a program, `feedloom` or `bun src/main.ts`, at the time of the fixtures.
 *
 * Caches do not lag and exploration is off, so the same data gives the same pages.
 */
export async function serve(program: readonly string[], data: string): Promise<VersionedService> {
  const child = Bun.spawn([...program, 'serve'], {
    cwd: '/',
    env: {
      PATH: process.env.PATH,
      FEEDLOOM_DATA: data,
      FEEDLOOM_PORT: '0',
      FEEDLOOM_API_KEY: API_KEY,
      FEEDLOOM_NOW: String(NOW),
      FEEDLOOM_DERIVED_LAG_MS: '0',
      FEEDLOOM_EXPLORATION_PERCENT: '0',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const { address, start_log } = await started(child.stdout);
  return {
    start_log,
    async call({ method, path, body }) {
      const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
      const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
      const answer = await fetch(address + path, init);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

/** Waits until the service listens. The rest of its log is read and dropped. */
async function started(
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<{ address: string; start_log: string }> {
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  let printed = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) throw new Error(`the service ended: ${printed}`);
    printed += value;
    const line = printed.split('\n').find((each) => each.includes('"listening on ') && each.endsWith('}'));
    if (line === undefined) continue;
    const drop = async () => {
      while (!(await reader.read()).done);
    };
    drop().catch(() => {});
    const { address } = JSON.parse(line) as { address: string };
    return { address, start_log: printed };
  }
}

/** The items of each page, by the request. */
export async function pagesOf(
  service: VersionedService,
  calls: readonly Call[],
): Promise<Record<string, Page>> {
  const pages: Record<string, Page> = {};
  for (const call of calls) {
    const answer = (await service.call(call)) as {
      body?: { item_id: string }[];
      items?: { itemId: string }[];
    };
    const name =
      `${call.method} ${call.path} ${call.body === undefined ? '' : JSON.stringify(call.body)}`.trim();
    pages[name] =
      answer.body?.map(({ item_id }) => item_id) ?? answer.items?.map(({ itemId }) => itemId) ?? [];
  }
  return pages;
}
