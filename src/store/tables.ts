import { LIMITS } from '../limits.ts';
import type { Change } from '../state/change.ts';
import type { AuditEntry } from './audit-entry.ts';

/**
 * Describes all change tables.
 *
 * `CHANGE_TABLES` drives migrations, bulk inserts, the messages to the writer and the reading of changes. A new kind of
 * change is an entry here, a case in `rows.ts` and a migration.
 */

export type Kind = Change['kind'];

/**
 * The types of columns.
 *
 * `key`: an integer key, NONE or a hash (32 bits with a sign). `count`: an integer up to 2^53. `code`: 0 to 255.
 * `time`: seconds with fractions. `text`: any string. `keys`: a list of unsigned 32-bit integers. `numbers`: a list of
 * doubles. Lists are stored as little-endian bytes.
 */
export type ColumnType = 'key' | 'count' | 'code' | 'time' | 'text' | 'keys' | 'numbers';

/** The largest key of a key column, which has a sign for NONE. */
const KEY_COLUMN_MAX = 2 ** 31 - 1;
if (LIMITS.keys_max - 1 > KEY_COLUMN_MAX) throw new Error('limits disagree: every key fits its column');

/** The list of one row in a column of lists. */
export type List = Uint32Array | Float64Array;

/** A column of lists. The list of row `at` ends before `ends[at]` in `values`, where the next one begins. */
export interface ListColumn {
  values: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
}

export type NumberColumn = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** The values of one column, in the order of the rows. */
export type ColumnData = NumberColumn | string[] | ListColumn;

export interface Column {
  name: string;
  type: ColumnType;
}

/** A table of append-only rows. `seq` (primary key) and `applied_at` come before `columns`. */
export interface ChangeTable {
  kind: Kind;
  table: ChangeTableName;
  columns: readonly Column[];
}

function table(kind: Kind, name: ChangeTableName, columns: Record<string, ColumnType>): ChangeTable {
  return {
    kind,
    table: name,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
  };
}

/**
 * The table of every kind of change.
 *
 * `seq` counts over all tables. Only users and the last table have further indexes, so the cost of appending other
 * changes does not grow with the size.
 */
export const CHANGE_TABLES: readonly ChangeTable[] = [
  table('name', 'names', { space: 'code', key: 'key', id: 'text' }),
  table('item', 'items', { item_key: 'key', author_key: 'key', content: 'text' }),
  // The names are repeated from the content in the form of `searchText`, to find users by them.
  table('user', 'users', { user_key: 'key', content: 'text', username: 'text', display_name: 'text' }),
  table('engagement', 'engagement', {
    item_key: 'key',
    likes_count: 'count',
    comments_count: 'count',
    shares_count: 'count',
    updated_at: 'time',
  }),
  table('interaction', 'interactions', {
    user_key: 'key',
    item_key: 'key',
    event_type: 'code',
    action: 'code',
    timestamp: 'time',
    event_id: 'text',
  }),
  table('follow', 'follows', { user_key: 'key', target_key: 'key', timestamp: 'time', action: 'code' }),
  table('follow_list', 'follow_lists', {
    user_key: 'key',
    timestamp: 'time',
    followed: 'keys',
    unfollowed: 'keys',
  }),
  table('block', 'blocks', { user_key: 'key', target_key: 'key', action: 'code', timestamp: 'time' }),
  table('impression', 'impressions', {
    user_key: 'key',
    timestamp: 'time',
    items: 'keys',
    arm: 'key',
    is_short: 'code',
  }),
  // The author outlives the purged versions of a deleted item, so that a later erasure of the author finds the item.
  table('deletion', 'deletions', { item_key: 'key', author_key: 'key', acts_before: 'time' }),
  table('erasure', 'erasures', { user_key: 'key' }),
  table('trend', 'trends', { numbers: 'numbers' }),
  table('retirement', 'retirements', { items: 'keys' }),
  table('tombstone', 'tombstones', {
    space: 'code',
    hash_low: 'key',
    hash_high: 'key',
    deleted_at: 'time',
    versions_from: 'time',
  }),
  table('release', 'releases', { user_key: 'key', items: 'keys' }),
  table('experiment', 'experiments', { experiment_number: 'key', content: 'text' }),
  table('outcome', 'outcomes', { user_key: 'key', arm: 'key', event_type: 'code', timestamp: 'time' }),
  table('act_deletion', 'act_deletions', {
    user_key: 'key',
    item_key: 'key',
    event_type: 'code',
    timestamp: 'time',
  }),
  // Found by hash and not part of the state, so it comes last.
  table('event', 'event_ids', {
    space: 'code',
    user_key: 'key',
    event_hash: 'key',
    target_key: 'key',
    item_key: 'key',
    event_type: 'code',
    action: 'code',
    timestamp: 'time',
    event_id: 'text',
  }),
];

