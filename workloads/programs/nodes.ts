/**
 * What nodes cost beside one process: a leader and two followers on one PostgreSQL server, which serve a synthetic
 * world. CPU times are those of the nodes, without the server's. It takes minutes for world M. Run it alone on the machine:
 * `bun workloads/programs/nodes.ts [--world S|M] [--keep DIR] [--json]`.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SQL } from 'bun';
import { aligned } from '../../src/evaluate/report.ts';
import { openStore } from '../../src/store/open-store.ts';
import { thisProgram } from '../../src/this-program.ts';
import { giveTo, serverAccount } from '../../test/support/postgres/account.ts';
import { runnablePrograms } from '../../test/support/postgres/programs.ts';
import { startServer } from '../../test/support/postgres/server.ts';
import { urlOf } from '../../test/support/postgres.ts';
import { builtWorld, copyOf, removeUnfinished } from '../bench/built-world.ts';
import { Children, type Server, WITHOUT_SHEDDING } from '../bench/children.ts';
import { Progress } from '../bench/progress.ts';
import { residentMb } from '../bench/resident.ts';
import { totalsOf, warmedUp } from '../bench/totals.ts';
import { isWorldName, WORLDS, type World } from '../bench/worlds.ts';
import { type Figures, measureNodes, ROWS, type RowName } from './nodes-measures.ts';

/** Maximum time of everything after the world is in the database. */
const RUN_MS_MAX = 540_000;
/** The first checkpoint of the leader is written this long after its start. */
const CHECKPOINT_SECONDS = 20;
const CHECKPOINT_LOOK_MS = 100;
const CHECKPOINTS_WRITTEN = 'feedloom_checkpoints_written{community="content"}';
const SECRET = 'secret-of-the-benchmark';

/** Unlike in tests the data reaches the disk, as a commit must. */
const SERVER_SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '1GB',
  max_wal_size: '4GB',
};

const { values } = parseArgs({
  options: {
    world: { type: 'string', default: 'M' },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (!isWorldName(values.world)) throw new Error(`--world: S, M or L, not '${values.world}'`);
const world: World = WORLDS[values.world];
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'feedloom-bench-nodes-'));
mkdirSync(folder, { recursive: true });
const data_folders = mkdtempSync(join(tmpdir(), 'feedloom-bench-nodes-data-'));
const account = serverAccount();
const server_folder = mkdtempSync(join('/tmp', 'feedloom-bench-nodes-server-'));
giveTo(account, server_folder);
const children = new Children();
const progress = new Progress();

/** Copies the world into an empty database. */
async function moveWorld(database_url: string): Promise<void> {
  const copy = copyOf(await builtWorld(children, progress, folder, world));
  // A kept world may be of an older version, which `move` refuses.
  const opened = await openStore({ data: copy, role: 'serve', write_queue: 1, command: 'bench' });
  await opened.close();
  progress.begin('moving the world into the database', 1);
  const command = [...thisProgram(), 'move', '--from', copy, '--to', database_url];
  const move = Bun.spawn(command, { env: {}, stdout: 'ignore', stderr: 'inherit' });
  if ((await move.exited) !== 0) throw new Error('feedloom move failed');
  rmSync(copy, { recursive: true, force: true });
}

/** Starts a node. @param name of its data folder @param more flags */
function node(database_url: string, name: string, more: readonly string[] = []): Promise<Server> {
  const cluster = ['--database-url', database_url, '--cluster-secret', SECRET];
  return children.service(join(data_folders, name), [...cluster, ...WITHOUT_SHEDDING, ...more]);
}

/** Starts the leader, and waits until it has a checkpoint for the others. */
async function startLeader(database_url: string): Promise<Server> {
  progress.begin('the leader starts and writes a checkpoint', 1);
  const records = Object.values(world.size).reduce((sum, count) => sum + count, 0);
  // The world exceeds this number of changes, and what the measurements write does not.
  const checkpoints = ['--checkpoint-changes', String(Math.floor(records / 4))];
  const seconds = ['--checkpoint-seconds', String(CHECKPOINT_SECONDS)];
  const leader = await node(database_url, 'leader', [...checkpoints, ...seconds]);
  await warmedUp(leader.address, progress);
  while ((await totalsOf(leader.address)).get(CHECKPOINTS_WRITTEN) !== 1) await Bun.sleep(CHECKPOINT_LOOK_MS);
  return leader;
}

async function startFollower(database_url: string, name: string): Promise<Server> {
  progress.begin(`${name} starts`, 1);
  const follower = await node(database_url, name);
  await warmedUp(follower.address, progress);
  return follower;
}

/** A node that has its database to itself. */
async function startSingle(database_url: string): Promise<Server> {
  progress.begin('a single node starts', 1);
  const single = await children.service(join(data_folders, 'single'), [
    '--database-url',
    database_url,
    ...WITHOUT_SHEDDING,
  ]);
  await warmedUp(single.address, progress);
  return single;
}

/** CPU time of all processes of the database server, in milliseconds. */
function databaseCpuMs(): number {
  const [server] = readFileSync(join(server_folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (pid === server || fields[1] === server) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * 10;
}

async function measure(database_url: string, single_url: string): Promise<Figures> {
  const single = await startSingle(single_url);
  const leader = await startLeader(database_url);
  const followers = [
    await startFollower(database_url, 'follower 1'),
    await startFollower(database_url, 'follower 2'),
  ] as const;
  const withNewNode = async (use: (joined: Server) => Promise<void>): Promise<void> => {
    const joined = await node(database_url, 'new node');
    await use(joined);
    await joined.stop();
  };
  const follower_mb = residentMb(followers[0].pid);
  const figures = await measureNodes({
    ...{ world, leader, followers, single, progress, databaseCpuMs, withNewNode },
  });
  for (const each of [...followers, leader, single]) await each.stop();
  return { ...figures, follower_mb };
}

async function inTime(measuring: Promise<Figures>): Promise<Figures> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`the measurements did not end within ${RUN_MS_MAX / 1_000} s`);
  const timer = setTimeout(() => reject(error), RUN_MS_MAX);
  return await Promise.race([measuring, late]).finally(() => clearTimeout(timer));
}

/** Rounds to three significant digits, and to whole numbers from 1,000. */
function rounded(value: number): number {
  return value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));
}

