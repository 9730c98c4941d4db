import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { reasonOf, StartupError } from '../errors.ts';
import type { UserContent } from '../state/change.ts';
import { DATABASE_ID } from './checkpoint-store.ts';
import type { Connection, EngineName } from './connection.ts';
import {
  addActsBefore,
  addAuditCounts,
  addBlockTimes,
  addExperiments,
  addFeedChanges,
  createNodes,
  createReleasedKeys,
  createSeen,
  indexExperiments,
  indexImpressions,
} from './later-migrations.ts';
import { requireRising } from './row-order.ts';
import { searchNames } from './rows.ts';
import { newSecret, newTableHashKey, SECRETS, TABLE_HASH_KEY } from './secrets.ts';
import { createChangeTables, SQL_TYPES } from './sql-types.ts';
import { CHANGE_TABLES, type ChangeTable, type Kind, TABLE_OF, type Tables } from './tables.ts';

async function createBooks(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { time, text } = SQL_TYPES[engine];
  await db.schema
    .createTable('meta')
    .addColumn('name', sql.raw(text), (column) => column.primaryKey().notNull())
    .addColumn('value', sql.raw(text), (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('accounts')
    .addColumn('name', sql.raw(text), (column) => column.primaryKey().notNull())
    .addColumn('created_at', sql.raw(time), (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('key_id', sql.raw(text), (column) => column.primaryKey().notNull())
    .addColumn('hash', sql.raw(text), (column) => column.notNull().unique())
    .addColumn('account', sql.raw(text), (column) => column.notNull().references('accounts.name'))
    .addColumn('scopes', sql.raw(text), (column) => column.notNull())
    .addColumn('created_at', sql.raw(time), (column) => column.notNull())
    .addColumn('revoked_at', sql.raw(time))
    .execute();
}

async function createFeeds(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { key, code, time, text } = SQL_TYPES[engine];
  await db.schema
    .createTable('feeds')
    .addColumn('feed_number', sql.raw(key), (column) => column.primaryKey().notNull())
    .addColumn('account', sql.raw(text), (column) => column.notNull())
    .addColumn('revision', sql.raw(key), (column) => column.notNull())
    .addColumn('created_at', sql.raw(time), (column) => column.notNull())
    .addColumn('updated_at', sql.raw(time), (column) => column.notNull())
    .addColumn('deleted', sql.raw(code), (column) => column.notNull())
    .addColumn('content', sql.raw(text), (column) => column.notNull())
    .execute();
  await db.insertInto('meta').values({ name: 'highest_feed', value: '0' }).execute();
}

/** Kinds of change whose tables were added after the first migration. */
const LATER_KINDS: readonly Kind[] = [
  'retirement',
  'follow_list',
  'event',
  'tombstone',
  'release',
  'experiment',
  'outcome',
  'act_deletion',
];

/** Columns that were added to their tables after the first migration. */
const LATER_COLUMNS: Partial<Record<Kind, readonly string[]>> = {
  user: ['username', 'display_name'],
  deletion: ['acts_before'],
  block: ['timestamp'],
  impression: ['arm', 'is_short'],
};

function asFirstCreated(entry: ChangeTable): ChangeTable {
  const later = LATER_COLUMNS[entry.kind] ?? [];
  return { ...entry, columns: entry.columns.filter(({ name }) => !later.includes(name)) };
}

/** Rows that the migration of profiles changes between two reads. */
const PROFILES_READ = 1_000;

async function addUserSearch(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  // Ranges of prefixes need the order of code points, whatever the locale of the server.
  const type = engine === 'postgres' ? 'text collate "C"' : 'text';
  for (const name of ['username', 'display_name'])
    await db.schema
      .alterTable('users')
      .addColumn(name, sql.raw(type), (column) => column.notNull().defaultTo(''))
      .execute();
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('users')
      .select(['seq', 'content'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PROFILES_READ)
      .execute();
    requireRising(
      'users',
      rows.map(({ seq }) => Number(seq)),
      after,
    );
    for (const { seq, content } of rows) {
      const [username, display_name] = searchNames(JSON.parse(content) as UserContent);
      await db.updateTable('users').set({ username, display_name }).where('seq', '=', seq).execute();
    }
    if (rows.length < PROFILES_READ) break;
    after = Number(rows[rows.length - 1].seq);
  }
  for (const name of ['username', 'display_name'])
    await db.schema.createIndex(`users_by_${name}`).on('users').columns([name, 'user_key', 'seq']).execute();
}

async function createAudit(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const { key, time, text } = SQL_TYPES[engine];
  await db.schema
    .createTable('audit')
    .addColumn('audit_id', sql.raw(key), (column) => column.primaryKey().notNull())
    .addColumn('account', sql.raw(text), (column) => column.notNull())
    .addColumn('at', sql.raw(time), (column) => column.notNull())
    .addColumn('actor', sql.raw(text), (column) => column.notNull())
    .addColumn('action', sql.raw(text), (column) => column.notNull())
    .addColumn('object', sql.raw(text), (column) => column.notNull())
    .addColumn('revision', sql.raw(key))
    .execute();
  await db.schema.createIndex('audit_by_account').on('audit').columns(['account', 'audit_id']).execute();
}

async function createFeedRevisions(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { key, time, text } = SQL_TYPES[engine];
  await db.schema
    .createTable('feed_revisions')
    .addColumn('feed_number', sql.raw(key), (column) => column.notNull())
    .addColumn('revision', sql.raw(key), (column) => column.notNull())
    .addColumn('account', sql.raw(text), (column) => column.notNull())
    .addColumn('at', sql.raw(time), (column) => column.notNull())
    .addColumn('actor', sql.raw(text), (column) => column.notNull())
    .addColumn('content_bytes', sql.raw(key), (column) => column.notNull())
    .addColumn('deleted_at', sql.raw(time))
    .addColumn('content', sql.raw(text), (column) => column.notNull())
    .addPrimaryKeyConstraint('feed_revisions_key', ['feed_number', 'revision'])
    .execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('feed_revisions').columns(columns).execute();
  await index('feed_revisions_by_account', ['account', 'at', 'feed_number', 'revision', 'content_bytes']);
  await index('feed_revisions_by_deletion', ['deleted_at']);
  await sql`
    insert into feed_revisions (feed_number, revision, account, at, actor, content_bytes, content)
    select feed_number, revision, account, updated_at,
      coalesce((select max(actor) from audit
        where audit.object = 'feed_' || feeds.feed_number and audit.revision = feeds.revision), 'unknown'),
      octet_length(content), content
    from feeds where deleted = 0`.execute(db);
}

function addsSecret(name: string): Migration {
  return {
    async up(db: Kysely<Tables>) {
      await db.insertInto('meta').values({ name, value: newSecret() }).execute();
    },
  };
}

/** Published migrations never change; add a new entry instead. They are applied in order of their names. */
function migrations(engine: EngineName): Record<string, Migration> {
  const addsTable = (kind: Kind): Migration => ({
    up: (db: Kysely<unknown>) => createChangeTables(db, engine, [TABLE_OF[kind]]),
  });
  return {
    '0001_changes_and_keys': {
      async up(db: Kysely<Tables>) {
        const first = CHANGE_TABLES.filter(({ kind }) => !LATER_KINDS.includes(kind));
        await createChangeTables(db as Kysely<unknown>, engine, first.map(asFirstCreated));
        await createBooks(db as Kysely<unknown>, engine);
        await db
          .insertInto('meta')
          .values([
            { name: 'highest_seq', value: '0' },
            { name: 'keys_revision', value: '0' },
          ])
          .execute();
      },
    },
    '0002_feeds': { up: (db: Kysely<Tables>) => createFeeds(db, engine) },
    '0003_identity': {
      async up(db: Kysely<Tables>) {
        await db.insertInto('meta').values({ name: DATABASE_ID, value: crypto.randomUUID() }).execute();
      },
    },
    '0004_retirements': addsTable('retirement'),
    '0005_hash_key': {
      async up(db: Kysely<Tables>) {
        await db.insertInto('meta').values({ name: TABLE_HASH_KEY, value: newTableHashKey() }).execute();
      },
    },
    '0006_follow_lists': addsTable('follow_list'),
    '0007_event_ids': {
      async up(db: Kysely<unknown>) {
        await createChangeTables(db, engine, [TABLE_OF.event]);
        await db.schema.createIndex('event_ids_by_hash').on('event_ids').column('event_hash').execute();
      },
    },
    '0008_tombstones': addsTable('tombstone'),
    '0009_releases': addsTable('release'),
    '0010_key_details': {
      async up(db: Kysely<unknown>) {
        const { time, text } = SQL_TYPES[engine];
        const columns = { name: text, expires_at: time, last_used_at: time };
        // SQLite adds only one column per statement.
        for (const [name, type] of Object.entries(columns))
          await db.schema.alterTable('api_keys').addColumn(name, sql.raw(type)).execute();
      },
    },
    '0011_token_secret': addsSecret(SECRETS.token),
    '0012_audit': { up: (db: Kysely<unknown>) => createAudit(db, engine) },
    '0013_feed_revisions': { up: (db: Kysely<Tables>) => createFeedRevisions(db, engine) },
    '0014_cursor_secret': addsSecret(SECRETS.cursor),
    '0015_user_search': { up: (db: Kysely<Tables>) => addUserSearch(db, engine) },
    '0016_impressions_by_user': { up: indexImpressions },
    '0017_nodes': { up: (db: Kysely<Tables>) => createNodes(db, engine) },
    '0018_deleted_acts': { up: (db: Kysely<unknown>) => addActsBefore(db, engine) },
    '0019_block_times': { up: (db: Kysely<Tables>) => addBlockTimes(db, engine) },
    '0023_experiments': { up: (db: Kysely<unknown>) => addExperiments(db, engine) },
    '0024_act_deletions': addsTable('act_deletion'),
    '0025_feed_changes': { up: (db: Kysely<Tables>) => addFeedChanges(db, engine) },
    '0026_audit_counts': { up: (db: Kysely<unknown>) => addAuditCounts(db, engine) },
    '0027_experiments_by_number': { up: indexExperiments },
    '0028_released_keys': { up: (db: Kysely<unknown>) => createReleasedKeys(db, engine) },
    '0029_seen': { up: (db: Kysely<Tables>) => createSeen(db, engine) },
  };
}

export async function isNew(connection: Pick<Connection, 'db' | 'engine'>): Promise<boolean> {
  const { db, engine } = connection;
  if (engine === 'postgres') {
    const { rows } = await sql`select 1 where to_regclass('meta') is not null`.execute(db);
    return rows.length === 0;
  }
  const tables = await db.introspection.getTables();
  return !tables.some((entry) => entry.name === 'meta');
}

type Migrated = Pick<Connection, 'db' | 'engine' | 'schema'>;

function migratorOf(connection: Migrated): Migrator {
  return new Migrator({
    db: connection.db,
    migrationTableSchema: connection.schema,
    provider: { getMigrations: async () => migrations(connection.engine) },
  });
}

/**
 * Whether existing data has the tables of this version. False if an older version wrote it.
 * @throws StartupError `data_foreign` for tables of other software, `data_newer`
 */
export async function isCurrent(connection: Migrated): Promise<boolean> {
  const known = await migratorOf(connection).getMigrations();
  const executed = known.filter(({ executedAt }) => executedAt !== undefined);
  if (executed.length === 0) {
    throw new StartupError(
      'data_foreign',
      'there are tables in the database that feedloom did not create',
      'name a database that only feedloom uses; the first start of the service creates what it needs',
    );
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(connection.db);
  requireKnown(
    connection.engine,
    rows.map(({ name }) => name),
  );
  return executed.length === known.length;
}

/** Requires that this version knows all migrations that were executed. */
export function requireKnown(engine: EngineName, executed: readonly string[]): void {
  const known = migrations(engine);
  if (executed.every((name) => Object.hasOwn(known, name))) return;
  throw new StartupError(
    'data_newer',
    'the data was written by a newer version of feedloom',
    'use that version, or restore a backup that this version made',
  );
}

/** Decides whether older tables may be migrated, which other nodes may be using. */
export interface TableChanges {
  /**
   * Runs `change` if it `isDue`, while no node can join.
   * @throws StartupError `cluster_tables_differ` while other nodes run
   */
  changeTables(isDue: () => Promise<boolean>, change: () => Promise<void>): Promise<void>;
}

/**
 * Creates the tables of this version, or migrates older ones.
 * @param changes whether older tables may be migrated, or what decides it
 * @throws StartupError `data_outdated` if they may not, `cluster_tables_differ`, `migration_failed`, `data_foreign`,
 * `data_newer`
 */
export async function prepareTables(
  connection: Connection,
  is_new: boolean,
  changes: boolean | TableChanges,
): Promise<void> {
  if (is_new) return migrate(connection);
  if (await isCurrent(connection)) return;
  if (typeof changes === 'object') {
    // Another node may migrate them at this moment.
    const isDue = async () => !(await isCurrent(connection));
    return changes.changeTables(isDue, () => migrate(connection));
  }
  if (changes) return migrate(connection);
  throw new StartupError(
    'data_outdated',
    'the data was written by an older version of feedloom',
    'start feedloom serve of this version on it once',
  );
}

/**
 * Migrates the tables to this version of the program.
 * @throws StartupError `migration_failed`, known errors of the engine
 */
export async function migrate(connection: Connection): Promise<void> {
  const { error } = await migratorOf(connection).migrateToLatest();
  if (error === undefined) return;
  throw (
    connection.refusal(error) ??
    new StartupError(
      'migration_failed',
      `the database cannot be brought to this version (${reasonOf(error)})`,
      'fix the cause, or name a database that only feedloom uses; the existing data is unchanged',
    )
  );
}
