import { describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hashKey } from '../../src/store/keys.ts';
import { nft, wallet } from '../alpha/support.ts';
import { jsonl, readFiles, withFolder } from '../interchange/support.ts';
import { run } from './run.ts';

const FILES = {
  'items.jsonl': jsonl([{ item_id: 'a', author_id: 'w', created_at: 1000 }]),
  'interactions.csv': 'user_id,item_id,event_type,timestamp,event_id\nu,a,like,2000,like-1\n',
  'events.csv': `wallet_address,item_id,event_type,timestamp\n${wallet(1)},${nft(1, 1)},mint,1000\n`,
};

/** Runs `work` in a folder with data, its backup `backup.sqlite`, and its export. */
function withBackup(
  work: (folder: string, exported: Record<string, string>) => Promise<void>,
): Promise<void> {
  return withFolder({}, async (folder) => {
    const [files, data] = ['files', 'data'].map((name) => join(folder, name));
    mkdirSync(files);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(files, name), text);
    expect((await run('import', files, '--data', data)).code).toBe(0);
    expect((await run('backup', join(folder, 'backup.sqlite'), '--data', data)).code).toBe(0);
    await work(folder, await exportOf(data, join(folder, 'exported')));
  });
}

async function exportOf(data: string, to: string): Promise<Record<string, string>> {
  expect((await run('export', to, '--data', data)).code).toBe(0);
  return readFiles(to);
}

describe('feedloom restore', () => {
  test('a restore fills a data folder from a backup, including wallets, restricted to its owner', async () => {
    await withBackup(async (folder, exported) => {
      const data = join(folder, 'deep', 'restored');
      const { code, stdout } = await run('restore', join(folder, 'backup.sqlite'), '--data', data);
      expect(code).toBe(0);
      expect(stdout).toContain(`${join(data, 'feedloom.sqlite')}  `);
      expect(readdirSync(data).sort()).toEqual(['feedloom-wallets.sqlite', 'feedloom.sqlite']);
      expect([data, join(data, 'feedloom.sqlite')].map((path) => statSync(path).mode & 0o777)).toEqual([
        0o700, 0o600,
      ]);
      expect(await exportOf(data, join(folder, 'again'))).toEqual(exported);
    });
  });

  test('a restore lists the keys that the backup brings, also those that were revoked after it', async () => {
    await withBackup(async (folder) => {
      const [data, restored, backup] = ['data', 'restored', 'keys.sqlite'].map((name) => join(folder, name));
      const keys = (...rest: string[]) => run('keys', ...rest, '--data', data);
      const active = await keys('create', '--account', 'acme', '--name', 'app', '--scope', 'feed:read');
      const revoked = await keys('create', '--account', 'gone');
      const [id, revoked_id] = [active, revoked].map(({ stderr }) => stderr.trim());
      const key = active.stdout.trim();
      await keys('revoke', revoked_id);
      expect((await run('backup', backup, '--data', data)).code).toBe(0);
      await keys('revoke', id);
      const { stdout } = await run('restore', backup, '--data', restored);
      const { stdout: listed } = await run('keys', 'list', '--data', restored);
      expect(stdout).toEndWith(`\n${listed}`);
      expect(listed).toMatch(new RegExp(`^${id}\tacme\tapp\tfeed:read\t.*\tactive$`, 'm'));
      expect(listed).toMatch(new RegExp(`^${revoked_id}\tgone\t-\t.*\trevoked$`, 'm'));
      for (const secret of [key, hashKey(key)]) expect(stdout).not.toContain(secret);
    });
  });

  test('a restore accepts an existing empty folder, and the files of a killed restore in it', async () => {
    await withBackup(async (folder, exported) => {
      const data = join(folder, 'restored');
      const left = join(data, 'restore.under-way');
      mkdirSync(left, { recursive: true, mode: 0o700 });
      writeFileSync(join(left, 'lock'), '');
      writeFileSync(join(left, 'feedloom.sqlite'), 'half');
      writeFileSync(join(left, 'feedloom.opening.lock'), '');
      expect((await run('restore', join(folder, 'backup.sqlite'), '--data', data)).code).toBe(0);
      expect(existsSync(left)).toBe(false);
      expect(await exportOf(data, join(folder, 'again'))).toEqual(exported);
    });
  });

  test('a restore refuses a data folder that is not empty, and leaves it unchanged', async () => {
    await withBackup(async (folder) => {
      const data = join(folder, 'data');
      const before = readdirSync(data);
      const { code, stderr } = await run('restore', join(folder, 'backup.sqlite'), '--data', data);
      expect(code).toBe(2);
      expect(stderr).toContain(`the data folder '${data}' is not empty, it holds '`);
      expect(stderr).toContain('[restore_failed]');
      expect(readdirSync(data)).toEqual(before);
    });
  });

  test('a restore refuses files that are not complete backups, and leaves nothing', async () => {
    await withBackup(async (folder) => {
      const backup = join(folder, 'backup.sqlite');
      const path = (name: string) => join(folder, name);
      writeFileSync(path('text'), 'no database');
      writeFileSync(path('empty'), '');
      copyFileSync(backup, path('cut'));
      truncateSync(path('cut'), statSync(backup).size - 8192);
      const bytes = readFileSync(backup);
      writeFileSync(path('overwritten'), bytes.fill(0x5a, 4096, 12_288));
      copyFileSync(backup, path('in-use'));
      writeFileSync(path('in-use-wal'), 'x');
      for (const [name, reason] of [
        ['absent', 'it does not exist'],
        ['files', 'it is not a file'],
        ['text', 'it cannot be read as a database'],
        ['empty', 'there is no data of feedloom'],
        ['cut', 'damaged|cannot be read'],
        ['overwritten', 'damaged|cannot be read'],
        ['in-use', 'it has a log beside it'],
      ]) {
        const { code, stderr } = await run('restore', path(name), '--data', path('restored'));
        expect([name, code]).toEqual([name, 2]);
        expect(stderr).toMatch(new RegExp(`could not be restored: .*(${reason}).*\\[restore_failed\\]`));
        expect(existsSync(path('restored')) ? readdirSync(path('restored')) : []).toEqual([]);
      }
    });
  });

  test('a restore names the tool of PostgreSQL if the data is there', async () => {
    const { code, stderr } = await run('restore', 'file', '--database-url', 'postgres://localhost/none');
    expect([code, stderr]).toEqual([2, expect.stringContaining('pg_restore')]);
  });
});
