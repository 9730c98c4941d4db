import type { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync } from 'node:fs';

/** Offset of the journal mode in the header of a database file: 1 for a rollback journal, 2 for a write-ahead log. */
const WRITE_VERSION_AT = 18;
const ROLLBACK_JOURNAL = 1;
/** Suffixes of the files beside a database with a write-ahead log. */
const BESIDE = ['-wal', '-shm'];

/**
 * Removes the write-ahead log of a database that was replaced by another file.
 *
 * Backups and closed databases have no log; only a database in use, or one whose process was killed, has one. A log
 * beside a file without one belongs to the former file, and SQLite would replay it over the new one. No other process
 * may open the database meanwhile.
 */
export function dropFormerLog(named: string): void {
  for (const path of formerLog(named)) rmSync(path, { force: true });
}

/** The files of the write-ahead log of a database that was replaced by another file; none if there is no such log. */
export function formerLog(named: string): string[] {
  if (!existsSync(named)) return [];
  // SQLite keeps the log beside the real file, even if it was opened through a link.
  const file = realpathSync(named);
  const left = BESIDE.map((suffix) => file + suffix).filter((path) => existsSync(path));
  // A process that closes the database may remove it meanwhile.
  return left.length > 0 && writeVersion(file) === ROLLBACK_JOURNAL ? left : [];
}

/**
 * Removes the write-ahead log, so that the file alone is the whole database and can replace another.
 *
 * Call it before closing. If other connections are open, the last of them does it.
 */
export function leaveWithoutLog(database: Database): void {
  try {
    database.run('pragma busy_timeout = 0');
    database.run('pragma journal_mode = delete');
  } catch {
    // Other connections are open, or the file cannot be written now. The next process that opens it merges the log.
  }
}

function writeVersion(file: string): number | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(WRITE_VERSION_AT + 1);
    return readSync(descriptor, header) > WRITE_VERSION_AT ? header[WRITE_VERSION_AT] : undefined;
  } finally {
    closeSync(descriptor);
  }
}
