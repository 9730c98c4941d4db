import type { Kysely } from 'kysely';
import { LIMITS } from '../limits.ts';
import { highestSeq } from './commit.ts';
import { CHANGE_TABLES, type Tables } from './tables.ts';
import { latestTrend } from './trends.ts';

/** Drops the tombstones that no state holds any more. */
export async function dropOldTombstones(db: Kysely<Tables>): Promise<void> {
  // What was learnt is stored up to here; rows after that still tell the learner the time.
  const until = (await latestTrend(db)) || (await highestSeq(db));
  const now = await latestAppliedAt(db);
  await db
    .deleteFrom('tombstones')
    .where('seq', '<=', until)
    .where('applied_at', '<=', now - LIMITS.tombstone_seconds - 1)
    .execute();
}

/** The `applied_at` of the last row that is there, seconds; 0 without any. A look-up by primary key for each table. */
async function latestAppliedAt(db: Kysely<Tables>): Promise<number> {
  let latest = 0;
  for (const { table } of CHANGE_TABLES) {
    const row = await db
      .selectFrom(table)
      .select('applied_at')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    latest = Math.max(latest, Number(row?.applied_at ?? 0));
  }
  return latest;
}
