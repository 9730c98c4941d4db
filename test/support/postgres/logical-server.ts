import { join } from 'node:path';
import { SQL } from 'bun';
import { oncePerRun } from '../once-per-run.ts';
import { temporaryFolder, urlOf } from '../postgres.ts';
import { type Account, giveTo, type Run, runProgram, serverAccount } from './account.ts';
import { runnablePrograms } from './programs.ts';
import { startServer } from './server.ts';

const SETTINGS = {
  wal_level: 'logical',
  max_wal_senders: '20',
  max_replication_slots: '100',
  wal_writer_delay: '10ms',
};

interface Made {
  folder: string;
  programs: string;
  port: number;
}

function make(account: Account | undefined, folder: string, more: Record<string, string>): Made {
  giveTo(account, folder);
  const run: Run = { account, cwd: folder };
  const programs = runnablePrograms(run);
  return { folder, programs, port: startServer(run, programs, { ...SETTINGS, ...more }) };
}

/** A PostgreSQL server whose log can be read, with databases for tests. */
export class LogicalServer {
  private constructor(
    private readonly account: Account | undefined,
    private readonly made: Made,
  ) {}

  /** @param name of the server in the test run. Tests that restart it need one of their own. */
  static start(name: string, more: Record<string, string> = {}): LogicalServer {
    const account = serverAccount();
    const made = oncePerRun(name, temporaryFolder(account), (folder) => make(account, folder, more));
    return new LogicalServer(account, made);
  }

  /** URL of a new database. */
  async fresh(): Promise<string> {
    const admin = new SQL({ url: urlOf(this.made.port, 'postgres'), max: 1 });
    const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
    await admin.unsafe(`create database ${name}`);
    await admin.close();
    return urlOf(this.made.port, name);
  }

  /** Restarts the server, which ends all connections. */
  restart(): void {
    const { folder: cwd, programs } = this.made;
    const run = { account: this.account, cwd };
    runProgram(run, join(programs, 'pg_ctl'), ['restart', '-D', 'data', '-l', 'log', '-m', 'fast', '-w']);
  }
}
