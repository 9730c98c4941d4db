import type { Database } from 'bun:sqlite';

/**
 * Empties the write-ahead log, which still holds pages as they were before the purge (freed parts of the
 * database itself are overwritten by `secure_delete`).
 * @throws Error when a reader keeps the log in use for longer than the busy timeout; purge again then.
 */
export function sweep(database: Database): void {
  const [[busy]] = database.query('pragma wal_checkpoint(truncate)').values();
  if (busy !== 0) throw new Error('the write-ahead log is in use and could not be emptied');
}
