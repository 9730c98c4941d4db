import { tmpdir } from 'node:os';
import { SQL } from 'bun';
import { oncePerRun } from './once-per-run.ts';
import { type Account, giveTo, runProgram, serverAccount } from './postgres/account.ts';
import { runnablePrograms } from './postgres/programs.ts';
import { PASSWORD, startServer } from './postgres/server.ts';

/** A real PostgreSQL for tests: one server for a test run, with a database of its own for each caller. */

interface Server {
  client: SQL;
  urlOf(database: string): string;
}

async function connect(port: number): Promise<Server> {
  const urlOf = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
  return { urlOf, client: new SQL({ url: urlOf('postgres'), max: 1 }) };
}

/** Databases of a server, which is started once, when the first is asked for. */
export class Databases {
  private server?: Promise<Server>;
  private is_failure_known = false;

  /** @param start starts the server and resolves with its port */
  constructor(private readonly start: () => Promise<number>) {}

  /**
   * URL of a new, empty database. The first call waits for the start, a second or two.
   * @throws Error at once and for every caller when the server could not be started; the first one tells all about it
   */
  async fresh(): Promise<string> {
    this.server ??= this.start().then(connect);
    const [started] = await Promise.allSettled([this.server]);
    if (started.status === 'rejected') throw this.failure(String(started.reason?.message ?? started.reason));
    const { client, urlOf } = started.value;
    const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
    await client.unsafe(`create database ${name}`);
    return urlOf(name);
  }

  private failure(cause: string): Error {
    const told = this.is_failure_known ? `${cause.split('\n')[0]} (the first failure says more)` : cause;
    this.is_failure_known = true;
    return new Error(`PostgreSQL for tests did not start: ${told}`);
  }
}

/** The temporary folder, unless the server's account cannot enter it. */
async function temporaryFolder(account: Account | undefined): Promise<string> {
  try {
    await runProgram({ account, cwd: '/' }, 'sh', ['-c', 'cd "$0"', tmpdir()]);
    return tmpdir();
  } catch {
    return '/tmp';
  }
}

const databases = new Databases(async () => {
  const account = await serverAccount();
  return oncePerRun('postgres', await temporaryFolder(account), async (folder) => {
    giveTo(account, folder);
    const run = { account, cwd: folder };
    return startServer(run, await runnablePrograms(run));
  });
});

/** URL of a new, empty database on the server that all tests of a run share. */
export function freshDatabase(): Promise<string> {
  return databases.fresh();
}
