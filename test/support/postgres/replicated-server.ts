import { execFile } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SQL } from 'bun';
import { freePort } from '../free-port.ts';
import { oncePerRun } from '../once-per-run.ts';
import { temporaryFolder, urlOf } from '../postgres.ts';
import { type Account, giveTo, type Run, runProgram, serverAccount } from './account.ts';
import { runnablePrograms } from './programs.ts';
import { PASSWORD, startServer } from './server.ts';
import { TcpSwitch } from './tcp-switch.ts';

/** Acknowledged writes are on both servers, so that a promotion loses none. */
const PRIMARY = {
  wal_level: 'replica',
  max_wal_senders: '4',
  hot_standby: 'on',
  synchronous_commit: 'on',
  // The standby connects again soon after the primary has restarted.
  wal_retrieve_retry_interval: '100ms',
};

/** Stops both servers without writing their data, and waits for the end. */
const STOP = `
  cd "$(dirname "$0")"
  for data in primary/data standby/data; do
    read -r server < $data/postmaster.pid || continue
    kill -QUIT "$server"
    while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
  done
`;

interface Made {
  folder: string;
  programs: string;
  primary_port: number;
  standby_port: number;
}

/** A server, and a copy of its files that follows it by streaming replication. Both run. */
function make(account: Account | undefined, folder: string): Made {
  giveTo(account, folder);
  writeFileSync(join(folder, 'stop'), STOP);
  const [primary, standby] = ['primary', 'standby'].map((name): Run => {
    const cwd = join(folder, name);
    runProgram({ account, cwd: folder }, 'mkdir', [cwd]);
    return { account, cwd };
  });
  const programs = runnablePrograms(primary);
  const primary_port = startServer(primary, programs, PRIMARY);
  const standby_port = freePort();
  // The copy is complete, because the server is stopped meanwhile.
  runProgram(primary, join(programs, 'pg_ctl'), ['stop', '-D', 'data', '-m', 'fast', '-w']);
  runProgram(standby, 'cp', ['-a', join(primary.cwd, 'data'), 'data']);
  appendFileSync(join(primary.cwd, 'data', 'postgresql.conf'), "synchronous_standby_names = '*'\n");
  appendFileSync(
    join(standby.cwd, 'data', 'postgresql.conf'),
    `port = ${standby_port}
     primary_conninfo = 'host=127.0.0.1 port=${primary_port} user=postgres password=${PASSWORD}'\n`,
  );
  runProgram(standby, 'touch', [join('data', 'standby.signal')]);
  for (const run of [primary, standby])
    runProgram(run, join(programs, 'pg_ctl'), ['start', '-D', 'data', '-l', 'log', '-w']);
  return { folder, programs, primary_port, standby_port };
}

/** A PostgreSQL server with a synchronous standby, both behind one address. A test restarts and promotes them. */
export class ReplicatedServer {
  private is_promoted = false;

  private constructor(
    private readonly account: Account | undefined,
    private readonly made: Made,
    private readonly address: TcpSwitch,
  ) {}

  /** @param name of the servers, unique in the test run */
  static async start(name: string): Promise<ReplicatedServer> {
    const account = serverAccount();
    const made = oncePerRun(name, temporaryFolder(account), (folder) => make(account, folder));
    return new ReplicatedServer(account, made, await TcpSwitch.listen(made.primary_port));
  }

  /** URL of a new, empty database. It stays valid after restarts and the promotion. */
  async freshDatabase(): Promise<string> {
    const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
    const client = new SQL({ url: urlOf(this.address.port, 'postgres'), max: 1 });
    await client.unsafe(`create database ${name}`);
    await client.close();
    return urlOf(this.address.port, name);
  }

  /** Restarts the server that is in use: cleanly, or as after a crash. */
  async restart(mode: 'fast' | 'immediate'): Promise<void> {
    await this.control(this.is_promoted ? 'standby' : 'primary', [
      'restart',
      ...['-m', mode, '-l', 'log', '-w'],
    ]);
  }

  /** The standby stores what the primary sends and does not apply it, until it is promoted. */
  async pauseReplay(): Promise<void> {
    await using standby = new SQL({ url: urlOf(this.made.standby_port, 'postgres'), max: 1 });
    await standby.unsafe('select pg_wal_replay_pause()');
  }

  /** The primary crashes for good, and the address leads to the standby, which can only be read. */
  async losePrimary(): Promise<void> {
    await this.control('primary', ['stop', '-m', 'immediate', '-w']);
    this.address.switchTo(this.made.standby_port);
  }

  /** The standby takes the place of the primary, which was lost. */
  async promote(): Promise<void> {
    if (this.is_promoted) throw new Error('there is one standby, which was promoted before');
    await this.control('standby', ['promote', '-w']);
    this.is_promoted = true;
  }

  close(): void {
    this.address.close();
  }

  /** Not `runProgram`, because the address must go on working meanwhile. */
  private async control(server: 'primary' | 'standby', args: readonly string[]): Promise<void> {
    const cwd = join(this.made.folder, server);
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    const [command, ...rest] = args;
    const options = { ...this.account, cwd, env };
    await promisify(execFile)(
      join(this.made.programs, 'pg_ctl'),
      [command, '-D', 'data', '-t', '120', ...rest],
      options,
    );
  }
}
