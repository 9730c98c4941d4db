import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  dayRun,
  encodeHead,
  encodeRuns,
  erasedHead,
  NO_HEAD,
  newPage,
  type SeenHead,
} from '../../src/seen/head.ts';
import { jsonl } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { about, diagnosisOf } from './doctor-support.ts';
import { run } from './run.ts';

const T = 1_795_000_000;

test('feedloom verify names each fault in rows of what viewers saw, and counts the rows', async () => {
  const page = (key: number) => newPage({ time: T, page_id: 1, feed: 0, arm: 0, keys: Uint32Array.of(key) });
  const head = (fields: Partial<SeenHead>) => encodeHead({ ...NO_HEAD, born: 1, ...fields });
  const rows: [viewer: number, part: number, content: Uint8Array][] = [
    [0x10, 0, head({ moved: 1, pages: [page(0), page(1)] })],
    [0x10, 1, encodeRuns([dayRun(T, Uint32Array.of(2, 3))])],
    [0x20, 0, Uint8Array.of(1, 2)],
    [0x30, 0, Uint8Array.of(9)],
    [0x40, 0, head({ moved: 1 })],
    [0x40, 1, Uint8Array.of(255)],
    [0x40, 2, encodeRuns([])],
    [0x50, 1, encodeRuns([])],
    [0x60, 0, head({ pages: [page(9_999)] })],
    [0x70, 0, erasedHead(2 ** 40, 1)],
  ];
  const viewerOf = (first: number) => `${first.toString(16)}${'0'.repeat(30)}`;
  const data = join(temporaryFolder(), 'data');
  const files = temporaryFolder();
  const items = [0, 1, 2, 3].map((item) => ({ item_id: `i${item}`, author_id: 'u', created_at: T }));
  writeFileSync(join(files, 'items.jsonl'), jsonl(items));
  expect((await run('import', files, '--data', data)).code).toBe(0);
  const database = new Database(join(data, 'feedloom.sqlite'));
  const insert = (stored: typeof rows) => {
    const statement = database.query('insert into seen values (unhex(?1), ?2, 1, 5, ?3)');
    for (const [first, part, content] of stored) statement.run(viewerOf(first), part, content);
  };
  const verify = async () => diagnosisOf(await run('verify', '--json', '--data', data));
  insert(rows.slice(0, 2));
  const sound = await verify();
  expect(about(sound, 'seen')).toEqual([
    'ok content: rows of 1 viewers with 1 parts and 4 items can be read',
  ]);
  expect(sound.code).toBe(0);
  insert(rows.slice(2));
  database.run("update meta set value = '7' where name = 'seen_format'");
  database.close();
  const damaged = await verify();
  expect(damaged.code).toBe(1);
  const place = (first: number) => `row ${viewerOf(first)} of the table 'seen'`;
  expect(about(damaged, 'seen').filter((line) => line.startsWith('fail'))).toEqual([
    "fail content: rows have the format '7', and this version reads '1'",
    `fail content: ${place(0x20)} cannot be read (the bytes end too early) (and 1 more of this kind)`,
    `fail content: part 1 of ${place(0x40)} cannot be read (the bytes end too early)`,
    `fail content: ${place(0x40)} has part 2, and its head moved 1 out`,
    `fail content: ${place(0x50)} has parts and no head`,
    `fail content: ${place(0x60)} refers to item 9999, which has no name`,
    `fail content: ${place(0x70)} has an erasure that is not stored`,
  ]);
});
