import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres.ts';
import { openTestService, START } from '../support/service.ts';
import { run } from './run.ts';

const PAGE_BYTES = 4_096;
const INTERIOR_PAGE = 5;
const root = temporaryFolder('damaged-pages');
const data = join(root, 'data');
const { service, close } = await openTestService({ data });
const items = Array.from({ length: 500 }, (_, at) => ({
  item_id: `i${at}`,
  author_id: 'a',
  created_at: START,
}));
await service.ingest.ingest('items', items);
await close();
swapEnds(join(data, 'feedloom.sqlite'), 'items');

/** Exchanges the first and the last page of a table, so that its last rows are read first. */
function swapEnds(file: string, table: string): void {
  const database = new Database(file);
  const query = database.query<{ rootpage: number }, [string]>(
    'select rootpage from sqlite_master where name = ?',
  );
  const rootpage = query.get(table)?.rootpage ?? 0;
  database.close();
  const bytes = readFileSync(file);
  const page = (number: number) => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES);
  const root_page = page(rootpage);
  expect(root_page[0]).toBe(INTERIOR_PAGE);
  const first = page(root_page.readUInt32BE(root_page.readUInt16BE(12)));
  const last = page(root_page.readUInt32BE(8));
  const former = Buffer.from(first);
  first.set(last);
  last.set(former);
  writeFileSync(file, bytes);
}

describe('a database whose rows are out of order', () => {
  test('does not start, and the error names the table', async () => {
    const { code, stderr } = await run('serve', '--data', data, '--port', '0');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/the table 'items' is damaged.*\[data_unreadable\]/),
    ]);
  });

  test('is not exported, and the export ends with the same error', async () => {
    const { code, stderr } = await run('export', join(root, 'files'), '--data', data);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/the table 'items' is damaged.*\[data_unreadable\]/),
    ]);
  });

  test('is not moved', async () => {
    const { code, stderr } = await run('move', '--from', data, '--to', await freshDatabase());
    expect([code, stderr]).toEqual([2, expect.stringContaining("the table 'items' is damaged")]);
  });

  test('is called damaged by verify', async () => {
    const { code, stdout } = await run('verify', '--data', data);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/fail.*is damaged/)]);
  });
});

describe('a database in which rows of two tables have the same seq', () => {
  let shared: string;
  beforeAll(async () => {
    shared = join(root, 'shared');
    const { service, close } = await openTestService({ data: shared });
    await service.ingest.ingest('items', [{ item_id: 'i', author_id: 'a', created_at: START }]);
    await service.ingest.ingest('follows', [{ user_id: 'a', target_user_id: 'b' }]);
    await close();
    const database = new Database(join(shared, 'feedloom.sqlite'));
    database.run('update follows set seq = (select seq from items)');
    database.close();
  });

  test.each([
    ['does not start', ['serve', '--port', '0'], 2],
    ['is not exported', ['export', join(tmpdir(), 'feedloom-unused')], 2],
    ['is called damaged by verify', ['verify'], 1],
  ])('%s, and the error names both tables', async (_, args, expected) => {
    const { code, stdout, stderr } = await run(...args, '--data', shared);
    expect([code, stdout + stderr]).toEqual([
      expected,
      expect.stringMatching(
        /one of the tables 'items' and 'follows' is damaged: both have a row with seq \d+/,
      ),
    ]);
  });
});
