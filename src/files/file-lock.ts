import { Database } from 'bun:sqlite';
import { accessSync, closeSync, constants, lstatSync, openSync } from 'node:fs';
import { StartupError } from '../errors.ts';

/** What SQLite says of a file with something else in it. */
const NO_LOCK = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/**
 * Takes a file that is there for nothing else for this process alone, creating it if need be: an exclusive transaction on it, which
 * the operating system drops with the process, however that dies. It is given back by closing what is returned.
 * Never open such a file in any other way within this process: closing it would drop the lock.
 * A link in its place is refused: this program never makes one, and what it leads to is not its own.
 * @param wait_ms how long to wait for another holder
 * @returns undefined when there still is another @throws StartupError `lock_damaged` when there is something in the file; Error of the file system
 */
export function lockFile(file: string, wait_ms: number): Database | undefined {
  let database: Database | undefined;
  try {
    createLock(file);
    if (!lstatSync(file).isFile()) throw damaged(`'${file}' is a lock and no plain file`);
    database = new Database(file, { create: false, readwrite: true });
    // SQLite opens a file that cannot be written for reading, and then its exclusive lock excludes nobody.
    accessSync(file, constants.W_OK);
    database.run(`pragma busy_timeout = ${wait_ms}`);
    // Nothing is ever written, and a journal beside it could be left behind.
    database.run('pragma journal_mode = memory');
    database.run('begin exclusive');
    return database;
  } catch (error) {
    database?.close();
    const code = String((error as { code?: unknown }).code);
    if (code.startsWith('SQLITE_BUSY')) return undefined;
    if (NO_LOCK.some((each) => code.startsWith(each)))
      throw damaged(`there is something in '${file}', which is a lock and always empty`);
    throw error;
  }
}

/**
 * Creates the file of a lock that is absent, private to this account and never by way of a link.
 * @throws Error of the file system, but not when the name is taken
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
    'remove that file when nothing uses the folder; no data is in it',
  );
}
