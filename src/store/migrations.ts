import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { CHANGES } from '../model/change.ts';
import { searchText } from '../model/changes/user.ts';
import type { ChangeDefinition } from '../model/define-change.ts';
import type { ColumnType } from '../model/member.ts';
import type { UserContent } from '../model/records/user.ts';
import { DATABASE_ID } from './checkpoint-store.ts';
import type { EngineName } from './connection.ts';
import { FEEDS_REVISION } from './feed-changes.ts';
import { fillPins } from './fill-pins.ts';
import { endFilling } from './fill-seen.ts';
import { HIGHEST_SEQ, metaNumber, setMetaNumber, setMetaText } from './meta.ts';
import { requireRising } from './row-order.ts';
import { ALL_ACTS } from './rows.ts';
import { columnParts, FIRST, INDEXES, OWN_TABLES } from './schema.ts';
import { newSecret, newTableHashKey, SECRETS, TABLE_HASH_KEY } from './secrets.ts';
import { SEEN_FORMAT } from './seen.ts';
import { type Tables, tableOf } from './tables.ts';

/**
 * SQL types per engine.
 *
 * PostgreSQL stores counts as doubles (exact up to 2^53), because the client returns its 64-bit integers as text. In
 * SQLite an `integer primary key` is the row id, so it needs no index.
 */
const SQL_TYPES = {
  sqlite: {
    key: 'integer',
    count: 'integer',
    code: 'integer',
    time: 'real',
    text: 'text',
    keys: 'blob',
    numbers: 'blob',
    bytes: 'blob',
    seq: 'integer',
  },
  postgres: {
    key: 'integer',
    count: 'double precision',
    code: 'smallint',
    time: 'double precision',
    text: 'text',
    keys: 'bytea',
    numbers: 'bytea',
    bytes: 'bytea',
    seq: 'bigint',
  },
} as const satisfies Record<EngineName, Record<ColumnType | 'seq', string>>;

/** Before it, `fillSeen` runs. It takes long, so that it must not be one transaction, as migrations of PostgreSQL are. */
export const SEEN_FILLED = '0031_seen_filled';

/** What a migration does besides adding tables, columns and indexes. */
interface Conversion {
  /** Before the tables are created. */
  before?(db: Kysely<Tables>): Promise<unknown>;
  /** Rows of `meta` to insert. */
  meta?(): Readonly<Record<string, string>>;
  /** After tables and columns are added, before the indexes. */
  fill?(db: Kysely<Tables>, engine: EngineName): Promise<unknown>;
}

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  [FIRST]: { meta: () => ({ [HIGHEST_SEQ]: '0', keys_revision: '0' }) },
  '0002_feeds': { meta: () => ({ highest_feed: '0' }) },
  '0003_identity': { meta: () => ({ [DATABASE_ID]: crypto.randomUUID() }) },
  '0005_hash_key': { meta: () => ({ [TABLE_HASH_KEY]: newTableHashKey() }) },
  '0011_token_secret': { meta: () => ({ [SECRETS.token]: newSecret() }) },
  '0013_feed_revisions': { fill: keepCurrentFeeds },
  '0014_cursor_secret': { meta: () => ({ [SECRETS.cursor]: newSecret() }) },
  '0015_user_search': { fill: fillUserSearch },
  // It added an index of a table that is dropped later.
  '0016_impressions_by_user': {},
  '0017_nodes': { meta: () => ({ [FEEDS_REVISION]: '0' }) },
  '0018_deleted_acts': {
    fill: (db) => db.updateTable('deletions').set({ acts_before: ALL_ACTS }).execute(),
  },
  // Blocks without a time counted in the order of their arrival, which is that of `applied_at`.
  '0019_block_times': {
    fill: (db) =>
      db
        .updateTable('blocks')
        .set(({ ref }) => ({ timestamp: ref('applied_at') }))
        .execute(),
  },
  '0025_feed_changes': { fill: numberFeeds },
  '0026_audit_counts': { fill: (db) => db.updateTable('audit').set({ count: 1 }).execute() },
  '0029_seen': { meta: () => ({ [SEEN_FORMAT.name]: SEEN_FORMAT.value, [SECRETS.seen]: newSecret() }) },
  // Versions that stored outcomes by user were never released.
  '0030_experiment_pages': { before: (db) => db.schema.dropTable('outcomes').ifExists().execute() },
  [SEEN_FILLED]: { fill: endFilling },
  '0033_impressions_dropped': { fill: (db) => db.schema.dropTable('impressions').ifExists().execute() },
  // Names were stored in lower case, but not in NFKC.
  '0035_user_search_folded': { fill: fillUserSearch },
  '0036_pinned_revisions': { fill: fillPins },
};

type Creating = CreateTableBuilder<string, string>;

/** What the engines create in another way than columns and a key say. */
const ADJUSTED: Readonly<Record<string, (create: Creating, engine: EngineName) => Creating>> = {
  api_keys: (create) =>
    create
      .addUniqueConstraint('api_keys_hash_key', ['hash'])
      .addForeignKeyConstraint('api_keys_account_fkey', ['account'], 'accounts', ['name']),
  // A head stays in its page when it is written again.
  seen: (create, engine) => (engine === 'postgres' ? create.modifyEnd(sql`with (fillfactor = 75)`) : create),
  // In the order of the key, because it is always read in it.
  experiment_pages: (create, engine) => (engine === 'sqlite' ? create.modifyEnd(sql`without rowid`) : create),
};

