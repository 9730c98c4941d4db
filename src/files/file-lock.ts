import { Database } from 'bun:sqlite';
import { accessSync, closeSync, constants, lstatSync, openSync } from 'node:fs';
import { StartupError } from '../errors.ts';

/** SQLite's error codes for a file with other content. */
const NO_LOCK = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/**
 * Locks a file for this process by an exclusive SQLite transaction. Creates the file if needed.
 *
 * The operating system releases the lock when the process ends, even if it is killed. Close the returned database to
 * release it earlier. Never open the file in another way within this process: closing it would drop the lock. A
 * symbolic link is rejected, because this program never creates one and its target may belong to others.
 * @param wait_ms how long to wait for another process
 * @returns undefined if another process still holds the lock
 * @throws StartupError `lock_damaged` if the file has content; file system errors
 */
export function lockFile(file: string, wait_ms: number): Database | undefined {
  let database: Database | undefined;
  try {
    createLock(file);
    if (!lstatSync(file).isFile()) throw damaged(`'${file}' is a lock and must be a plain file`);
    database = new Database(file, { create: false, readwrite: true });
    // SQLite opens a read-only file without error, but its exclusive lock then excludes no other process.
    accessSync(file, constants.W_OK);
    database.run(`pragma busy_timeout = ${wait_ms}`);
    // Nothing is ever written. A journal file could be left behind.
    database.run('pragma journal_mode = memory');
    database.run('begin exclusive');
    return database;
  } catch (error) {
    database?.close();
    const code = String((error as { code?: unknown }).code);
    if (code.startsWith('SQLITE_BUSY')) return undefined;
    if (NO_LOCK.some((each) => code.startsWith(each)))
      throw damaged(`'${file}' is a lock and must be empty, but has content`);
    throw error;
  }
}

/**
 * Whether another process holds the lock of a file. Takes no lock that lasts.
 *
 * Do not call it in a process that holds the lock.
 * @throws errors of SQLite and of the file system
 */
export function isLocked(file: string): boolean {
  const database = new Database(file, { readonly: true });
  try {
    database.run('pragma busy_timeout = 0');
    database.query('select count(*) from sqlite_master').get();
    return false;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Creates a lock file if it is absent. It is private to this account and never created through a link.
 * @throws file system errors, except if the file exists
 */
export function createLock(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}

function damaged(what: string): StartupError {
  return new StartupError(
    'lock_damaged',
    what,
    'remove that file when no process uses the folder; it contains no data',
  );
}