/** Tables whose changes a state is built from: all but the last, under the same indexes. */
export const FOLDED_TABLES: readonly ChangeTable[] = CHANGE_TABLES.slice(0, -1);

export const TABLE_OF: Readonly<Record<Kind, ChangeTable>> = Object.fromEntries(
  CHANGE_TABLES.map((entry) => [entry.kind, entry]),
) as Record<Kind, ChangeTable>;

export type Value = string | number | bigint | Uint8Array | null;

interface Stored {
  seq: number;
  applied_at: number;
}

/** The rows as Kysely types. PostgreSQL returns `seq` as text, so pass it through `Number`. */
export interface Tables {
  names: Stored & { space: number; key: number; id: string };
  items: Stored & { item_key: number; author_key: number; content: string };
  users: Stored & { user_key: number; content: string; username: string; display_name: string };
  engagement: Stored & {
    item_key: number;
    likes_count: number;
    comments_count: number;
    shares_count: number;
    updated_at: number;
  };
  interactions: Stored & {
    user_key: number;
    item_key: number;
    event_type: number;
    action: number;
    timestamp: number;
    event_id: string;
  };
  follows: Stored & { user_key: number; target_key: number; timestamp: number; action: number };
  follow_lists: Stored & {
    user_key: number;
    timestamp: number;
    followed: Uint8Array;
    unfollowed: Uint8Array;
  };
  blocks: Stored & { user_key: number; target_key: number; action: number; timestamp: number };
  impressions: Stored & {
    user_key: number;
    timestamp: number;
    items: Uint8Array;
    arm: number;
    is_short: number;
  };
  experiments: Stored & { experiment_number: number; content: string };
  outcomes: Stored & { user_key: number; arm: number; event_type: number; timestamp: number };
  deletions: Stored & { item_key: number; author_key: number; acts_before: number };
  act_deletions: Stored & { user_key: number; item_key: number; event_type: number; timestamp: number };
  erasures: Stored & { user_key: number };
  trends: Stored & { numbers: Uint8Array };
  retirements: Stored & { items: Uint8Array };
  event_ids: Stored & {
    space: number;
    user_key: number;
    event_hash: number;
    target_key: number;
    item_key: number;
    event_type: number;
    action: number;
    timestamp: number;
    event_id: string;
  };
  tombstones: Stored & {
    space: number;
    hash_low: number;
    hash_high: number;
    deleted_at: number;
    versions_from: number;
  };
  releases: Stored & { user_key: number; items: Uint8Array };
  meta: { name: string; value: string };
  accounts: { name: string; created_at: number };
  api_keys: {
    key_id: string;
    hash: string;
    account: string;
    /** JSON list */
    scopes: string;
    created_at: number;
    revoked_at: number | null;
    name: string | null;
    expires_at: number | null;
    last_used_at: number | null;
  };
  audit: AuditEntry;
  feeds: {
    /** The `n` of `feed_<n>`. */
    feed_number: number;
    account: string;
    revision: number;
    created_at: number;
    updated_at: number;
    /** 1 if the feed was deleted. Its content is only kept in `feed_revisions`, for a time; its row stays. */
    deleted: number;
    /** JSON text */
    content: string;
    /** The value of `feeds_revision` after its last change. */
    change_number: number;
  };
  /** The latest contents of feeds, including the current ones. */
  feed_revisions: {
    feed_number: number;
    revision: number;
    account: string;
    at: number;
    actor: string;
    content_bytes: number;
    /** When the feed was deleted; null while it exists. */
    deleted_at: number | null;
    /** JSON text */
    content: string;
  };
  /** Record keys on Bluesky that feeds gave up, kept for their account for a time. */
  released_keys: { record_key: string; account: string; released_at: number };
  /** The right to lead the nodes of a cluster: at most one row. See `ClusterBook`. */
  leases: {
    name: string;
    holder: string;
    fence: string;
    /** seconds by the database's clock */
    expires_at: number;
  };
  /** The running nodes of a cluster. */
  nodes: {
    node_id: string;
    url: string;
    release: string;
    /** JSON text of fingerprints, see `NodeFacts`. */
    facts: string;
    applied_seq: number;
    /** seconds by the database's clock */
    seen_at: number;
  };
}

export type ChangeTableName =
  | 'names'
  | 'items'
  | 'users'
  | 'engagement'
  | 'interactions'
  | 'follows'
  | 'follow_lists'
  | 'blocks'
  | 'impressions'
  | 'deletions'
  | 'erasures'
  | 'trends'
  | 'retirements'
  | 'event_ids'
  | 'tombstones'
  | 'releases'
  | 'experiments'
  | 'outcomes'
  | 'act_deletions';
