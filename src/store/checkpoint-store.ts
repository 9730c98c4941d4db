import type { Kysely } from 'kysely';
import { metaNumber, metaText, removeMeta, setMetaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** The checkpoint that belongs to the data. Its file is stored elsewhere and may be missing or damaged. */
export interface CheckpointEntry {
  /** Unique among all checkpoints of all databases. */
  name: string;
  /** The checkpoint contains every change up to this one. */
  seq: number;
  /** Hash of the file. A file with another hash is not this checkpoint. */
  digest: string;
  /** Hash of the file of neighbour lists beside it. Absent if there is no such file. */
  lists_digest?: string;
}

/**
 * The database's record of its checkpoint.
 *
 * Since the database names its checkpoint, it never loads one of other data. After a restore it never loads one that is
 * newer than the backup.
 */
export interface CheckpointStore {
  entry(): Promise<CheckpointEntry | undefined>;
  /**
   * Replaces the current entry; undefined removes it.
   * @throws ServiceError `store_unavailable`, `shutting_down`
   */
  enter(entry: CheckpointEntry | undefined): Promise<void>;
  /** `seq` of the latest erasure or deletion, also of acts, that is not purged yet; 0 if there is none. */
  unpurged(): Promise<number>;
  /** Identifies the database. Copies of a database have the same id. */
  databaseId(): Promise<string>;
}

const CHECKPOINT = 'checkpoint';
/** Erasures and deletions up to this `seq` have been purged. */
export const PURGED_SEQ = 'purged_seq';
/**
 * Erasures and deletions up to this `seq` have no rows left to remove. If it is above `PURGED_SEQ`, their bytes are still
 * to be freed.
 */
export const UNSWEPT_SEQ = 'unswept_seq';
export const DATABASE_ID = 'database_id';

export async function checkpointEntry(db: Kysely<Tables>): Promise<CheckpointEntry | undefined> {
  const text = await metaText(db, CHECKPOINT);
  return text === undefined ? undefined : (JSON.parse(text) as CheckpointEntry);
}

export async function enterCheckpoint(db: Kysely<Tables>, entry: CheckpointEntry | undefined): Promise<void> {
  if (entry === undefined) return removeMeta(db, CHECKPOINT);
  await setMetaText(db, CHECKPOINT, JSON.stringify(entry));
}

/** Removes the entry of a checkpoint that does not contain the change `seq`. */
export async function strikeOutBefore(db: Kysely<Tables>, seq: number): Promise<void> {
  const entry = await checkpointEntry(db);
  if (entry !== undefined && entry.seq < seq) await enterCheckpoint(db, undefined);
}

export function checkpointStore(db: Kysely<Tables>, enter: CheckpointStore['enter']): CheckpointStore {
  return {
    entry: () => checkpointEntry(db),
    enter,
    unpurged: async () => {
      const purged = await metaNumber(db, PURGED_SEQ);
      const latest = async (table: 'erasures' | 'deletions' | 'act_deletions') => {
        const { seq } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.max('seq').as('seq'))
          .where('seq', '>', purged)
          .executeTakeFirstOrThrow();
        return Number(seq ?? 0);
      };
      return Math.max(await latest('erasures'), await latest('deletions'), await latest('act_deletions'));
    },
    databaseId: async () => (await metaText(db, DATABASE_ID)) ?? '',
  };
}
