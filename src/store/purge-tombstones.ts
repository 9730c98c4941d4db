import type { Kysely } from 'kysely';
import { LIMITS } from '../limits.ts';
import { highestSeq } from './commit.ts';
import { CHANGE_TABLES, type Tables } from './tables.ts';
import { latestTrend } from './trends.ts';

export async function dropOldTombstones(db: Kysely<Tables>): Promise<void> {
  // Trends are stored up to this row. Later rows still give the learner its times.
  const until = (await latestTrend(db)) || (await highestSeq(db));
  const now = await latestAppliedAt(db);
  await db
    .deleteFrom('tombstones')
    .where('seq', '<=', until)
    .where('applied_at', '<=', now - LIMITS.tombstone_seconds - 1)
    .execute();
}

/** The `applied_at` of the last stored row in seconds; 0 if there is none. One primary key lookup per table. */
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
