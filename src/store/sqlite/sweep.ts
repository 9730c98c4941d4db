import type { Database } from 'bun:sqlite';

/** How long to wait for readers; writes wait as long. */
const READERS_TIMEOUT_MS = 250;

/**
 * Empties the write-ahead log, which still holds pages as they were before the purge (freed parts of the
 * database itself are overwritten by `secure_delete`).
 * @param busy_timeout_ms what the connection waits for otherwise
 * @returns false when a reader kept the log in use: try again
 */
export function sweep(database: Database, busy_timeout_ms: number): boolean {
  database.run(`pragma busy_timeout = ${READERS_TIMEOUT_MS}`);
  try {
    const [[busy]] = database.query('pragma wal_checkpoint(truncate)').values();
    return busy === 0;
  } finally {
    database.run(`pragma busy_timeout = ${busy_timeout_ms}`);
  }
}
