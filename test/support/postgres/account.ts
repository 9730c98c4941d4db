import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';

/** How long one of the programs that prepare the server may take. */
const RUN_MS_MAX = 30_000;

/** The account that runs the server. PostgreSQL refuses to run as root, so root's tests run it as `nobody`. */
export interface Account {
  uid: number;
  gid: number;
}

/** A program of the server's account. `cwd` is a folder which that account can enter. */
export interface Run {
  account?: Account;
  cwd: string;
}

/**
 * Runs a program to its end and returns what it printed.
 * @throws Error naming the program, how it ended and what it printed
 */
export function runProgram({ account, cwd }: Run, program: string, args: readonly string[]): string {
  // Messages are compared and read by people: they must not depend on the machine's language.
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const limits = { timeout: RUN_MS_MAX, killSignal: 'SIGKILL' } as const;
  const ran = spawnSync(program, args, { ...account, ...limits, cwd, env, encoding: 'utf8' });
  if (ran.status === 0) return ran.stdout;
  const cause = ran.error?.message ?? `it ended with ${ran.signal ?? ran.status}`;
  throw new Error(`${program} failed: ${cause}\n${ran.stderr ?? ''}${ran.stdout ?? ''}`.trim());
}

/** The account for the server; undefined: that of the tests. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(runProgram({ cwd: '/' }, 'id', [flag, 'nobody']));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Gives a folder to the server's account. */
export function giveTo(account: Account | undefined, folder: string): void {
  chmodSync(folder, 0o755);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}
