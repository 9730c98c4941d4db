import { Database } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { reasonOf } from '../../errors.ts';

/**
 * Why a file is not a complete database; undefined if it is. Reads the whole file.
 *
 * A database in use, or one whose process was killed, has a part of its data in the log.
 */
export function databaseFault(file: string): string | undefined {
  if (!existsSync(file)) return 'it does not exist';
  if (!statSync(file).isFile()) return 'it is not a file';
  if (existsSync(`${file}-wal`))
    return 'it has a log beside it, so a backup did not write it, or a service uses it';
  try {
    const database = new Database(file, { readonly: true });
    try {
      const [first] = database.query<{ integrity_check: string }, []>('pragma integrity_check(1)').all();
      return first?.integrity_check === 'ok'
        ? undefined
        : `it is damaged (${first?.integrity_check.replaceAll('\n', ' ')})`;
    } finally {
      database.close();
    }
  } catch (error) {
    return `it cannot be read as a database (${reasonOf(error)})`;
  }
}
