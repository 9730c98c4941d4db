import { Database } from 'bun:sqlite';
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Holder, Lock } from '../connection.ts';
import { inUse } from '../holder.ts';
import { openingError } from './connection.ts';

/**
 * The lock is an exclusive transaction on a database file of its own, which the operating system drops
 * with the process, however it dies. The holder's name is in a file beside it, for messages only.
 * Never open `feedloom.lock` in any other way within this process: closing it would drop the lock.
 */

function holderFile(data: string): string {
  return join(data, 'feedloom.lock.json');
}

function readHolder(data: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(holderFile(data), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/**
 * The name is for messages only: that it cannot be written or removed must not keep anybody from starting or
 * closing. Where it cannot be written, nobody is named rather than the one before.
 */
function writeHolder(data: string, holder: Holder): void {
  const file = holderFile(data);
  const part = `${file}.${holder.pid}`;
  try {
    writeFileSync(part, JSON.stringify(holder));
    renameSync(part, file);
  } catch {
    remove(part);
    remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}

/**
 * Takes the exclusive lock of a data folder; the folder must exist.
 * @throws StartupError `data_in_use` naming the holder, `disk_full`, `data_unwritable`, `data_unreadable`
 */
export function lockFolder(data: string, holder: Holder): Lock {
  const file = join(data, 'feedloom.lock');
  let database: Database | undefined;
  try {
    database = new Database(file, { create: true, readwrite: true });
    // SQLite opens a file that cannot be written for reading, and then its exclusive lock excludes nobody.
    accessSync(file, constants.W_OK);
    database.run('pragma busy_timeout = 0');
    database.run('begin exclusive');
    writeHolder(data, holder);
  } catch (error) {
    database?.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) {
      throw inUse(`the data folder '${data}'`, readHolder(data));
    }
    throw openingError(data, error);
  }
  const held = database;
  return {
    // Done already: the name of a holder who was killed must not outlive him.
    announce: async () => {},
    // The operating system takes it from nobody.
    watch() {},
    release: async () => {
      remove(holderFile(data));
      held.close();
    },
  };
}
