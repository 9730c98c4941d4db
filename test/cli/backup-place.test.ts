import { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { run, start } from './run.ts';

let place: string;
let file: string;
const root = temporaryFolder('backup-place');
const data = join(root, 'data');
const files = join(root, 'files');
mkdirSync(files);
const text = 'a post that takes its room '.repeat(20);
const items = Array.from({ length: 20_000 }, (_, at) => ({
  item_id: `i${at}`,
  author_id: `u${at % 100}`,
  created_at: 1000 + at,
  text,
  language: 'en',
}));
writeFileSync(join(files, 'items.jsonl'), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
expect((await run('import', files, '--data', data)).code).toBe(0);

beforeEach(() => {
  place = mkdtempSync(join(root, 'place-'));
  file = join(place, 'backup.sqlite');
});

const args = () => ['backup', file, '--data', data];

/** Resolves when a file is created in the folder. */
function changed(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => {
      watcher.close();
      resolve();
    });
  });
}

function itemsIn(path: string): unknown[][] {
  const database = new Database(path, { readonly: true });
  try {
    return database.query('select count(*) from items').values();
  } finally {
    database.close();
  }
}

describe('the place of a backup', () => {
  test('two backups to one file exclude each other: the second is refused by name and changes nothing', async () => {
    const folder = `${file}.under-way`;
    mkdirSync(folder);
    writeFileSync(join(folder, 'feedloom.sqlite'), 'half of another backup');
    const other = new Database(join(folder, 'lock'));
    other.run('pragma journal_mode = memory');
    other.run('begin exclusive');
    const { code, stderr } = await run(...args());
    expect([code, stderr.includes(`another backup to this file is running, in '${folder}'`)]).toEqual([
      2,
      true,
    ]);
    expect(readdirSync(place)).toEqual(['backup.sqlite.under-way']);
    expect(readdirSync(folder).sort()).toEqual(['feedloom.sqlite', 'lock']);
    // The folder of a killed process does not block later backups.
    other.close();
    expect((await run(...args())).code).toBe(0);
    expect(readdirSync(place)).toEqual(['backup.sqlite']);
    expect(itemsIn(file)).toEqual([[20_000]]);
  });

  test('of several backups to one file that start at once, one complete backup remains', async () => {
    const ran = await Promise.all([run(...args()), run(...args()), run(...args())]);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    for (const { code, stderr } of ran) {
      if (code !== 0) expect(stderr).toMatch(/is running|the file exists/);
    }
    expect(readdirSync(place)).toEqual(['backup.sqlite']);
    expect(itemsIn(file)).toEqual([[20_000]]);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('has nothing after %s', async (signal, expected) => {
    for (let code = -1; code !== expected; ) {
      rmSync(file, { force: true });
      const begun = changed(place);
      const child = start(...args());
      await begun;
      child.kill(signal);
      code = await child.exited;
      // A backup that was complete before the signal arrived is repeated.
      expect([0, expected]).toContain(code);
      expect(existsSync(file)).toBe(code === 0);
      expect(existsSync(`${file}.under-way`)).toBe(false);
    }
    expect(readdirSync(place)).toEqual([]);
  });
});
