import { Database } from 'bun:sqlite';
import { beforeEach, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { temporaryFolder } from '../support/folder.ts';
import { run, start } from './run.ts';

let root: string;
let data: string;
let file: string;
beforeEach(async () => {
  root = temporaryFolder('former-log');
  data = join(root, 'data');
  file = join(data, 'feedloom.sqlite');
  expect((await run('keys', 'create', '--account', 'first', '--data', data)).code).toBe(0);
});

const FORMER = 'the log of another database';

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((descriptor) => {
    try {
      return readlinkSync(join(folder, descriptor)) === path;
    } catch {
      return false;
    }
  });
}

/** Resolves when the process has a file open, or has ended. @returns false if it has ended */
async function opening(child: Bun.Subprocess, path: string): Promise<boolean> {
  while (child.exitCode === null && existsSync(`/proc/${child.pid}`)) {
    if (hasOpen(child.pid, path)) return true;
    await nextTurn();
  }
  return false;
}

test('a log next to a database that has none is deleted', async () => {
  writeFileSync(`${file}-wal`, FORMER);
  const { code, stdout } = await run('keys', 'list', '--data', data);
  expect([code, stdout.includes('first')]).toEqual([0, true]);
  expect(readdirSync(data).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
});

// Skipped where the system does not list the files that a process has open.
test.skipIf(!existsSync('/proc/self/fd'))(
  'an old log is not deleted while another process opens the data, and the log of that process never is',
  async () => {
    writeFileSync(`${file}-wal`, FORMER);
    const entry = join(data, 'feedloom.opening.lock');
    const other = new Database(entry);
    other.run('begin exclusive');
    const child = start('keys', 'list', '--data', data);
    expect(await opening(child, entry)).toBe(true);
    expect(readFileSync(`${file}-wal`, 'utf8')).toBe(FORMER);
    // The other process has removed the log and created its own before it releases the lock.
    rmSync(`${file}-wal`);
    const database = new Database(file);
    database.run('pragma journal_mode = wal');
    database.run("insert into accounts (name, created_at) values ('acknowledged', 0)");
    other.close();
    expect(await child.exited).toBe(0);
    const copied = join(root, 'copied');
    mkdirSync(copied);
    for (const name of ['feedloom.sqlite', 'feedloom.sqlite-wal'])
      copyFileSync(join(data, name), join(copied, name));
    database.close();
    const copy = new Database(join(copied, 'feedloom.sqlite'));
    expect(copy.query('select name from accounts order by name').values()).toEqual([
      ['acknowledged'],
      ['first'],
    ]);
    copy.close();
  },
);
