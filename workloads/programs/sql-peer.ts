/**
 * For-you pages of the service beside the same kind of page from SQL on PostgreSQL: the same world, machine and run, in
 * turns. `docs/performance.md` explains the query. Run: `bun workloads/programs/sql-peer.ts [--world M] [--keep DIR]`.
 */

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SQL } from 'bun';
import { monotonicMs } from '../../src/clock.ts';
import { FileWriter } from '../../src/interchange/file-writer.ts';
import { median } from '../../src/statistics.ts';
import { giveTo, serverAccount } from '../../test/support/postgres/account.ts';
import { runnablePrograms } from '../../test/support/postgres/programs.ts';
import { startServer } from '../../test/support/postgres/server.ts';
import { urlOf } from '../../test/support/postgres.ts';
import { builtWorld, copyOf, removeUnfinished } from '../bench/built-world.ts';
import { Children } from '../bench/children.ts';
import { connected, inTurns, ratios } from '../bench/context.ts';
import { Progress } from '../bench/progress.ts';
import { PAGE_LENGTH, Viewers } from '../bench/requests.ts';
import { warmedUp } from '../bench/totals.ts';
import { communityOf, isWorldName, WORLD_NOW, WORLDS } from '../bench/worlds.ts';
import type { Community } from '../community/community.ts';

const ROUNDS = 5;
const TURN_MS = 4_000;
const WARM_UP_MS = 8_000;
/** Queries under way. PostgreSQL answers each by a process of its own. */
const CONNECTIONS = 2 * availableParallelism();

/** Memory for a machine that PostgreSQL has to itself. JIT makes each of these short queries slower. */
const SERVER_SETTINGS = {
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  work_mem: '32MB',
  maintenance_work_mem: '512MB',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  jit: 'off',
};

const TABLES = `
  create table items (item_id int primary key, author_id int not null, created_at int not null);
  create table follows (user_id int not null, target_id int not null, primary key (user_id, target_id));
  create table acts (user_id int not null, item_id int not null, time int not null);
  create table likes (user_id int not null, item_id int not null, time int not null);
  create table seen (user_id int not null, item_id int not null, primary key (user_id, item_id));
`;

/** `acts` are likes, comments, shares and bookmarks: what counts as interacted. */
const INDEXES = `
  create index on items (author_id, created_at desc);
  create index on likes (user_id, time desc) include (item_id);
  create index on likes (item_id, time desc) include (user_id);
  create index on acts (user_id, item_id);
  create table hottest as
    select item_id, ln(1 + count(*)) as heat from acts where time > ${WORLD_NOW - 7 * 86_400}
    group by item_id order by count(*) desc limit 500;
  vacuum (analyze) items;
  vacuum (analyze) follows;
  vacuum (analyze) acts;
  vacuum (analyze) likes;
  vacuum (analyze) seen;
  vacuum (analyze) hottest;
`;

/** Parameter: the viewer. Half-life of the decay: 48 hours. */
const PAGE = `
  with followed as (select target_id from follows where user_id = $1),
  liked as (select item_id from likes where user_id = $1 order by time desc limit 20),
  nearest as (
    select other.user_id, count(*) as common
    from liked
    cross join lateral (select user_id from likes where item_id = liked.item_id order by time desc limit 20) other
    where other.user_id <> $1
    group by other.user_id order by common desc limit 30
  ),
  proposed as (
    select post.item_id, 1.0 as weight from followed
    cross join lateral (select item_id from items where author_id = target_id order by created_at desc limit 5) post
    union all
    select recent.item_id, 0.5 from followed
    cross join lateral (select item_id from likes where user_id = target_id order by time desc limit 10) recent
    union all
    select recent.item_id, common from nearest
    cross join lateral
      (select item_id from likes where user_id = nearest.user_id order by time desc limit 20) recent
    union all
    select item_id, 0.1 * heat from hottest
  ),
  candidates as (select item_id, sum(weight) as weight from proposed group by item_id limit 3000)
  select item_id, weight * exp((created_at - ${WORLD_NOW}) * ln(2) / 172800) as score
  from candidates join items using (item_id)
  where created_at <= ${WORLD_NOW}
    and not exists (select from seen where user_id = $1 and seen.item_id = candidates.item_id)
    and not exists (select from acts where user_id = $1 and acts.item_id = candidates.item_id)
  order by score desc limit ${PAGE_LENGTH}
`;

/** What counts as interacted. */
const INTERACTED = new Set(['like', 'comment', 'share', 'bookmark']);

/** Numbers identifiers from 0, because integers are PostgreSQL's quickest keys. */
class Numbers {
  private readonly known = new Map<string, number>();

  of(id: string): number {
    const number = this.known.get(id) ?? this.known.size;
    if (number === this.known.size) this.known.set(id, number);
    return number;
  }
}

