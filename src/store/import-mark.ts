import type { Kysely } from 'kysely';
import { setMetaNumber } from './meta.ts';
import type { Tables } from './tables.ts';

/**
 * What the data says of an import that found nothing here and is to take over, at its end, what was learnt of trends
 * elsewhere. Without it nobody could tell, once such an import has broken off, that what is here came from it alone.
 * Whoever opens the data to write takes it away, unless that is an import, too.
 */
export interface ImportMark {
  /** `applied_at` of those trends, seconds; undefined when no such import is to go on. */
  read(): Promise<number | undefined>;
  /**
   * Durable when it resolves. Undefined takes it away.
   * @throws ServiceError `store_unavailable`, `shutting_down`
   */
  write(applied_at: number | undefined): Promise<void>;
}

const IMPORT_MARK = 'import_mark';

export async function readImportMark(db: Kysely<Tables>): Promise<number | undefined> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', IMPORT_MARK).executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
}

export async function writeImportMark(db: Kysely<Tables>, applied_at: number | undefined): Promise<void> {
  if (applied_at !== undefined) return setMetaNumber(db, IMPORT_MARK, applied_at);
  await db.deleteFrom('meta').where('name', '=', IMPORT_MARK).execute();
}
