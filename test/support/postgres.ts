import { SQL } from 'bun';
import { ON_DISK } from './memory.ts';
import { oncePerRun } from './once-per-run.ts';
import { type Account, giveTo, runProgram, serverAccount } from './postgres/account.ts';
import { runnablePrograms } from './postgres/programs.ts';
import { PASSWORD, startServer } from './postgres/server.ts';

/** A real PostgreSQL for tests: one server per test run, and a separate database for each caller. */

/** URL of a database on the server that listens on `port`. */
export function urlOf(port: number, database: string): string {
  return `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

/** The system's temporary folder, unless the server's account cannot enter it. */
export function temporaryFolder(account: Account | undefined): string {
  try {
    runProgram({ account, cwd: '/' }, 'sh', ['-c', 'cd "$0"', ON_DISK]);
    return ON_DISK;
  } catch {
    return '/tmp';
  }
}

function start(): number {
  const account = serverAccount();
  return oncePerRun('postgres', temporaryFolder(account), (folder) => {
    giveTo(account, folder);
    const run = { account, cwd: folder };
    return startServer(run, runnablePrograms(run));
  });
}

/** Databases of a server, which is started for the first one. */
export class Databases {
  private port?: number;
  private client?: SQL;
  private failure?: string;

  /** @param start starts the server and returns its port */
  constructor(private readonly start: () => number) {}

  /**
   * URL of a new database. The first call waits for the start, a second or two.
   * @param template database that it copies; by default it is empty
   * @throws Error for every caller, without delay, if the server could not be started. The first one has all details.
   */
  async fresh(template = 'template1'): Promise<string> {
    this.port ??= this.started();
    this.client ??= new SQL({ url: urlOf(this.port, 'postgres'), max: 1 });
    const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
    await this.client.unsafe(`create database ${name} template ${template}`);
    return urlOf(this.port, name);
  }

  private started(): number {
    const refusal = 'PostgreSQL for tests did not start';
    if (this.failure !== undefined)
      throw new Error(`${refusal}: ${this.failure} (the first failure says more)`);
    try {
      return this.start();
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      this.failure = cause.split('\n')[0];
      throw new Error(`${refusal}: ${cause}`);
    }
  }
}

const databases = new Databases(start);

/** URL of a new database on the server that all tests of a run share. Without a template it is empty. */
export function freshDatabase(template?: string): Promise<string> {
  return databases.fresh(template);
}
