import type { Kysely } from 'kysely';
import { latestSeq } from './latest.ts';
import { metaNumber, metaText, removeMeta, setMetaText } from './meta.ts';
import type { Reading } from './reading.ts';
import type { Tables } from './tables.ts';
import type { Reads } from './timed-reads.ts';

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

/** `seq` of the latest erasure or deletion, also of acts, that is not purged yet; 0 if there is none. */
export async function latestUnpurged(db: Kysely<Tables>): Promise<number> {
  const purged = await metaNumber(db, PURGED_SEQ);
  const of_kinds = [];
  for (const table of ['erasures', 'deletions', 'act_deletions'] as const)
    of_kinds.push(await latestSeq(db, table, purged));
  return Math.max(...of_kinds);
}

export const CHECKPOINT_READS = {
  entry: ({ db }: Reading) => checkpointEntry(db),
  unpurged: ({ db }: Reading) => latestUnpurged(db),
  /** Identifies the database. Copies of a database have the same id. */
  databaseId: async ({ db }: Reading) => (await metaText(db, DATABASE_ID)) ?? '',
};

/**
 * The database's record of its checkpoint.
 *
 * Since the database names its checkpoint, it never loads one of other data. After a restore it never loads one that is
 * newer than the backup.
 */
export interface CheckpointStore extends Reads<typeof CHECKPOINT_READS> {
  /**
   * Replaces the current entry; undefined removes it.
   * @throws ServiceError `store_unavailable`, `shutting_down`
   */
  enter(entry: CheckpointEntry | undefined): Promise<void>;
}
