import { execFile } from 'node:child_process';
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
export function runProgram({ account, cwd }: Run, program: string, args: readonly string[]): Promise<string> {
  // Messages are compared and read by people: they must not depend on the machine's language.
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const options = { ...account, cwd, env, timeout: RUN_MS_MAX, killSignal: 'SIGKILL' as const };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(program, args, options, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout);
    const ended = error.killed ? `took longer than ${RUN_MS_MAX / 1000} s` : `failed (${error.code})`;
    reject(new Error(`${program} ${ended}\n${stderr}${stdout}`.trim()));
  });
  return promise;
}

/** The account for the server; undefined: that of the tests. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number(await runProgram({ cwd: '/' }, 'id', [flag, 'nobody']));
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** Gives a folder to the server's account. */
export function giveTo(account: Account | undefined, folder: string): void {
  chmodSync(folder, 0o755);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}