function verdict(value: number, must: { at_most: number } | { at_least: number } | undefined): string[] {
  if (must === undefined) return ['', ''];
  if ('at_most' in must) return [`≤ ${must.at_most}`, value <= must.at_most ? 'pass' : 'FAIL'];
  return [`≥ ${must.at_least}`, value >= must.at_least ? 'pass' : 'FAIL'];
}

function report(figures: Figures): string {
  const measured = (Object.keys(ROWS) as RowName[]).flatMap((name) => {
    const value = figures[name];
    return value === undefined ? [] : [{ name, value: rounded(value), ...ROWS[name] }];
  });
  if (values.json) return JSON.stringify({ world: world.name, rows: measured });
  const rows = measured.map(({ name, title, value, unit, must }) => [
    `${name}: ${title}`,
    `${value.toLocaleString('en-US')} ${unit}`,
    ...verdict(value, must),
  ]);
  return [`world ${world.name}`, ...aligned([['measure', 'value', 'must', ''], ...rows])].join('\n');
}

try {
  const run = { account, cwd: server_folder };
  const port = startServer(run, runnablePrograms(run), SERVER_SETTINGS);
  const admin = new SQL({ url: urlOf(port, 'postgres'), max: 1 });
  await admin.unsafe('create database feedloom');
  const database_url = urlOf(port, 'feedloom');
  await moveWorld(database_url);
  const [{ bytes }] = await admin.unsafe("select pg_database_size('feedloom')::float8 as bytes");
  await admin.unsafe('create database single template feedloom');
  await admin.close();
  const figures = await inTime(measure(database_url, urlOf(port, 'single')));
  figures.database_mb = Number(bytes) / 1e6;
  progress.end();
  console.log(report(figures));
} finally {
  progress.end();
  await children.killAll();
  Bun.spawnSync(['sh', join(server_folder, 'stop')]);
  for (const each of [server_folder, data_folders]) rmSync(each, { recursive: true, force: true });
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  else removeUnfinished(folder);
}
