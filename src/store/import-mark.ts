import type { Kysely } from 'kysely';
import { metaText, removeMeta, setMetaNumber } from './meta.ts';
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
  const text = await metaText(db, IMPORT_MARK);
  return text === undefined ? undefined : Number(text);
}

export async function writeImportMark(db: Kysely<Tables>, applied_at: number | undefined): Promise<void> {
  if (applied_at === undefined) return removeMeta(db, IMPORT_MARK);
  await setMetaNumber(db, IMPORT_MARK, applied_at);
}
