import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { type Account, type Run, runProgram } from './account.ts';

export const PASSWORD = 'feedloom';

const START_SECONDS_MAX = 20;

/** The data is thrown away with the server, so nothing has to reach the disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/**
 * Stops the server and removes its folder once the process `owner` is gone, however it ended. It leads a process
 * group of its own, because the test runner kills its children when a test takes too long.
 */
function removeAfter(owner: number, folder: string): void {
  const script = `
    while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
    if read -r server < "$2/data/postmaster.pid"; then
      kill -QUIT "$server"
      while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
    fi
    rm -rf "$2"`;
  const args = ['-c', `(${script}) &`, 'sh', String(owner), folder];
  spawn('sh', args, { detached: true, stdio: 'ignore' }).unref();
}

async function initialise(run: Run, programs: string, data: string): Promise<void> {
  const password_file = join(run.cwd, 'password');
  writeFileSync(password_file, PASSWORD, { mode: 0o644 });
  const cluster = [`--pgdata=${data}`, '--encoding=UTF8', '--no-locale', '--no-sync'];
  const access = ['--auth=password', '--username=postgres', `--pwfile=${password_file}`];
  await runProgram(run, join(programs, 'initdb'), [...cluster, ...access]);
}

async function start(run: Run, programs: string, data: string): Promise<void> {
  const log = join(run.cwd, 'log');
  const waiting = ['-w', '-t', String(START_SECONDS_MAX)];
  try {
    await runProgram(run, join(programs, 'pg_ctl'), ['start', '-D', data, '-l', log, ...waiting]);
  } catch (error) {
    const logged = existsSync(log) ? readFileSync(log, 'utf8') : 'the server logged nothing';
    throw new Error(`${error instanceof Error ? error.message : error}\n${logged}`);
  }
}

/**
 * Starts a server with its data in `run.cwd`, an empty folder, which is given to the server's account.
 * @param programs the folder of PostgreSQL's programs, from `runnablePrograms`
 * @param owner the process that the server ends with; the folder is then removed
 * @returns the port that the server listens at
 * @throws Error with what PostgreSQL's programs said, within seconds
 */
export async function startServer(run: Run, programs: string, owner: number): Promise<number> {
  removeAfter(owner, run.cwd);
  const data = join(run.cwd, 'data');
  await initialise(run, programs, data);
  const port = freePort();
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  const lines = settings.map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
  await start(run, programs, data);
  return port;
}

/** Makes a new folder for the server's account. @throws Error when it exists */
export function makeFolderFor(account: Account | undefined, folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}
