import type { Database } from 'bun:sqlite';
import { accessSync, chmodSync, constants, existsSync, lchownSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, StartupError } from '../../errors.ts';
import { lockFile } from '../../files/file-lock.ts';

/** Whoever opens the data holds it for as long as that takes. */
export const OPENING_LOCK = 'feedloom.opening.lock';
/** How long to wait for others who open the same data. They may have to take in the log of a service that was killed. */
const OPENING_TIMEOUT_MS = 30_000;

/**
 * Takes the lock of whoever opens the data. As with what SQLite puts beside a database, everybody who may write the database may take it,
 * whoever created it.
 * @param databases those that may be in the folder
 * @throws StartupError `data_unwritable`, naming the lock, when that alone keeps the data from being opened; `lock_damaged`; what else opening it fails with
 */
export function lockOpening(data: string, databases: readonly string[]): Database {
  const lock = join(data, OPENING_LOCK);
  const database = databases.find((file) => existsSync(file));
  // Before as well: it may be this account's, and yet shut to it.
  isDone(() => settle(lock, data, database));
  const held = opened(lock, database);
  if (held === undefined) throw new Error('another process has been opening it all the while');
  // Whatever happens: a lock that nobody was given could not be given back.
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
 * Gives the lock the mode and the owner of the database, by its name: closing a descriptor of it would drop the lock. What this account
 * may not change stays as it is, as in SQLite, which does not care either.
 */
function settle(lock: string, data: string, database: string | undefined): void {
  const is = lstatSync(lock, { throwIfNoEntry: false });
  // Nobody is to have root give away another file by way of a link, symbolic or hard.
  if (is?.isFile() !== true || is.nlink !== 1) return;
  const { mode, uid, gid } = statSync(database ?? data);
  if (database !== undefined && is.mode !== mode) isDone(() => chmodSync(lock, mode & 0o777));
  // Others than root may at most give it to a group of theirs.
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
