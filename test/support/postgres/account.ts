import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';

/** Timeout of the programs that prepare the server. */
const RUN_MS_MAX = 30_000;

/** The account that runs the server. PostgreSQL refuses to run as root, so tests of root run it as `nobody`. */
export interface Account {
  uid: number;
  gid: number;
}

/** Runs a program with the server's account. `cwd` is a folder that this account can enter. */
export interface Run {
  account?: Account;
  cwd: string;
}

/**
 * Runs a program to its end and returns its output.
 * @param more variables of its environment
 * @throws Error with the program's name, exit status and output
 */
export function runProgram(
  { account, cwd }: Run,
  program: string,
  args: readonly string[],
  more: Record<string, string> = {},
): string {
  // Messages are compared, so they must not depend on the machine's language.
  const env = { PATH: process.env.PATH, LC_ALL: 'C', ...more };
  const limits = { timeout: RUN_MS_MAX, killSignal: 'SIGKILL' } as const;
  const ran = spawnSync(program, args, { ...account, ...limits, cwd, env, encoding: 'utf8' });
  if (ran.status === 0) return ran.stdout;
  const cause = ran.error?.message ?? `it ended with ${ran.signal ?? ran.status}`;
  throw new Error(`${program} failed: ${cause}\n${ran.stderr ?? ''}${ran.stdout ?? ''}`.trim());
}

/** The account for the server. Undefined: the account of the tests. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(runProgram({ cwd: '/' }, 'id', [flag, 'nobody']));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Changes the owner of a folder to the server's account. */
export function giveTo(account: Account | undefined, folder: string): void {
  chmodSync(folder, 0o755);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}
