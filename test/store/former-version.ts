import type { Place } from './engines.ts';

const dropColumns = (table: string, ...columns: string[]) =>
  columns.map((column) => `alter table ${table} drop column ${column}`);
const dropTables = (...tables: string[]) => tables.map((table) => `drop table ${table}`);
const dropMeta = (name: string) => `delete from meta where name = '${name}'`;

/** What undoes each migration after the first, oldest first. */
const UNDO: readonly [migration: string, statements: readonly string[]][] = [
  ['0002', [...dropTables('feeds'), dropMeta('highest_feed')]],
  ['0003', [dropMeta('database_id')]],
  ['0004', dropTables('retirements')],
  ['0005', [dropMeta('hash_key')]],
  ['0006', dropTables('follow_lists')],
  ['0007', dropTables('event_ids')],
  ['0008', dropTables('tombstones')],
  ['0009', dropTables('releases')],
  ['0010', dropColumns('api_keys', 'name', 'expires_at', 'last_used_at')],
  ['0011', [dropMeta('token_secret')]],
  ['0012', dropTables('audit')],
  ['0013', dropTables('feed_revisions')],
  ['0014', [dropMeta('cursor_secret')]],
  [
    '0015',
    [
      'drop index users_by_username',
      'drop index users_by_display_name',
      ...dropColumns('users', 'username', 'display_name'),
    ],
  ],
  ['0017', [...dropTables('leases', 'nodes'), dropMeta('feeds_revision')]],
  ['0018', dropColumns('deletions', 'acts_before')],
  ['0019', dropColumns('blocks', 'timestamp')],
  ['0023', [...dropTables('experiments', 'outcomes')]],
  ['0024', dropTables('act_deletions')],
  ['0025', ['drop index feeds_by_change', ...dropColumns('feeds', 'change_number')]],
  ['0026', ['drop index audit_by_actor', ...dropColumns('audit', 'count')]],
  ['0027', ['drop index experiments_by_number']],
  ['0028', dropTables('released_keys')],
  ['0029', [...dropTables('seen'), dropMeta('seen_format'), dropMeta('seen_key')]],
  [
    '0030',
    [
      ...dropTables('experiment_pages', 'outcomes'),
      `create table outcomes (seq bigint primary key, applied_at double precision not null, user_key integer not null,
        arm integer not null, event_type smallint not null, timestamp double precision not null)`,
    ],
  ],
  ['0031', dropColumns('erasures', 'viewer')],
  ['0032', dropTables('shown_pages', 'shown_counts')],
  [
    '0033',
    [
      `create table impressions (seq bigint primary key, applied_at double precision not null, user_key integer not null,
        timestamp double precision not null, items bytea not null, arm integer not null default 0)`,
    ],
  ],
  ['0034', dropColumns('shown_counts', 'feed_days')],
  ['0036', [...dropTables('pinned_revisions'), ...dropColumns('experiment_pages', 'point')]],
  ['0037', dropTables('preferences')],
  ['0038', [...dropTables('user_lists'), ...dropColumns('event_ids', 'list_id')]],
  ['0039', dropTables('labels')],
  ['0040', dropTables('models', 'learnings')],
];

/** Brings the tables of a place back to what they were before a migration, such as `0013`. */
export async function undoMigrations({ run }: Pick<Place, 'run'>, from: string): Promise<void> {
  const undone = UNDO.filter(([migration]) => migration >= from).reverse();
  for (const [, statements] of undone) for (const statement of statements) await run(statement);
  await run(`delete from kysely_migration where name >= '${from}'`);
}
