import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { ManualClock } from '../../src/clock.ts';
import { openStore } from '../../src/store/open-store.ts';
import { nft, wallet } from '../alpha/support.ts';
import { type Files, jsonl, readFiles, writeFiles } from '../interchange/support.ts';
import { launch } from '../simulation/support/service-process.ts';
import { longTest } from '../support/long.ts';
import { freshDatabase } from '../support/postgres.ts';
import { openTestServer, type TestServer } from '../support/service.ts';
import { type Ran, run, runWith, start } from './run.ts';

const T = 1_795_000_000;
const ITEMS = Array.from({ length: 40 }, (_, index) => `item${index}`);
const FILES: Files = {
  'items.jsonl': jsonl(
    ITEMS.map((item_id, index) => ({
      item_id,
      author_id: `u${index % 7}`,
      created_at: T + index,
      text: `“text” \\ ü ${index}`,
    })),
  ),
  'interactions.csv': [
    'user_id,item_id,event_type,timestamp,event_id',
    ...ITEMS.map((item, index) => `u${index % 5},${item},like,${T + 100.25 + index},e${index}`),
    '',
  ].join('\n'),
  'follows.csv': `user_id,target_user_id,timestamp\nu0,u1,${T}\nu1,u2,${T}\n`,
  'impressions.csv': `user_id,item_id,timestamp\nu5,item0,${T + 200}\nu5,item1,${T + 200}\n`,
  'feeds.jsonl': jsonl([{ config_id: 'feed_1', account: 'app', name: 'Fresh', config: {} }]),
  'events.csv': `wallet_address,item_id,event_type,timestamp\n${wallet(1)},${nft(1, 1)},mint,${T}\n`,
};

let root = '';
let source = '';

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'feedloom-move-'));
  source = join(root, 'source');
  const files = join(root, 'files');
  writeFiles(files, FILES);
  expect((await run('import', files, '--data', source)).code).toBe(0);
  expect((await run('keys', 'create', '--account', 'app', '--data', source)).code).toBe(0);
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

function freshFolder(): string {
  return join(mkdtempSync(join(root, 'folder-')), 'data');
}

function move(from: string, to: string): Promise<Ran> {
  return run('move', '--from', from, '--to', to);
}

/** The flags that name a place for other commands. */
function flagsOf(place: string): string[] {
  return place.startsWith('postgres:') ? ['--database-url', place] : ['--data', place];
}

/** What can be seen of a place by other commands. */
async function contentsOf(place: string) {
  const folder = freshFolder();
  mkdirSync(folder);
  const exported = await run('export', join(folder, 'out'), ...flagsOf(place));
  const keys = await run('keys', 'list', ...flagsOf(place));
  expect([exported.code, keys.code]).toEqual([0, 0]);
  return { files: readFiles(join(folder, 'out')), keys: keys.stdout };
}

/** The rows of a query on a database. */
async function query(url: string, text: string): Promise<unknown[][]> {
  await using client = new SQL({ url, max: 1 });
  return [...(await client.unsafe(text).values())];
}

/** Runs `work` with a service on a place. */
async function served<T>(place: string, work: (server: TestServer) => Promise<T>): Promise<T> {
  const is_url = place.startsWith('postgres:');
  await using server = await openTestServer({
    data: is_url ? freshFolder() : place,
    settings: is_url ? { database_url: place } : {},
    clock: new ManualClock(T + 1000),
  });
  return await work(server);
}

/** The items of a page, and the cursor after it. */
async function pageOf(server: TestServer, request: Record<string, unknown>) {
  const { status, body } = await server.post('/v2/farcaster/feeds/for-you', {
    user_id: 'u5',
    top_k: 5,
    impression_count: 0,
    ...request,
  });
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  const ids: string[] = body.body.map(({ item_id }: { item_id: string }) => item_id);
  return { ids, cursor: body.cursor as string };
}

