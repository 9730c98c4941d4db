import type { Database } from 'bun:sqlite';
import { accessSync, chmodSync, constants, existsSync, lchownSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, StartupError } from '../../errors.ts';
import { lockFile } from '../../files/file-lock.ts';

/** Held while a process opens the data. */
export const OPENING_LOCK = 'feedloom.opening.lock';
/** How long to wait for other processes that open the data. They may have to merge the log of a killed service. */
const OPENING_TIMEOUT_MS = 30_000;

/**
 * Takes the lock for opening the data.
 *
 * Every account that may write the database may take it, even if another account created the file. SQLite treats its
 * own files beside a database in the same way.
 * @param databases files of databases that may be in the folder
 * @throws StartupError `data_unwritable` naming the lock, if only the lock prevents opening; `lock_damaged`; other
 * errors of opening
 */
export function lockOpening(data: string, databases: readonly string[]): Database {
  const lock = join(data, OPENING_LOCK);
  const database = databases.find((file) => existsSync(file));
  // Also before opening: the file may belong to this account and still deny it access.
  isDone(() => settle(lock, data, database));
  const held = opened(lock, database);
  if (held === undefined) throw new Error('another process was opening it all the time');
  // Also on failure, because a lock that was not acquired cannot be released.
  isDone(() => settle(lock, data, database));
  return held;
}

function opened(lock: string, database: string | undefined): Database | undefined {
  try {
    return lockFile(lock, OPENING_TIMEOUT_MS);
  } catch (error) {
    if (database === undefined || !existsSync(lock) || mayUse(lock) || !mayUse(database)) throw error;
    throw new StartupError(
      'data_unwritable',
      `'${lock}' cannot be written (${reasonOf(error)}), though the database beside it can`,
      `have its owner, or root, give it the owner, the group and the mode of '${database}'`,
    );
  }
}

function mayUse(file: string): boolean {
  return isDone(() => accessSync(file, constants.R_OK | constants.W_OK));
}

/**
 * Gives the lock file the mode and the owner of the database.
 *
 * Works by name, because closing a descriptor would drop the lock. What this account may not change stays, as with
 * SQLite's own files.
 */
function settle(lock: string, data: string, database: string | undefined): void {
  const is = lstatSync(lock, { throwIfNoEntry: false });
  // A symbolic or hard link must not make root give away another file.
  if (is?.isFile() !== true || is.nlink !== 1) return;
  const { mode, uid, gid } = statSync(database ?? data);
  if (database !== undefined && is.mode !== mode) isDone(() => chmodSync(lock, mode & 0o777));
  // Other accounts than root can only change the group, to one of their own.
  const owner = process.geteuid?.() === 0 ? uid : is.uid;
  if (is.uid !== owner || is.gid !== gid) isDone(() => lchownSync(lock, owner, gid));
}

function isDone(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
