import type { Database } from 'bun:sqlite';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';
import { isLocked, lockFile } from '../../files/file-lock.ts';
import { replaceFile } from '../../files/new-file.ts';
import type { Holder, Lock } from '../connection.ts';
import { inUse } from '../holder.ts';
import { openingError } from './connection.ts';

/** The lock is a separate file. The holder's name is in another file, only for messages. */

const LOCK = 'feedloom.lock';

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
 * The process that holds the lock of a data folder. Undefined if there is none, or it has not written its name yet.
 * @throws errors of SQLite and of the file system
 */
export function holderOfFolder(data: string): Holder | undefined {
  const holder = readHolder(data);
  // A killed process leaves its name but not its lock. Without a name, the lock is not touched.
  return holder !== undefined && isLocked(join(data, LOCK)) ? holder : undefined;
}

/**
 * Writes the holder's name for messages.
 *
 * A failure must not keep a process from starting. Then the old name is removed if possible, so that messages name no
 * wrong holder.
 */
function writeHolder(data: string, holder: Holder): void {
  const file = holderFile(data);
  try {
    replaceFile(file, JSON.stringify(holder));
  } catch {
    remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}

/**
 * Takes the exclusive lock of a data folder, which must exist.
 * @throws StartupError `data_in_use` naming the holder, `disk_full`, `data_unwritable`, `data_unreadable`,
 * `lock_damaged`
 */
export function lockFolder(data: string, holder: Holder): Lock {
  const held = openedLock(data);
  if (held === undefined) throw inUse(`the data folder '${data}'`, readHolder(data));
  writeHolder(data, holder);
  return {
    // Done when the lock was taken, so that the name of a killed holder does not remain.
    announce: async () => {},
    // The operating system never takes the lock away.
    watch() {},
    release: async () => {
      remove(holderFile(data));
      held.close();
    },
  };
}

function openedLock(data: string): Database | undefined {
  try {
    return lockFile(join(data, LOCK), 0);
  } catch (error) {
    throw error instanceof StartupError ? error : openingError(data, error);
  }
}
