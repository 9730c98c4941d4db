import { type Kysely, sql } from 'kysely';
import { highestSeq } from './meta.ts';
import { CHANGE_TABLES, type ChangeTableName, type Tables } from './tables.ts';

/** The highest `seq` of a table above `after`; 0 if there is none. */
export async function latestSeq(db: Kysely<Tables>, table: ChangeTableName, after = 0): Promise<number> {
  const query = sql<{ seq: number | string | null }>`
    select max(seq) as seq from ${sql.table(table)} where seq > ${after}`;
  const { rows } = await query.execute(db);
  return Number(rows[0].seq ?? 0);
}

export function latestTrend(db: Kysely<Tables>): Promise<number> {
  return latestSeq(db, 'trends');
}

/** What a purge may remove: up to here, trends are stored. Later rows are not learnt yet, or give the learner its times. */
export async function learntUntil(db: Kysely<Tables>): Promise<number> {
  return (await latestTrend(db)) || (await highestSeq(db));
}

/** `seq` and time (seconds) of the last stored row. One primary key lookup per table. */
export async function latestRow(
  db: Kysely<Tables>,
): Promise<{ seq: number; applied_at: number } | undefined> {
  let latest: { seq: number; applied_at: number } | undefined;
  for (const { table } of CHANGE_TABLES) {
    const last = db.selectFrom(table).select(['seq', 'applied_at']).orderBy('seq', 'desc').limit(1);
    const row = await last.executeTakeFirst();
    const seq = Number(row?.seq ?? 0);
    if (row !== undefined && seq > (latest?.seq ?? 0)) latest = { seq, applied_at: Number(row.applied_at) };
  }
  return latest;
}
