import { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService } from '../support/service.ts';
import { run } from './run.ts';

/** Backups whose names say that they are from years ago: `nth` is a year after 2000. */
const old = (nth: number, of = '') => `feedloom-20${nth}-01-01T00-00-00-000Z${of}.sqlite`;

const top = temporaryFolder('backup-keep');
let root: string;
let folder: string;
beforeEach(async () => {
  root = mkdtempSync(join(top, 'test-'));
  folder = join(root, 'backups');
  await write('data', false);
});

/** Data of a service of its own. */
async function write(name: string, with_wallets: boolean): Promise<void> {
  await using service = await openTestService({ data: join(root, name) });
  const item = { item_id: 'base.0x00000000000000000000000000000000000d0000.0', name: 'A' };
  if (with_wallets) await service.service.alpha.ingestItems([item]);
}

const keep = (count: string, data = 'data') =>
  run('backup', folder, '--keep', count, '--data', join(root, data));

/** Makes a backup and copies of it under the names of older ones. @returns the name of the backup */
async function withOld(years: readonly number[], data = 'data'): Promise<string> {
  const { code, stdout } = await keep('1', data);
  expect(code).toBe(0);
  const [file] = stdout.split('  ');
  for (const year of years) copyFileSync(file, join(folder, old(year)));
  return basename(file);
}

describe('feedloom backup --keep', () => {
  test('writes a backup with the time in its name, which restore accepts', async () => {
    const { code, stdout } = await keep('7');
    const [name] = readdirSync(folder);
    expect([code, name]).toEqual([
      0,
      expect.stringMatching(/^feedloom-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.sqlite$/),
    ]);
    expect(stdout).toContain(join(folder, name));
    const restored = await run('restore', join(folder, name), '--data', join(root, 'restored'));
    expect(restored.code).toBe(0);
  });

  test('keeps the newest backups and prints which ones were removed', async () => {
    const first = await withOld([20, 21, 22, 23]);
    const { code, stdout } = await keep('3');
    expect(code).toBe(0);
    const left = readdirSync(folder).sort();
    expect(left.slice(0, 2)).toEqual([old(23), first]);
    expect(left).toHaveLength(3);
    for (const year of [20, 21, 22]) expect(stdout).toContain(`removed ${join(folder, old(year))}\n`);
  });

  test('keeps the backup that it wrote when the clock was set back', async () => {
    const later = old(99);
    await withOld([99]);
    const { stdout } = await keep('1');
    expect(readdirSync(folder)).toEqual([basename(stdout.split('  ')[0])]);
    expect(stdout).toContain(`removed ${join(folder, later)}\n`);
  });

  test('neither counts nor removes files with other names, links, and backups of other data', async () => {
    const first = await withOld([20, 21]);
    await write('other', false);
    const file = join(root, 'other.sqlite');
    await run('backup', file, '--data', join(root, 'other'));
    copyFileSync(file, join(folder, old(22)));
    writeFileSync(join(folder, old(23)), 'not a database');
    symlinkSync(join(folder, first), join(folder, old(24)));
    mkdirSync(join(folder, old(25)));
    const others = ['by-hand.sqlite', 'feedloom.sqlite', `${old(26)}.gz`];
    for (const name of others) copyFileSync(join(folder, first), join(folder, name));
    const { code } = await keep('2');
    expect(code).toBe(0);
    const left = readdirSync(folder);
    for (const name of [first, ...others, ...[22, 23, 24, 25].map((nth) => old(nth))])
      expect(left).toContain(name);
    expect([left.includes(old(20)), left.includes(old(21))]).toEqual([false, false]);
  });

  test('removes the backup of wallets with the backup to which it belongs', async () => {
    await write('data', true);
    const { stdout } = await keep('1');
    const [content, wallets] = stdout.split('\n').map((line) => line.split('  ')[0]);
    expect(basename(wallets)).toBe(basename(content).replace('.sqlite', '-wallets.sqlite'));
    copyFileSync(content, join(folder, old(20)));
    copyFileSync(wallets, join(folder, old(20, '-wallets')));
    copyFileSync(content, join(folder, old(21)));
    writeFileSync(join(folder, old(21, '-wallets')), 'a file of somebody');
    expect((await keep('2')).code).toBe(0);
    const left = readdirSync(folder).filter((name) => name.startsWith('feedloom-20'));
    expect(left.filter((name) => name < old(25))).toEqual([old(21, '-wallets')]);
  });

  test('removes no backup if the new one fails', async () => {
    const first = await withOld([20, 21]);
    const data = join(root, 'data', 'feedloom.sqlite');
    const database = new Database(data);
    const [[root_page]] = database
      .query("select rootpage from sqlite_master where name = 'users'")
      .values() as number[][];
    const [[page_size]] = database.query('pragma page_size').values() as number[][];
    database.close();
    const bytes = new Uint8Array(await Bun.file(data).arrayBuffer());
    bytes.fill(0xff, (root_page - 1) * page_size, root_page * page_size);
    writeFileSync(data, bytes);
    const { code, stderr } = await keep('1');
    expect([code, stderr.includes('[backup_failed]')]).toEqual([2, true]);
    expect(readdirSync(folder).sort()).toEqual([old(20), old(21), first]);
  });

  test('removes what a killed backup has left, but no folder of something else', async () => {
    await withOld([]);
    const killed = join(folder, `${old(20)}.under-way`);
    const foreign = join(folder, `${old(21)}.under-way`);
    for (const [path, name] of [
      [killed, 'feedloom.sqlite'],
      [foreign, 'photos.zip'],
    ]) {
      mkdirSync(path, { mode: 0o700 });
      new Database(join(path, 'lock')).close();
      writeFileSync(join(path, 'lock'), '');
      writeFileSync(join(path, name), 'half');
    }
    expect((await keep('5')).code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.endsWith('.under-way'))).toEqual([basename(foreign)]);
  });

  test('refuses a file as the folder of backups', async () => {
    writeFileSync(folder, 'precious');
    const { code, stderr } = await keep('7');
    expect([code, stderr.includes(`the folder '${folder}' cannot be read`)]).toEqual([2, true]);
    expect(readFileSync(folder, 'utf8')).toBe('precious');
  });

  test.each(['0', '-1', '1.5', 'all', '', '10001'])(
    'refuses to keep %j, and says what is allowed',
    async (count) => {
      const { code, stderr } = await keep(count);
      expect([code, stderr.includes('--keep must be an integer from 1 to 10000')]).toEqual([2, true]);
      expect(readdirSync(root)).toEqual(['data']);
    },
  );
});
