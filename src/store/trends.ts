import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export async function latestTrend(db: Kysely<Tables>): Promise<number> {
  const { seq } = await db
    .selectFrom('trends')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow();
  return Number(seq ?? 0);
}

/** Removes all rows with learnt trends but the latest. */
export async function dropFormerTrends(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('trends')
    .where('seq', '<', await latestTrend(db))
    .execute();
}
