import { type Kysely, sql } from 'kysely';
import type { EngineName } from './connection.ts';
import { FEEDS_REVISION } from './feed-changes.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { SQL_TYPES } from './sql-types.ts';
import type { Tables } from './tables.ts';

/** Numbers the last change of each feed, so that nodes read only what changed. Earlier changes get numbers by feed. */
export async function addFeedChanges(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  await db.schema
    .alterTable('feeds')
    .addColumn('change_number', sql.raw(SQL_TYPES[engine].count), (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    update feeds set change_number = numbered.number
    from (select feed_number, row_number() over (order by feed_number) as number from feeds) as numbered
    where numbered.feed_number = feeds.feed_number`.execute(db);
  const { feeds } = await db
    .selectFrom('feeds')
    .select(({ fn }) => fn.countAll<number | string>().as('feeds'))
    .executeTakeFirstOrThrow();
  await setMetaNumber(db, FEEDS_REVISION, (await metaNumber(db, FEEDS_REVISION)) + Number(feeds));
  await db.schema.createIndex('feeds_by_change').on('feeds').columns(['change_number']).execute();
}
