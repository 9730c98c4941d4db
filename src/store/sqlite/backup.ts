import { Database } from 'bun:sqlite';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf, StartupError } from '../../errors.ts';

/**
 * Writes the database as it is at one moment into a new file, while others read and write it. The file is
 * there as a whole or not at all, and needs nothing beside it.
 * @throws StartupError `backup_failed`
 */
export function backup(database: Database, file: string): void {
  if (existsSync(file)) throw failed(file, 'it is there already', 'name a file that is not');
  const part = `${file}.part`;
  makeRoom(file, part);
  try {
    database.run('vacuum into ?', [part]);
    forgetCheckpoint(part);
    sync(part);
    renameSync(part, file);
    sync(dirname(file));
  } catch (error) {
    rmSync(part, { force: true });
    throw failed(file, reasonOf(error));
  }
}

/** What an earlier attempt has left would be in the way. */
function makeRoom(file: string, part: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    rmSync(part, { force: true });
  } catch (error) {
    throw failed(file, reasonOf(error));
  }
}

/** The data folder's checkpoint does not come along. */
function forgetCheckpoint(part: string): void {
  const copy = new Database(part);
  try {
    copy.run("delete from meta where name = 'checkpoint'");
  } finally {
    copy.close(true);
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function failed(file: string, reason: string, remedy?: string): StartupError {
  return new StartupError('backup_failed', `no backup could be written to '${file}': ${reason}`, remedy);
}
