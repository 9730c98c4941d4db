import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dir, '../..');

/** What a command left behind. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Starts `feedloom …` as a process of its own, with no settings but those given. */
export function start(...args: string[]): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  const { PATH, HOME } = process.env;
  return Bun.spawn([process.execPath, 'src/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH, HOME },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Runs `feedloom …` to its end. */
export async function run(...args: string[]): Promise<Ran> {
  const child = start(...args);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
