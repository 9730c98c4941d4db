import { Database } from 'bun:sqlite';
import { accessSync, constants } from 'node:fs';
import { StartupError } from '../errors.ts';

/** What SQLite says of a file with something else in it. */
const NO_LOCK = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/**
 * Takes a file that is there for nothing else for this process alone, creating it if need be: an exclusive transaction on it, which
 * the operating system drops with the process, however that dies. It is given back by closing what is returned.
 * Never open such a file in any other way within this process: closing it would drop the lock.
 * @param wait_ms how long to wait for another holder
 * @returns undefined when there still is another @throws StartupError `lock_damaged` when there is something in the file; Error of the file system
 */
export function lockFile(file: string, wait_ms: number): Database | undefined {
  let database: Database | undefined;
  try {
    database = new Database(file, { create: true, readwrite: true });
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
    if (NO_LOCK.some((each) => code.startsWith(each))) {
      throw new StartupError(
        'lock_damaged',
        `there is something in '${file}', which is a lock and always empty`,
        'remove that file when nothing uses the folder; no data is in it',
      );
    }
    throw error;
  }
}
