import { Database } from 'bun:sqlite';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

function writeHolder(data: string, holder: Holder): void {
  const file = holderFile(data);
  writeFileSync(`${file}.${holder.pid}`, JSON.stringify(holder));
  renameSync(`${file}.${holder.pid}`, file);
}

/**
 * Takes the exclusive lock of a data folder; the folder must exist.
 * @throws StartupError `data_in_use` naming the holder, `data_unwritable`
 */
export function lockFolder(data: string, holder: Holder): Lock {
  let database: Database | undefined;
  try {
    database = new Database(join(data, 'feedloom.lock'), { create: true, readwrite: true });
    database.run('pragma busy_timeout = 0');
    database.run('begin exclusive');
  } catch (error) {
    database?.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) {
      throw inUse(`the data folder '${data}'`, readHolder(data));
    }
    throw openingError(data, error);
  }
  const held = database;
  return {
    announce: async () => writeHolder(data, holder),
    release: async () => {
      rmSync(holderFile(data), { force: true });
      held.close();
    },
  };
}
