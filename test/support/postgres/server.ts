import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { type Run, runProgram } from './account.ts';

export const PASSWORD = 'feedloom';

const START_SECONDS_MAX = 20;

/** The data is discarded with the server, so it need not reach the disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Its snapshots are those of a reader for which a purge has to wait.
  autovacuum: 'off',
};

/** Stops the server without writing its data, and waits for the end. */
const STOP = `
  cd "$(dirname "$0")"
  read -r server < data/postmaster.pid || exit
  kill -QUIT "$server"
  while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
`;

function initialise(run: Run, programs: string, data: string): void {
  const password_file = join(run.cwd, 'password');
  writeFileSync(password_file, PASSWORD, { mode: 0o644 });
  const cluster = [`--pgdata=${data}`, '--encoding=UTF8', '--no-locale', '--no-sync'];
  const access = ['--auth=md5', '--username=postgres', `--pwfile=${password_file}`];
  runProgram(run, join(programs, 'initdb'), [...cluster, ...access]);
}

function start(run: Run, programs: string, data: string): void {
  const log = join(run.cwd, 'log');
  const waiting = ['-w', '-t', String(START_SECONDS_MAX)];
  try {
    runProgram(run, join(programs, 'pg_ctl'), ['start', '-D', data, '-l', log, ...waiting]);
  } catch (error) {
    const logged = existsSync(log) ? readFileSync(log, 'utf8') : 'the server logged nothing';
    throw new Error(`${error instanceof Error ? error.message : error}\n${logged}`);
  }
}

/**
 * Starts a server with its data in `run.cwd`, and writes the script `stop` there, which stops it.
 * @param programs folder of PostgreSQL's programs, from `runnablePrograms`
 * @param more settings of `postgresql.conf`
 * @returns port of the server
 * @throws Error with the output of PostgreSQL's programs, within seconds
 */
export function startServer(run: Run, programs: string, more: Record<string, string> = {}): number {
  const data = join(run.cwd, 'data');
  initialise(run, programs, data);
  writeFileSync(join(run.cwd, 'stop'), STOP);
  const port = freePort();
  const settings = Object.entries({ ...SETTINGS, ...more, port: String(port) });
  const lines = settings.map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
  start(run, programs, data);
  return port;
}
