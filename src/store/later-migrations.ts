import { type Kysely, sql } from 'kysely';
import type { EngineName } from './connection.ts';
import { createOutcomes } from './experiment-migration.ts';
import { FEEDS_REVISION } from './feed-changes.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { ALL_ACTS } from './rows.ts';
import { newSecret, SECRETS } from './secrets.ts';
import { SEEN_FORMAT } from './seen.ts';
import { createChangeTables, SQL_TYPES } from './sql-types.ts';
import { TABLE_OF, type Tables } from './tables.ts';

/** For several nodes on one database. `feeds_revision` rises with each change of a saved feed. */
export async function createNodes(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { count, time, text } = SQL_TYPES[engine];
  await db.schema
    .createTable('leases')
    .addColumn('name', sql.raw(text), (column) => column.primaryKey().notNull())
    .addColumn('holder', sql.raw(text), (column) => column.notNull())
    .addColumn('fence', sql.raw(text), (column) => column.notNull())
    .addColumn('expires_at', sql.raw(time), (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('nodes')
    .addColumn('node_id', sql.raw(text), (column) => column.primaryKey().notNull())
    .addColumn('url', sql.raw(text), (column) => column.notNull())
    .addColumn('release', sql.raw(text), (column) => column.notNull())
    .addColumn('facts', sql.raw(text), (column) => column.notNull())
    .addColumn('applied_seq', sql.raw(count), (column) => column.notNull())
    .addColumn('seen_at', sql.raw(time), (column) => column.notNull())
    .execute();
  await db.insertInto('meta').values({ name: FEEDS_REVISION, value: '0' }).execute();
}

export async function addActsBefore(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { time } = SQL_TYPES[engine];
  await db.schema
    .alterTable('deletions')
    .addColumn('acts_before', sql.raw(time), (column) => column.notNull().defaultTo(ALL_ACTS))
    .execute();
}

/** Blocks without a time counted in the order of their arrival, which is that of `applied_at`. */
export async function addBlockTimes(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { time } = SQL_TYPES[engine];
  await db.schema
    .alterTable('blocks')
    .addColumn('timestamp', sql.raw(time), (column) => column.notNull().defaultTo(0))
    .execute();
  await db
    .updateTable('blocks')
    .set(({ ref }) => ({ timestamp: ref('applied_at') }))
    .execute();
}

export async function addExperiments(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { key, code } = SQL_TYPES[engine];
  for (const [name, type] of Object.entries({ arm: key, is_short: code }))
    await db.schema
      .alterTable('impressions')
      .addColumn(name, sql.raw(type), (column) => column.notNull().defaultTo(0))
      .execute();
  await createChangeTables(db, engine, [TABLE_OF.experiment]);
  await createOutcomes(db, engine);
}

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

/** Counts the changes that an entry of the audit log stands for. */
export async function addAuditCounts(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await db.schema
    .alterTable('audit')
    .addColumn('count', sql.raw(SQL_TYPES[engine].key), (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createIndex('audit_by_actor')
    .on('audit')
    .columns(['account', 'actor', 'action', 'at', 'object'])
    .execute();
}

/** For the former versions of an experiment. */
export async function indexExperiments(db: Kysely<unknown>): Promise<void> {
  const columns = ['experiment_number', 'seq'];
  await db.schema.createIndex('experiments_by_number').on('experiments').columns(columns).execute();
}

/** Record keys on Bluesky that were given up. */
export async function createReleasedKeys(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { time, text } = SQL_TYPES[engine];
  await db.schema
    .createTable('released_keys')
    .addColumn('record_key', sql.raw(text), (column) => column.primaryKey().notNull())
    .addColumn('account', sql.raw(text), (column) => column.notNull())
    .addColumn('released_at', sql.raw(time), (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('released_keys_by_account')
    .on('released_keys')
    .columns(['account', 'released_at'])
    .execute();
}

/** What viewers have seen. Contents do not compress, and a head stays in its page when it is written again. */
export async function createSeen(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { key, count, time, keys: bytes } = SQL_TYPES[engine];
  let create = db.schema
    .createTable('seen')
    .addColumn('viewer', sql.raw(bytes), (column) => column.notNull())
    .addColumn('part', sql.raw(key), (column) => column.notNull())
    .addColumn('number', sql.raw(count), (column) => column.notNull())
    .addColumn('updated_at', sql.raw(time), (column) => column.notNull())
    .addColumn('content', sql.raw(bytes), (column) => column.notNull())
    .addPrimaryKeyConstraint('seen_key', ['viewer', 'part']);
  if (engine === 'postgres') create = create.modifyEnd(sql`with (fillfactor = 75)`);
  await create.execute();
  if (engine === 'postgres')
    await sql`alter table seen alter column content set storage external`.execute(db);
  await db
    .insertInto('meta')
    .values([SEEN_FORMAT, { name: SECRETS.seen, value: newSecret() }])
    .execute();
}

/** Former erasures have no viewer, as they were stored before there were rows of seen items. */
export async function addErasedViewers(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await db.schema
    .alterTable('erasures')
    .addColumn('viewer', sql.raw(SQL_TYPES[engine].text), (column) => column.notNull().defaultTo(''))
    .execute();
}

/** Shown pages. The index is for the erasure of viewers. */
export async function createShown(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await createChangeTables(db, engine, [TABLE_OF.shown, TABLE_OF.shown_counts]);
  await db.schema.createIndex('shown_pages_by_viewer').on('shown_pages').column('viewer').execute();
}

/** Counts by feed and day. Those of pages before are not known. */
export async function addFeedDays(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await db.schema
    .alterTable('shown_counts')
    .addColumn('feed_days', sql.raw(SQL_TYPES[engine].numbers), (column) =>
      column.notNull().defaultTo(engine === 'sqlite' ? sql`x''` : sql`''`),
    )
    .execute();
}
