import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { CHANGES } from '../model/change.ts';
import { ACT_DELETION } from '../model/changes/act-deletion.ts';
import { FOLLOW_LIST } from '../model/changes/follow-list.ts';
import { RELEASE } from '../model/changes/release.ts';
import { RETIREMENT } from '../model/changes/retirement.ts';
import { TOMBSTONE } from '../model/changes/tombstone.ts';
import { searchText } from '../model/changes/user.ts';
import type { ChangeDefinition } from '../model/define-change.ts';
import type { UserContent } from '../model/records/user.ts';
import { DATABASE_ID } from './checkpoint-store.ts';
import type { EngineName } from './connection.ts';
import { moveExperimentRows } from './experiment-migration.ts';
import { endFilling } from './fill-seen.ts';
import { createImpressions, dropImpressions, indexImpressions } from './former-impressions.ts';
import {
  addActsBefore,
  addAuditCounts,
  addBlockTimes,
  addErasedViewers,
  addExperiments,
  addFeedChanges,
  addFeedDays,
  createNodes,
  createReleasedKeys,
  createSeen,
  createShown,
  indexExperiments,
} from './later-migrations.ts';
import { requireRising } from './row-order.ts';
import { newSecret, newTableHashKey, SECRETS, TABLE_HASH_KEY } from './secrets.ts';
import { createChangeTables, SQL_TYPES } from './sql-types.ts';
import { TABLE_OF, type Tables, tableOf } from './tables.ts';

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

async function createFirst(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  const first = CHANGES.filter(({ since }: ChangeDefinition) => since === undefined).map(tableOf);
  await createChangeTables(db as Kysely<unknown>, engine, first);
  await createImpressions(db as Kysely<unknown>, engine);
  await createBooks(db as Kysely<unknown>, engine);
  await db
    .insertInto('meta')
    .values([
      { name: 'highest_seq', value: '0' },
      { name: 'keys_revision', value: '0' },
    ])
    .execute();
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
      const { username, display_name } = JSON.parse(content) as UserContent;
      const names = { username: searchText(username), display_name: searchText(display_name) };
      await db.updateTable('users').set(names).where('seq', '=', seq).execute();
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

/** Before it, `fillSeen` runs. It takes long, so that it must not be one transaction, as migrations of PostgreSQL are. */
export const SEEN_FILLED = '0031_seen_filled';

/** Published migrations never change; add a new entry instead. They are applied in order of their names. */
export function migrations(engine: EngineName): Record<string, Migration> {
  const addsTable = (change: Parameters<typeof tableOf>[0]): Migration => ({
    up: (db: Kysely<unknown>) => createChangeTables(db, engine, [tableOf(change)]),
  });
  return {
    '0001_changes_and_keys': { up: (db: Kysely<Tables>) => createFirst(db, engine) },
    '0002_feeds': { up: (db: Kysely<Tables>) => createFeeds(db, engine) },
    '0003_identity': {
      async up(db: Kysely<Tables>) {
        await db.insertInto('meta').values({ name: DATABASE_ID, value: crypto.randomUUID() }).execute();
      },
    },
    [RETIREMENT.since]: addsTable(RETIREMENT),
    '0005_hash_key': {
      async up(db: Kysely<Tables>) {
        await db.insertInto('meta').values({ name: TABLE_HASH_KEY, value: newTableHashKey() }).execute();
      },
    },
    [FOLLOW_LIST.since]: addsTable(FOLLOW_LIST),
    '0007_event_ids': {
      async up(db: Kysely<unknown>) {
        await createChangeTables(db, engine, [TABLE_OF.event]);
        await db.schema.createIndex('event_ids_by_hash').on('event_ids').column('event_hash').execute();
      },
    },
    [TOMBSTONE.since]: addsTable(TOMBSTONE),
    [RELEASE.since]: addsTable(RELEASE),
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
    [ACT_DELETION.since]: addsTable(ACT_DELETION),
    '0025_feed_changes': { up: (db: Kysely<Tables>) => addFeedChanges(db, engine) },
    '0026_audit_counts': { up: (db: Kysely<unknown>) => addAuditCounts(db, engine) },
    '0027_experiments_by_number': { up: indexExperiments },
    '0028_released_keys': { up: (db: Kysely<unknown>) => createReleasedKeys(db, engine) },
    '0029_seen': { up: (db: Kysely<Tables>) => createSeen(db, engine) },
    '0030_experiment_pages': { up: (db: Kysely<Tables>) => moveExperimentRows(db, engine) },
    [SEEN_FILLED]: { up: endFilling },
    '0031_viewers_erased': { up: (db: Kysely<unknown>) => addErasedViewers(db, engine) },
    '0032_shown': { up: (db: Kysely<unknown>) => createShown(db, engine) },
    '0033_impressions_dropped': { up: dropImpressions },
    '0034_feed_days': { up: (db: Kysely<unknown>) => addFeedDays(db, engine) },
  };
}
