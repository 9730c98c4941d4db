import { afterEach, describe, expect } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { call, pageOf } from '../cluster/processes.ts';
import { item, until } from '../cluster/support.ts';
import { blocksOf, document } from '../docs/markdown.ts';
import { killAll, type ServiceProcess, startService } from '../simulation/support/service-process.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { freePort } from '../support/free-port.ts';
import { longTest } from '../support/long.ts';
import { giveTo, type Run, runProgram, serverAccount } from '../support/postgres/account.ts';
import { deployYaml } from './support.ts';

/**
 * The primary and the standby of the Compose file, by PostgreSQL's programs of the machine: the scripts and commands are
 * those of the file. Skipped where these programs are not installed.
 */

const [newest] = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').sort((a, b) =>
  b.localeCompare(a, 'en', { numeric: true }),
);
const PROGRAMS = newest === undefined ? '' : dirname(newest);
const PASSWORDS = { DATABASE_PASSWORD: 'of-feedloom', REPLICATION_PASSWORD: 'of-the-standby' };

interface ComposeService {
  command: string[];
}
const { services } = deployYaml('compose-nodes.yaml')[0] as { services: Record<string, ComposeService> };

const running: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  await killAll();
  await Promise.all(running.splice(0).map(crash));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Ends a server at once (SIGQUIT), as a power cut would. */
async function crash(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGQUIT');
  await ended;
}

/** A folder of the server's account, with what the image of PostgreSQL has. */
function imageFolder(): Run {
  const run = { account: serverAccount(), cwd: mkdtempSync('/tmp/feedloom-standby-') };
  folders.push(run.cwd);
  giveTo(run.account, run.cwd);
  const scripts = join(run.cwd, 'scripts');
  mkdirSync(scripts);
  for (const name of ['create-database.sh', 'start-standby.sh']) {
    const text = readFileSync(join(REPOSITORY, 'deploy/postgres', name), 'utf8');
    writeFileSync(join(scripts, name), text);
  }
  const entry_point = join(scripts, 'docker-entrypoint.sh');
  writeFileSync(entry_point, '#!/bin/sh\nexec "$@"\n');
  chmodSync(entry_point, 0o755);
  return run;
}

/** The environment of a container. The client programs use the socket of the server. */
function environment(run: Run, name: string, port: number): Record<string, string> {
  return {
    PATH: `${join(run.cwd, 'scripts')}:${PROGRAMS}:${process.env.PATH}`,
    LC_ALL: 'C',
    PGDATA: join(run.cwd, name),
    PGHOST: run.cwd,
    PGPORT: String(port),
    ...PASSWORDS,
  };
}

/** Starts a server with the command of the Compose file, and waits until it can be asked. */
async function start(run: Run, name: string, port: number, by: readonly string[]): Promise<ChildProcess> {
  const places = ['-c', `port=${port}`, '-c', `unix_socket_directories=${run.cwd}`, '-c', 'fsync=off'];
  const [program, ...args] = [...by, ...services[name].command, ...places];
  const env = {
    ...environment(run, name, port),
    PRIMARY_HOST: '127.0.0.1',
    PRIMARY_PORT: String(primary_port),
  };
  const server = spawn(program, args, {
    ...run.account,
    cwd: run.cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(server);
  let said = '';
  server.stderr?.on('data', (text) => {
    said += text;
  });
  const isReady = async () => {
    if (server.exitCode !== null) throw new Error(`${name} ended: ${said}`);
    return Bun.spawnSync([join(PROGRAMS, 'pg_isready'), '-h', run.cwd, '-p', String(port)]).exitCode;
  };
  await until(isReady, (code) => code === 0);
  return server;
}

let primary_port = 0;

/** What the entry point of the image does with an empty volume. */
function createPrimary(run: Run): void {
  const env = environment(run, 'primary', primary_port);
  const as = (program: string, args: string[]) => runProgram(run, program, args, env);
  const access = ['--username=postgres', '--auth-local=trust', '--auth-host=scram-sha-256'];
  as(join(PROGRAMS, 'initdb'), [...access, '--encoding=UTF8', '--no-locale', '--no-sync']);
  // Of the lines for replication only that of the script counts.
  const rules = join(run.cwd, 'primary', 'pg_hba.conf');
  const kept = readFileSync(rules, 'utf8')
    .split('\n')
    .filter((line) => !/\breplication\b/.test(line));
  writeFileSync(rules, [...kept, 'host all all all scram-sha-256', ''].join('\n'));
  const only_socket = `-c listen_addresses='' -c port=${primary_port} -c unix_socket_directories=${run.cwd}`;
  const log = ['-l', join(run.cwd, 'log')];
  as(join(PROGRAMS, 'pg_ctl'), ['start', '-w', ...log, '-o', only_socket]);
  as('sh', [join(run.cwd, 'scripts', 'create-database.sh')]);
  as(join(PROGRAMS, 'pg_ctl'), ['stop', '-w', '-m', 'fast']);
}

describe.skipIf(PROGRAMS === '')('the primary and the standby of the Compose file', () => {
  longTest(
    'keep every acknowledged write when the primary is lost and the standby is promoted',
    async () => {
      const run = imageFolder();
      primary_port = freePort();
      const standby_port = freePort();
      createPrimary(run);
      const primary = await start(run, 'primary', primary_port, []);
      await start(run, 'standby', standby_port, ['sh', join(run.cwd, 'scripts', 'start-standby.sh')]);
      const askOf = (port: number, query: string) => {
        const args = [
          '--no-psqlrc',
          '--tuples-only',
          '--no-align',
          '--username=postgres',
          '--command',
          query,
        ];
        return runProgram(run, join(PROGRAMS, 'psql'), args, environment(run, 'primary', port)).trim();
      };
      await until(
        async () => askOf(primary_port, 'select application_name, sync_state from pg_stat_replication'),
        (state) => state === 'standby|sync',
      );

      const urlAt = (port: number) =>
        `postgres://feedloom:${PASSWORDS.DATABASE_PASSWORD}@127.0.0.1:${port}/feedloom`;
      const serveFrom = (port: number) =>
        startService(join(run.cwd, `node-${port}`), {
          env: { FEEDLOOM_DATABASE_URL: urlAt(port), FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-cluster' },
        });
      const before = await serveFrom(primary_port);
      const write = (to: ServiceProcess, name: string) =>
        call(to, 'POST', '/v2/farcaster/items', [item(name)]);
      expect((await write(before, 'acknowledged'))?.status).toBe(200);
      await crash(primary);
      await before.crash();

      runProgram(run, join(PROGRAMS, 'pg_ctl'), ['promote', '-w'], environment(run, 'standby', standby_port));
      const [promotion] = blocksOf(document('docs/scaling.md')).filter(({ kind }) => kind === 'sql');
      for (const line of promotion.text.trim().split('\n')) askOf(standby_port, line);
      const after = await serveFrom(standby_port);
      expect(await pageOf(after)).toEqual(['acknowledged']);
      // The lease of the killed node runs out first.
      await until(
        async () => (await write(after, 'later'))?.status,
        (status) => status === 200,
      );
      await after.stop();
    },
    120_000,
  );
});