describe('feedloom move', () => {
  test('moves everything to PostgreSQL and back, and leaves the source as it was', async () => {
    const [before, url, back] = [await contentsOf(source), await freshDatabase(), freshFolder()];
    const there = await move(source, url);
    expect([there.code, there.stderr]).toEqual([0, expect.stringContaining('% read')]);
    expect(there.stdout).toMatch(/^\d+ rows moved, and the same on both sides; the source is unchanged\n$/);
    expect(await contentsOf(source)).toEqual(before);
    expect(await contentsOf(url)).toEqual(before);
    const meta = 'select name, value from meta order by name';
    const rows = await query(url, meta);
    const file = join(root, 'url');
    writeFileSync(file, `${url}\n`);
    const variables = { FEEDLOOM_DATABASE_URL_FILE: file };
    const again = await runWith(variables, 'move', '--from', 'database-url', '--to', back);
    expect([again.code, again.stdout]).toEqual([0, there.stdout]);
    expect(await contentsOf(back)).toEqual(before);
    expect(await query(url, meta)).toEqual(rows);
    expect((await run('verify', '--data', back)).code).toBe(0);
  }, 120_000);

  test('pages stay the same, and cursors stay valid', async () => {
    const folder = freshFolder();
    const first_url = await freshDatabase();
    expect((await move(source, first_url)).code).toBe(0);
    expect((await move(first_url, folder)).code).toBe(0);
    const former = await served(folder, async (server) => {
      const first = await pageOf(server, { seed: 7 });
      return { first, second: await pageOf(server, { seed: 7, cursor: first.cursor }) };
    });
    expect(former.first.ids).toHaveLength(5);
    const url = await freshDatabase();
    expect((await move(folder, url)).code).toBe(0);
    await served(url, async (server) => {
      expect((await pageOf(server, { seed: 7 })).ids).toEqual(former.first.ids);
      const second = await pageOf(server, { seed: 7, cursor: former.first.cursor });
      expect(second.ids).toEqual(former.second.ids);
    });
  }, 120_000);

  test('refuses a target that has data', async () => {
    const url = await freshDatabase();
    expect((await move(source, url)).code).toBe(0);
    const refused = await move(source, url);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('[target_not_empty]')]);
    const back = await move(url, source);
    expect([back.code, back.stderr]).toEqual([
      2,
      expect.stringContaining(`there is already data of feedloom in '${join(source, 'feedloom.sqlite')}'`),
    ]);
  });

  test('refuses a source or a target that another process uses', async () => {
    const [url, other] = [await freshDatabase(), freshFolder()];
    const hold = (place: object) =>
      openStore({ data: other, write_queue: 1, role: 'serve', command: 'holder', ...place });
    for (const place of [{ data: source }, { database_url: url }]) {
      const store = await hold(place);
      const { code, stderr } = await move(source, url);
      expect([code, stderr]).toEqual([2, expect.stringContaining("is in use by 'holder'")]);
      await store.close();
    }
  });

  test.each([
    ['two folders', 'a', 'b', 'one of --from and --to must be a folder and the other one postgres://'],
    ['another database', 'a', 'mysql://b', '--to must start with postgres://'],
    ['a source that is absent', 'absent', 'postgres://u:secret@127.0.0.1:1/x', '[no_data]'],
  ])('refuses %s', async (_, from, to, message) => {
    const { code, stderr } = await move(from === 'absent' ? join(root, from) : from, to);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('secret');
  });

  test('refuses a source of an older version without changing it', async () => {
    const [url, back] = [await freshDatabase(), freshFolder()];
    expect((await move(source, url)).code).toBe(0);
    await query(url, 'delete from kysely_migration where name = (select max(name) from kysely_migration)');
    const { code, stderr } = await move(url, back);
    expect([code, stderr]).toEqual([2, expect.stringContaining('[data_outdated]')]);
    expect(stderr).toContain('start feedloom serve of this version on it once');
  });
});

describe('a killed move', () => {
  for (const [signal, ofRun] of [
    ['SIGKILL', test],
    ['SIGINT', longTest],
  ] as const)
    ofRun(
      `by ${signal} leaves a target that is refused until it is moved again`,
      async () => {
        const [url, before] = [await freshDatabase(), await contentsOf(source)];
        // Makes the tables, so that one of them can be locked.
        const made = await openStore({
          data: '',
          database_url: url,
          write_queue: 1,
          role: 'beside',
          command: 'test',
        });
        await made.close();
        const client = new SQL({ url, max: 1 });
        const locker = await client.reserve();
        await locker.unsafe('begin');
        await locker.unsafe('lock table interactions in share mode');
        const child = start('move', '--from', source, '--to', url);
        const waits = `select 1 from pg_locks join pg_database on oid = database
      where datname = current_database() and relation = 'interactions'::regclass and not granted`;
        while ((await locker.unsafe(waits).values()).length === 0);
        child.kill(signal);
        await child.exited;
        await locker.unsafe('rollback');
        locker.release();
        await client.close();
        const { stderr, exited } = launch(freshFolder(), { env: { FEEDLOOM_DATABASE_URL: url } });
        expect(await exited).toBe(2);
        expect(await stderr).toContain('[move_unfinished]\n  run the same feedloom move again');
        const examined = await run('doctor', '--database-url', url, '--data', freshFolder());
        expect([examined.code, examined.stdout]).toEqual([
          1,
          expect.stringContaining('a move to this data was interrupted'),
        ]);
        const from_it = await move(url, freshFolder());
        expect([from_it.code, from_it.stderr]).toEqual([2, expect.stringContaining('[move_unfinished]')]);
        expect(await contentsOf(source)).toEqual(before);
        expect((await move(source, url)).code).toBe(0);
        expect(await contentsOf(url)).toEqual(before);
      },
      120_000,
    );
});