/** The rows of each table, as lines of CSV. */
function rowsOf(community: Community, users: Numbers): Record<string, () => Generator<string>> {
  const items = new Numbers();
  function* acts(counts: (event_type: string) => boolean): Generator<string> {
    for (const { user_id, item_id, event_type, timestamp } of community.interactions()) {
      if (counts(event_type)) yield `${users.of(user_id)},${items.of(item_id)},${timestamp}`;
    }
  }
  return {
    *items() {
      for (const { item_id, author_id, created_at } of community.items())
        yield `${items.of(item_id)},${users.of(author_id)},${created_at}`;
    },
    *follows() {
      for (const { user_id, target_user_id } of community.follows())
        yield `${users.of(user_id)},${users.of(target_user_id)}`;
    },
    acts: () => acts((event_type) => INTERACTED.has(event_type)),
    likes: () => acts((event_type) => event_type === 'like'),
  };
}

/** Fills the database with a world. @param folder one that the server can read */
async function fill(db: SQL, community: Community, users: Numbers, folder: string): Promise<void> {
  await db.unsafe(TABLES);
  for (const [table, rows] of Object.entries(rowsOf(community, users))) {
    console.error(`filling ${table} …`);
    const file = new FileWriter(folder, `${table}.csv`, false);
    for (const row of rows()) await file.line(`${row}\n`);
    await file.close();
    const path = join(folder, `${table}.csv`);
    chmodSync(path, 0o644);
    await db.unsafe(`copy ${table} from '${path}' (format csv)`);
    rmSync(path);
  }
  console.error('building indexes …');
  for (const statement of INDEXES.split(';')) if (statement.trim() !== '') await db.unsafe(statement);
}

/** Asks for pages on all connections for some time. @returns pages per second */
async function sqlPages(db: SQL, next: () => number, duration_ms: number): Promise<number> {
  const start_ms = monotonicMs();
  let pages = 0;
  const askOn = async (): Promise<void> => {
    while (monotonicMs() - start_ms < duration_ms) {
      await db.unsafe(PAGE, [next()]);
      pages++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
  return (1000 * pages) / (monotonicMs() - start_ms);
}

/** The number of items of a page, and of its candidates, for some viewers. */
async function checkedPages(db: SQL, next: () => number): Promise<{ items: number; candidates: number }> {
  const candidates_query = `${PAGE.slice(0, PAGE.indexOf('select item_id, weight * exp'))} select count(*)::int from candidates`;
  const items: number[] = [];
  const candidates: number[] = [];
  for (let viewer = 0; viewer < 100; viewer++) {
    const user = next();
    items.push((await db.unsafe(PAGE, [user])).length);
    candidates.push((await db.unsafe(candidates_query, [user]))[0].count);
  }
  return { items: median(items), candidates: median(candidates) };
}

const { values } = parseArgs({
  options: { world: { type: 'string', default: 'M' }, keep: { type: 'string' } },
});
if (!isWorldName(values.world)) throw new Error(`--world: S, M or L, not '${values.world}'`);
const { name, size, built_by } = WORLDS[values.world];
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'feedloom-sql-peer-'));
mkdirSync(folder, { recursive: true });
const account = serverAccount();
const server_folder = mkdtempSync(join('/tmp', 'feedloom-sql-peer-server-'));
giveTo(account, server_folder);
const children = new Children();
const progress = new Progress();
try {
  const run = { account, cwd: server_folder };
  const port = startServer(run, runnablePrograms(run), SERVER_SETTINGS);
  const db = new SQL({ url: urlOf(port, 'postgres'), max: CONNECTIONS });
  const community = communityOf(size);
  const users = new Numbers();
  await fill(db, community, users, server_folder);
  const viewers = new Viewers(community);
  const next = () => users.of(viewers.next());
  const [{ version }] = await db.unsafe('select version()');
  const checked = await checkedPages(db, next);

  const built = await builtWorld(children, progress, folder, { name, size, built_by });
  const service = await children.service(copyOf(built), ['--lag-ms', '0']);
  await warmedUp(service.address, progress);
  const driver = await connected(service);
  const own = viewers.unseen('for-you', {});
  await driver.full(WARM_UP_MS, own);
  await sqlPages(db, next, WARM_UP_MS);
  progress.begin('pages in turns', 2 * ROUNDS);
  const pages = await inTurns(progress, ROUNDS, {
    service: async () => (await driver.full(TURN_MS, own)).per_s,
    sql: () => sqlPages(db, next, TURN_MS),
  });
  progress.end();
  driver.close();
  await service.stop();
  await db.close();
  console.log(`${String(version).split(' on ')[0]}, ${CONNECTIONS} connections, world ${name}`);
  console.log(`a page from SQL: ${checked.items} items of ${checked.candidates} candidates (medians)`);
  console.log(`pages/s from SQL: ${median(pages.sql).toFixed(0)}`);
  console.log(`pages/s from the service, nothing recorded: ${median(pages.service).toFixed(0)}`);
  console.log(`ratio: ${median(ratios(pages.service, pages.sql)).toFixed(1)}`);
} finally {
  await children.killAll();
  Bun.spawnSync(['sh', join(server_folder, 'stop')]);
  rmSync(server_folder, { recursive: true, force: true });
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  else removeUnfinished(folder);
}