interface TableParts {
  table: string;
  since: string;
  key: readonly string[];
  columns: readonly { name: string; sql_type: string; is_nullable: boolean; since?: string }[];
}

function tablesOf(engine: EngineName): TableParts[] {
  const types = SQL_TYPES[engine];
  const of_changes = CHANGES.map((change) => {
    const { table, since = FIRST }: ChangeDefinition = change;
    const stamp = [
      { name: 'seq', type: 'seq', since: undefined },
      { name: 'applied_at', type: 'time', since: undefined },
    ] as const;
    const columns = [...stamp, ...tableOf(change).columns].map(({ name, type, since }) => {
      return { name, sql_type: types[type], is_nullable: false, since };
    });
    return { table, since, key: ['seq'], columns };
  });
  const own = Object.entries(OWN_TABLES).map(([table, { since, key, columns }]) => {
    const parts = Object.entries(columns).map(([name, column]) => {
      const { type, ...others } = columnParts(column);
      return { name, sql_type: types[type], ...others };
    });
    return { table, since, key, columns: parts };
  });
  return [...of_changes, ...own];
}

async function createTable(
  db: Kysely<Tables>,
  engine: EngineName,
  { table, key, columns }: TableParts,
): Promise<void> {
  let create: Creating = db.schema.createTable(table);
  for (const { name, sql_type, is_nullable, since } of columns)
    if (since === undefined)
      create = create.addColumn(name, sql.raw(sql_type), (column) =>
        is_nullable ? column : column.notNull(),
      );
  create = create.addPrimaryKeyConstraint(`${table}_key`, [...key]);
  await (ADJUSTED[table]?.(create, engine) ?? create).execute();
  // Contents do not compress.
  if (table === 'seen' && engine === 'postgres')
    await sql`alter table seen alter column content set storage external`.execute(db);
}

/** What columns of each type are filled with when they are added. */
function emptyOf(sql_type: string) {
  if (sql_type === 'text' || sql_type === 'bytea') return sql`''`;
  return sql_type === 'blob' ? sql`x''` : sql`0`;
}

async function migrate(db: Kysely<Tables>, engine: EngineName, migration: string): Promise<void> {
  const { before, meta, fill } = CONVERSIONS[migration] ?? {};
  await before?.(db);
  for (const parts of tablesOf(engine)) {
    if (parts.since === migration) await createTable(db, engine, parts);
    for (const { name, sql_type, is_nullable, since } of parts.columns)
      if (since === migration)
        await db.schema
          .alterTable(parts.table)
          .addColumn(name, sql.raw(sql_type), (column) =>
            is_nullable ? column : column.notNull().defaultTo(emptyOf(sql_type)),
          )
          .execute();
  }
  for (const [name, value] of Object.entries(meta?.() ?? {})) await setMetaText(db, name, value);
  await fill?.(db, engine);
  for (const [name, { since, table, columns }] of Object.entries(INDEXES))
    if (since === migration)
      await db.schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
        .execute();
}

/** Published migrations never change; add a new entry instead. They are applied in order of their names. */
export function migrations(engine: EngineName): Record<string, Migration> {
  const tables = tablesOf(engine);
  const names = new Set([
    ...Object.keys(CONVERSIONS),
    ...[...tables, ...tables.flatMap(({ columns }) => columns), ...Object.values(INDEXES)].flatMap(
      ({ since }) => since ?? [],
    ),
  ]);
  return Object.fromEntries(
    [...names].sort().map((name) => [name, { up: (db: Kysely<Tables>) => migrate(db, engine, name) }]),
  );
}

/** Rows that the migration of profiles changes between two reads. */
const PROFILES_READ = 1_000;

async function fillUserSearch(db: Kysely<Tables>, engine: EngineName): Promise<void> {
  // Ranges of prefixes need the order of code points, whatever the locale of the server.
  for (const name of ['username', 'display_name'])
    if (engine === 'postgres')
      await sql`alter table users alter column ${sql.ref(name)} type text collate "C"`.execute(db);
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
    if (rows.length < PROFILES_READ) return;
    after = Number(rows[rows.length - 1].seq);
  }
}

async function keepCurrentFeeds(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into feed_revisions (feed_number, revision, account, at, actor, content_bytes, content)
    select feed_number, revision, account, updated_at,
      coalesce((select max(actor) from audit
        where audit.object = 'feed_' || feeds.feed_number and audit.revision = feeds.revision), 'unknown'),
      octet_length(content), content
    from feeds where deleted = 0`.execute(db);
}

/** Numbers the last change of each feed, so that nodes read only what changed. Earlier changes get numbers by feed. */
async function numberFeeds(db: Kysely<Tables>): Promise<void> {
  await sql`
    update feeds set change_number = numbered.number
    from (select feed_number, row_number() over (order by feed_number) as number from feeds) as numbered
    where numbered.feed_number = feeds.feed_number`.execute(db);
  const { feeds } = await db
    .selectFrom('feeds')
    .select(({ fn }) => fn.countAll<number | string>().as('feeds'))
    .executeTakeFirstOrThrow();
  await setMetaNumber(db, FEEDS_REVISION, (await metaNumber(db, FEEDS_REVISION)) + Number(feeds));
}
