import type { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync } from 'node:fs';

/** Where the header of a database file tells how it is written: 1 for a rollback journal, 2 for a write-ahead log. */
const WRITE_VERSION_AT = 18;
const ROLLBACK_JOURNAL = 1;
/** What belongs to a database file with a write-ahead log. */
const BESIDE = ['-wal', '-shm'];

/**
 * Removes the write-ahead log of a database in whose place another was put. Backups are written without a log, and databases
 * are left without one; only those in use, or in use when their process was killed, have one. So what lies beside a file that
 * has none is another's, and SQLite would play it back over the file. Nobody else may open the database meanwhile.
 */
export function dropFormerLog(named: string): void {
  if (!existsSync(named)) return;
  // SQLite keeps the log beside the file itself, wherever a link to it lies.
  const file = realpathSync(named);
  const left = BESIDE.map((suffix) => file + suffix).filter((path) => existsSync(path));
  // It may have gone meanwhile, with a process that leaves: then there is nothing to remove either.
  if (left.length > 0 && writeVersion(file) === ROLLBACK_JOURNAL)
    for (const path of left) rmSync(path, { force: true });
}

/**
 * Leaves a database without a log, so that its file is all of it and can be put in another's place. To be called before it is
 * closed; while others have it open, the last of them does it.
 */
export function leaveWithoutLog(database: Database): void {
  try {
    database.run('pragma busy_timeout = 0');
    database.run('pragma journal_mode = delete');
  } catch {
    // Others have it open, or nothing can be written now: whoever opens it next finds the log, and takes it in.
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
