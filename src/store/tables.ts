import { LIMITS } from '../limits.ts';
import type { Change } from '../state/change.ts';
import type { AuditEntry } from './audit-entry.ts';

/**
 * Describes all change tables.
 *
 * They drive migrations, bulk inserts, the messages to the writer and the reading of changes. A new kind of change is an
 * entry here, its two cases in `rows.ts` and a migration.
 */

export type Kind = Change['kind'];

/**
 * The types of columns.
 *
 * `key`: an integer key, NONE or a hash (32 bits with a sign). `count`: an integer up to 2^53. `code`: 0 to 255.
 * `time`: seconds with fractions. `text`: any string. `keys`: a list of unsigned 32-bit integers. `numbers`: a list of
 * doubles. `bytes`: any bytes. Lists are stored as little-endian bytes.
 */
export type ColumnType = 'key' | 'count' | 'code' | 'time' | 'text' | 'keys' | 'numbers' | 'bytes';

/** The types of columns whose values are lists. */
export const LIST_TYPES: ReadonlySet<ColumnType> = new Set(['keys', 'numbers', 'bytes']);

/** The largest key of a key column, which has a sign for NONE. */
const KEY_COLUMN_MAX = 2 ** 31 - 1;
if (LIMITS.keys_max - 1 > KEY_COLUMN_MAX) throw new Error('limits disagree: every key fits its column');

/** The list of one row in a column of lists. */
export type List = Uint32Array | Float64Array | Uint8Array;

/** A column of lists. The list of row `at` ends before `ends[at]` in `values`, where the next one begins. */
export interface ListColumn {
  values: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
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

/**
 * Every table of changes with its kind.
 *
 * `seq` counts over all tables. Only users, experiments and the last two tables have further indexes, so the cost of
 * appending other changes does not grow with the size.
 */
const DEFINED = {
  names: { kind: 'name', columns: { space: 'code', key: 'key', id: 'text' } },
  items: { kind: 'item', columns: { item_key: 'key', author_key: 'key', content: 'text' } },
  users: {
    kind: 'user',
    // The names are repeated from the content in the form of `searchText`, to find users by them.
    columns: { user_key: 'key', content: 'text', username: 'text', display_name: 'text' },
  },
  engagement: {
    kind: 'engagement',
    columns: {
      item_key: 'key',
      likes_count: 'count',
      comments_count: 'count',
      shares_count: 'count',
      updated_at: 'time',
    },
  },
  interactions: {
    kind: 'interaction',
    columns: {
      user_key: 'key',
      item_key: 'key',
      event_type: 'code',
      action: 'code',
      timestamp: 'time',
      event_id: 'text',
    },
  },
  follows: {
    kind: 'follow',
    columns: { user_key: 'key', target_key: 'key', timestamp: 'time', action: 'code' },
  },
  follow_lists: {
    kind: 'follow_list',
    columns: { user_key: 'key', timestamp: 'time', followed: 'keys', unfollowed: 'keys' },
  },
  blocks: {
    kind: 'block',
    columns: { user_key: 'key', target_key: 'key', action: 'code', timestamp: 'time' },
  },
  // The author outlives the purged versions of a deleted item, so that a later erasure of the author finds the item.
  deletions: { kind: 'deletion', columns: { item_key: 'key', author_key: 'key', acts_before: 'time' } },
  erasures: { kind: 'erasure', columns: { user_key: 'key', viewer: 'text' } },
  trends: { kind: 'trend', columns: { numbers: 'numbers' } },
  retirements: { kind: 'retirement', columns: { items: 'keys' } },
  tombstones: {
    kind: 'tombstone',
    columns: { space: 'code', hash_low: 'key', hash_high: 'key', deleted_at: 'time', versions_from: 'time' },
  },
  releases: { kind: 'release', columns: { user_key: 'key', items: 'keys' } },
  experiments: { kind: 'experiment', columns: { experiment_number: 'key', content: 'text' } },
  act_deletions: {
    kind: 'act_deletion',
    columns: { user_key: 'key', item_key: 'key', event_type: 'code', timestamp: 'time' },
  },
  shown_pages: { kind: 'shown', columns: { viewer: 'text', halvings: 'code', page: 'bytes' } },
  shown_counts: {
    kind: 'shown_counts',
    columns: { is_first: 'code', items: 'keys', counts: 'keys', feed_days: 'numbers' },
  },
  // The tables from here on are not part of the state. The viewer is 16 bytes, see `seen/seen-store.ts`.
  outcomes: {
    kind: 'outcome',
    columns: { arm: 'key', event_type: 'code', timestamp: 'time', viewer: 'bytes', item_key: 'key' },
  },
  // Found by hash.
  event_ids: {
    kind: 'event',
    columns: {
      space: 'code',
      user_key: 'key',
      event_hash: 'key',
      target_key: 'key',
      item_key: 'key',
      event_type: 'code',
      action: 'code',
      timestamp: 'time',
      event_id: 'text',
    },
  },
} as const satisfies Record<string, { kind: Kind; columns: Readonly<Record<string, ColumnType>> }>;

export type ChangeTableName = keyof typeof DEFINED;

export const CHANGE_TABLES: readonly ChangeTable[] = Object.entries(DEFINED).map(
  ([table, { kind, columns }]) => ({
    kind,
    table: table as ChangeTableName,
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
  }),
);

/** Tables whose changes a state is built from: all but the last two, under the same indexes. */
export const FOLDED_TABLES: readonly ChangeTable[] = CHANGE_TABLES.slice(0, -2);

export const TABLE_OF: Readonly<Record<Kind, ChangeTable>> = Object.fromEntries(
  CHANGE_TABLES.map((entry) => [entry.kind, entry]),
) as Record<Kind, ChangeTable>;

export type Value = string | number | bigint | Uint8Array | null;

type ValueOf<Type extends ColumnType> = Type extends 'text'
  ? string
  : Type extends 'keys' | 'numbers' | 'bytes'
    ? Uint8Array
    : number;

type StoredChanges = {
  [Name in ChangeTableName]: { seq: number; applied_at: number } & {
    -readonly [Column in keyof (typeof DEFINED)[Name]['columns']]: ValueOf<
      (typeof DEFINED)[Name]['columns'][Column] & ColumnType
    >;
  };
};

/** The rows as Kysely types. PostgreSQL returns `seq` as text, so pass it through `Number`. */
export interface Tables extends StoredChanges {
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
  /** What viewers have seen, see `seen.ts`. */
  seen: { viewer: Uint8Array; part: number; number: number; updated_at: number; content: Uint8Array };
  /** Pages that variants of experiments decided, see `experiment-rows.ts`. */
  experiment_pages: {
    arm: number;
    viewer: Uint8Array;
    /** That of the write in `seen`. */
    number: number;
    timestamp: number;
    is_short: number;
    /** As `keys`. */
    items: Uint8Array;
    /** Empty. For interleaving: a byte an item. */
    teams: Uint8Array;
  };
  /** The right to lead the nodes of a cluster: at most one row. See `DatabaseLease`. */
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
