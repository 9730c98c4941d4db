import type { Kysely } from 'kysely';
import type { EngineName } from './connection.ts';
import { createChangeTables } from './sql-types.ts';
import type { Tables } from './tables.ts';

/** A row of the table `impressions`, where former versions kept recorded pages. */
interface FormerImpression {
  seq: number;
  applied_at: number;
  user_key: number;
  timestamp: number;
  items: Uint8Array;
  arm: number;
  is_short: number;
}

/** Tables while recorded pages were changes of the log. */
export type WithImpressions = Tables & { impressions: FormerImpression };

/** As the first version created it. */
export function createImpressions(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const columns = [
    { name: 'user_key', type: 'key' },
    { name: 'timestamp', type: 'time' },
    { name: 'items', type: 'keys' },
  ] as const;
  return createChangeTables(db, engine, [{ table: 'impressions', columns }]);
}

export async function indexImpressions(db: Kysely<unknown>): Promise<void> {
  const columns = ['user_key', 'timestamp'];
  await db.schema.createIndex('impressions_by_user').on('impressions').columns(columns).execute();
}

/** Their rows are in `seen`. */
export async function dropImpressions(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('impressions').execute();
}
