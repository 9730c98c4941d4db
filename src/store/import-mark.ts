import type { Kysely } from 'kysely';
import { metaText, removeMeta, setMetaNumber } from './meta.ts';
import type { Tables } from './tables.ts';

/**
 * Marks data as the result of an unfinished import into an empty database.
 *
 * Such an import takes over the exported trends at its end. After an interruption, the mark proves that all data came
 * from that import. Opening the data for writing removes the mark, except for another import.
 */
export interface ImportMark {
  /** `applied_at` of the exported trends, in seconds; undefined if there is no mark. */
  read(): Promise<number | undefined>;
  /**
   * Writes the mark, or removes it if undefined. Durable when it resolves.
   * @throws ServiceError `store_unavailable`, `shutting_down`
   */
  write(applied_at: number | undefined): Promise<void>;
}

const IMPORT_MARK = 'import_mark';

/** See `ImportMark.read`. */
export async function readImportMark(db: Kysely<Tables>): Promise<number | undefined> {
  const text = await metaText(db, IMPORT_MARK);
  return text === undefined ? undefined : Number(text);
}

/** See `ImportMark.write`. */
export async function writeImportMark(db: Kysely<Tables>, applied_at: number | undefined): Promise<void> {
  if (applied_at === undefined) return removeMeta(db, IMPORT_MARK);
  await setMetaNumber(db, IMPORT_MARK, applied_at);
}
