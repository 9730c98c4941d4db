import { constants, Database } from 'bun:sqlite';
import { existsSync, realpathSync } from 'node:fs';
import { StartupError } from '../../errors.ts';
import { DATABASE_ID } from '../checkpoint-book.ts';
import { latestInLog } from './latest-in-log.ts';

/**
 * Refuses the write-ahead log of another database: its process was killed, and then a copy of another one replaced the
 * file. SQLite does not notice that, and would merge the log into the copy.
 *
 * A copy of the same database in another state is not noticed.
 * @throws StartupError `log_left_over`
 */
export function refuseLeftOverLog(named: string): void {
  if (!existsSync(named)) return;
  const file = realpathSync(named);
  const [log, index] = [`${file}-wal`, `${file}-shm`];
  if (!existsSync(log)) return;
  const of_log = latestInLog(log, DATABASE_ID);
  const of_file = idIn(file);
  if (of_log === undefined || of_file === undefined || of_log === of_file) return;
  throw new StartupError(
    'log_left_over',
    `'${log}' does not belong to '${file}', which was replaced by a copy of another database`,
    `to use exactly the copy, remove '${log}' and '${index}'; otherwise put the former file back`,
  );
}

/** The identity of the file without its log. Undefined if it cannot be read: opening it gives the reason. */
function idIn(file: string): string | undefined {
  const path = file.split('/').map(encodeURIComponent).join('/');
  let database: Database | undefined;
  try {
    const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
    database = new Database(`file:${path}?immutable=1`, flags);
    const query = database.query<{ value: string }, [string]>('select value from meta where name = ?');
    return query.get(DATABASE_ID)?.value;
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
