import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync } from 'node:fs';

/** Where the header of a database file tells how it is written: 1 for a rollback journal, 2 for a write-ahead log. */
const WRITE_VERSION_AT = 18;
const ROLLBACK_JOURNAL = 1;
/** What belongs to a database file with a write-ahead log. */
const BESIDE = ['-wal', '-shm'];

/**
 * Removes the write-ahead log of a database in whose place a backup was put. Backups are written without a log and databases
 * in use with one, so what lies beside a file that has none is another's; SQLite would play it back over the backup.
 */
export function dropFormerLog(named: string): void {
  if (!existsSync(named)) return;
  // SQLite keeps the log beside the file itself, wherever a link to it lies.
  const file = realpathSync(named);
  const left = BESIDE.map((suffix) => file + suffix).filter((path) => existsSync(path));
  if (left.length > 0 && writeVersion(file) === ROLLBACK_JOURNAL) for (const path of left) rmSync(path);
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
