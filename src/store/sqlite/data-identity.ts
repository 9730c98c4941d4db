import { Database } from 'bun:sqlite';
import { SECRETS } from '../secrets.ts';

/**
 * A text that the data of one service and all its copies have in common, and no other data.
 * @returns undefined if the file is not a database of a service, or cannot be read
 */
export function dataIdentity(file: string): string | undefined {
  let database: Database | undefined;
  try {
    database = new Database(file, { readonly: true });
    const meta = database.query<{ value: string }, [string]>('select value from meta where name = ?');
    return meta.get(SECRETS.cursor)?.value;
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
