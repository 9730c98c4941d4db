import type { Database } from 'bun:sqlite';

/** How long to wait for readers, which delays writes as long. */
const READERS_TIMEOUT_MS = 250;

/**
 * Empties the write-ahead log, which contains pages from before the purge.
 *
 * `secure_delete` overwrites freed parts of the database itself.
 * @param busy_timeout_ms the connection's timeout to restore
 * @returns false if a reader kept the log in use: try again
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
