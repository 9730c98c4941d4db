import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { feedloom } from '../support/feedloom.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Answer = any;

export interface Running {
  address: string;
  /** Output so far. */
  printed(): string;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Answer }>;
  post(path: string, body: unknown): Promise<{ status: number; body: Answer }>;
  /** Stops it cleanly. @returns the exit code */
  stop(): Promise<number>;
}

/** A new folder with only the executable. The caller removes it. */
export function executableInEmptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-executable-'));
  cpSync(feedloom(), join(folder, 'feedloom'));
  return folder;
}

/** Starts the executable in its folder and waits until it prints its address. */
export async function startIn(
  folder: string,
  flags: readonly string[],
  env: Record<string, string> = {},
): Promise<Running> {
  const child = Bun.spawn(['./feedloom', 'serve', '--port', '0', ...flags], {
    cwd: folder,
    env: { FEEDLOOM_API_KEY: 'key-of-the-tests', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let printed = '';
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  const reading = async () => {
    for await (const chunk of child.stdout) {
      printed += Buffer.from(chunk).toString();
      if (printed.includes('listening') && printed.endsWith('\n')) resolve();
    }
    resolve();
  };
  const ended = reading();
  await listening;
  const line = printed.split('\n').find((each) => each.includes('listening'));
  if (line === undefined) throw new Error(`${printed}${await new Response(child.stderr).text()}`);
  const { address } = JSON.parse(line);
  const call: Running['call'] = async (method, path, body) => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: 'Bearer key-of-the-tests', 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    address,
    printed: () => printed,
    call,
    post: (path, body) => call('POST', path, body),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exited;
    },
  };
}

export const idOf = ({ item_id }: { item_id: string }): string => item_id;
