import type { Kysely } from 'kysely';
import { metaNumber, metaText, removeMeta, setMetaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** Which checkpoint goes with the data. The file itself lies elsewhere, and may be gone or damaged. */
export interface CheckpointEntry {
  /** Differs from every other checkpoint's, whatever data they are of. */
  name: string;
  /** It holds every change up to this one. */
  seq: number;
  /** Hash of its bytes: a file with any other is not this checkpoint. */
  digest: string;
}

/**
 * What the data says of its checkpoint. Because it is the data that says so, a checkpoint of other data, or
 * of a later time than a restored backup, is never taken for its own.
 */
export interface CheckpointBook {
  entry(): Promise<CheckpointEntry | undefined>;
  /**
   * From now on this one counts; undefined: none.
   * @throws ServiceError `store_unavailable`, `shutting_down`
   */
  enter(entry: CheckpointEntry | undefined): Promise<void>;
  /** `seq` of the latest erasure or deletion that is to be purged; 0 without one. */
  unpurged(): Promise<number>;
  /** Differs between databases, but not between one and its copies. */
  databaseId(): Promise<string>;
}

const CHECKPOINT = 'checkpoint';
/** Everything up to this `seq` that was erased or deleted has been purged. */
export const PURGED_SEQ = 'purged_seq';
export const DATABASE_ID = 'database_id';

export async function checkpointEntry(db: Kysely<Tables>): Promise<CheckpointEntry | undefined> {
  const text = await metaText(db, CHECKPOINT);
  return text === undefined ? undefined : (JSON.parse(text) as CheckpointEntry);
}

export async function enterCheckpoint(db: Kysely<Tables>, entry: CheckpointEntry | undefined): Promise<void> {
  if (entry === undefined) return removeMeta(db, CHECKPOINT);
  await setMetaText(db, CHECKPOINT, JSON.stringify(entry));
}

/** Strikes out a checkpoint that does not hold a certain change yet. */
export async function strikeOutBefore(db: Kysely<Tables>, seq: number): Promise<void> {
  const entry = await checkpointEntry(db);
  if (entry !== undefined && entry.seq < seq) await enterCheckpoint(db, undefined);
}

/** @param enter writes on the writing connection */
export function checkpointBook(db: Kysely<Tables>, enter: CheckpointBook['enter']): CheckpointBook {
  return {
    entry: () => checkpointEntry(db),
    enter,
    unpurged: async () => {
      const purged = await metaNumber(db, PURGED_SEQ);
      const latest = async (table: 'erasures' | 'deletions') => {
        const { seq } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.max('seq').as('seq'))
          .where('seq', '>', purged)
          .executeTakeFirstOrThrow();
        return Number(seq ?? 0);
      };
      return Math.max(await latest('erasures'), await latest('deletions'));
    },
    databaseId: async () => (await metaText(db, DATABASE_ID)) ?? '',
  };
}
