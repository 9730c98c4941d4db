import { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService, START } from '../support/service.ts';
import { run } from './run.ts';

type TestService = Awaited<ReturnType<typeof openTestService>>;

let root: string;
let data: string;
/** The data folder as a service left it that was killed. */
let killed: string;
let file: string;
beforeEach(() => {
  root = temporaryFolder('left-over-log');
  data = join(root, 'data');
  killed = join(root, 'killed');
  file = join(killed, 'feedloom.sqlite');
});

/** Stores new items in one commit. */
async function ingest({ service }: TestService, count: number, prefix: string): Promise<void> {
  const items = Array.from({ length: count }, (_, at) => ({
    item_id: `${prefix}${at}`,
    author_id: 'a',
    created_at: START,
  }));
  await service.ingest.ingest('items', items);
}

/** The database as `sqlite3 .backup` copies it: its log is merged, but its header says that it has a log. */
function copied(): Uint8Array {
  const database = new Database(join(data, 'feedloom.sqlite'), { readonly: true });
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** Keeps the files of a service that runs, which are those of a killed one. */
async function kill(service: TestService): Promise<void> {
  cpSync(data, killed, { recursive: true });
  await service.close();
}

async function storedItems(): Promise<number> {
  const { service, close } = await openTestService({ data: killed });
  const { count } = service.state.items.names;
  await close();
  return count;
}

const REFUSAL = /feedloom\.sqlite-wal' does not belong to .*feedloom\.sqlite', which was replaced by a copy/;

describe('a copy in the place of the database of a killed service', () => {
  test('is refused if the log has later changes, and is used exactly once the log is removed', async () => {
    const service = await openTestService({ data });
    await ingest(service, 500, 'first');
    const copy = copied();
    await ingest(service, 1, 'later');
    await kill(service);
    writeFileSync(file, copy);
    for (const args of [['serve', '--port', '0'], ['export', join(root, 'files')], ['verify']]) {
      const { code, stderr } = await run(...args, '--data', killed);
      expect([args[0], code, stderr]).toEqual([args[0], 2, expect.stringMatching(REFUSAL)]);
      expect(stderr).toContain('[log_left_over]');
    }
    const { stdout } = await run('doctor', '--data', killed);
    expect(stdout).toMatch(REFUSAL);
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix);
    expect(await storedItems()).toBe(500);
  });

  test('is refused if it is older than the log', async () => {
    const former = await openTestService({ data });
    await ingest(former, 500, 'first');
    const copy = copied();
    await ingest(former, 1, 'later');
    await former.close();
    const service = await openTestService({ data });
    await ingest(service, 1, 'last');
    await kill(service);
    writeFileSync(file, copy);
    await expect(storedItems()).rejects.toThrow(REFUSAL);
  });

  test('is refused if it is a copy of another database', async () => {
    const other = await openTestService({ data });
    await ingest(other, 3, 'other');
    const copy = copied();
    await other.close();
    rmSync(data, { recursive: true });
    const service = await openTestService({ data });
    await ingest(service, 500, 'first');
    await kill(service);
    writeFileSync(file, copy);
    await expect(storedItems()).rejects.toThrow(REFUSAL);
  });

  test('is served if the log has no later changes', async () => {
    const service = await openTestService({ data });
    await ingest(service, 500, 'first');
    const copy = copied();
    await kill(service);
    writeFileSync(file, copy);
    expect(await storedItems()).toBe(500);
  });
});

describe('the log of a killed service', () => {
  test('is used beside its own database', async () => {
    const service = await openTestService({ data });
    await ingest(service, 500, 'first');
    await ingest(service, 1, 'later');
    await kill(service);
    expect(await storedItems()).toBe(501);
  });

  test('is used beside a database that other connections have merged it into', async () => {
    const service = await openTestService({ data });
    await ingest(service, 500, 'first');
    const other = new Database(join(data, 'feedloom.sqlite'));
    other.run('pragma wal_checkpoint(passive)');
    other.close();
    await ingest(service, 1, 'later');
    await kill(service);
    expect(await storedItems()).toBe(501);
  });

  test('is used beside a database into which a part was merged while another connection read', async () => {
    const former = await openTestService({ data });
    await ingest(former, 1, 'former');
    await former.close();
    const service = await openTestService({ data });
    await ingest(service, 500, 'first');
    const reader = new Database(join(data, 'feedloom.sqlite'), { readonly: true });
    reader.run('begin');
    reader.query('select count(*) from meta').get();
    await ingest(service, 1, 'later');
    const other = new Database(join(data, 'feedloom.sqlite'));
    other.run('pragma wal_checkpoint(passive)');
    other.close();
    await kill(service);
    reader.close();
    expect(await storedItems()).toBe(502);
  });
});
