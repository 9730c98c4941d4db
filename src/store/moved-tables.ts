import { CHANGE_TABLES, type Tables } from './tables.ts';

/** A table that `feedloom move` copies. */
export interface MovedTable {
  table: keyof Tables;
  /** Columns of the primary key, which is the order of reading. */
  keys: readonly string[];
  columns: readonly string[];
}

function movedTable<Name extends keyof Tables>(
  table: Name,
  keys: readonly (keyof Tables[Name] & string)[],
  others: readonly (keyof Tables[Name] & string)[],
): MovedTable {
  return { table, keys, columns: [...keys, ...others] };
}

/**
 * All tables that hold data, in an order in which references point backwards. A test compares them with the schema.
 *
 * The rows of `meta` come last. `KEPT_META` are not moved.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  ...CHANGE_TABLES.map(({ table, columns }) => ({
    table,
    keys: ['seq'],
    columns: ['seq', 'applied_at', ...columns.map(({ name }) => name)],
  })),
  movedTable('accounts', ['name'], ['created_at']),
  movedTable(
    'api_keys',
    ['key_id'],
    ['hash', 'account', 'scopes', 'created_at', 'revoked_at', 'name', 'expires_at', 'last_used_at'],
  ),
  movedTable('audit', ['audit_id'], ['account', 'at', 'actor', 'action', 'object', 'revision', 'count']),
  movedTable(
    'feeds',
    ['feed_number'],
    ['account', 'revision', 'created_at', 'updated_at', 'deleted', 'content', 'change_number'],
  ),
  movedTable(
    'feed_revisions',
    ['feed_number', 'revision'],
    ['account', 'at', 'actor', 'content_bytes', 'deleted_at', 'content'],
  ),
  movedTable('released_keys', ['record_key'], ['account', 'released_at']),
  movedTable('seen', ['viewer', 'part'], ['number', 'updated_at', 'content']),
  movedTable('experiment_pages', ['arm', 'viewer', 'number'], ['timestamp', 'is_short', 'items', 'teams']),
  movedTable('meta', ['name'], ['value']),
];

/** Tables about running processes, which stay where they are. */
export const UNMOVED_TABLES: readonly (keyof Tables)[] = ['leases', 'nodes'];
