import type { ColumnType, StoredAs } from '../model/member.ts';

/**
 * The tables beside those of changes: their columns, keys and indexes, and the migration that adds each.
 *
 * Migrations, the types of rows and the tables of a move follow from this list and from the kinds of change.
 */

/** The first migration. */
export const FIRST = '0001_changes_and_keys';

/** The type of a column; with `?` it may be null. */
type OwnType = ColumnType | `${ColumnType}?`;

/** A column that is younger than its table. */
interface Added<Type extends OwnType = OwnType> {
  type: Type;
  since: string;
}

interface OwnTable {
  since: string;
  /** The columns of the primary key. */
  key: readonly string[];
  columns: Readonly<Record<string, OwnType | Added>>;
  /** Whether its rows are about running processes, so that a move leaves them where they are. */
  is_of_processes?: true;
}

function added<Type extends OwnType>(since: string, type: Type): Added<Type> {
  return { type, since };
}

const DETAILS = '0010_key_details';
const AUDIT = '0012_audit';
const REVISIONS = '0013_feed_revisions';
const PINS = '0036_pinned_revisions';

/** Tables come after those that they refer to, and `meta` is last, because its rows are moved last. */
export const OWN_TABLES = {
  accounts: { since: FIRST, key: ['name'], columns: { name: 'text', created_at: 'time' } },
  api_keys: {
    since: FIRST,
    key: ['key_id'],
    columns: {
      key_id: 'text',
      hash: 'text',
      account: 'text',
      /** JSON list */
      scopes: 'text',
      created_at: 'time',
      revoked_at: 'time?',
      name: added(DETAILS, 'text?'),
      expires_at: added(DETAILS, 'time?'),
      last_used_at: added(DETAILS, 'time?'),
    },
  },
  /** See `AuditEntry`. */
  audit: {
    since: AUDIT,
    key: ['audit_id'],
    columns: {
      audit_id: 'key',
      account: 'text',
      at: 'time',
      actor: 'text',
      action: 'text',
      object: 'text',
      revision: 'key?',
      count: added('0026_audit_counts', 'key'),
    },
  },
  feeds: {
    since: '0002_feeds',
    key: ['feed_number'],
    columns: {
      /** The `n` of `feed_<n>`. */
      feed_number: 'key',
      account: 'text',
      revision: 'key',
      created_at: 'time',
      updated_at: 'time',
      /** 1 if the feed was deleted. Its content is only kept in `feed_revisions`, for a time; its row stays. */
      deleted: 'code',
      /** JSON text */
      content: 'text',
      /** The value of `feeds_revision` after its last change. */
      change_number: added('0025_feed_changes', 'count'),
    },
  },
  /** The latest contents of feeds, including the current ones. */
  feed_revisions: {
    since: REVISIONS,
    key: ['feed_number', 'revision'],
    columns: {
      feed_number: 'key',
      revision: 'key',
      account: 'text',
      at: 'time',
      actor: 'text',
      content_bytes: 'key',
      /** When the feed was deleted; null while it exists. */
      deleted_at: 'time?',
      /** JSON text */
      content: 'text',
    },
  },
  /** The revisions that running experiments serve, which are kept. Follows from the experiments. */
  pinned_revisions: {
    since: PINS,
    key: ['feed_number', 'revision', 'experiment_number'],
    columns: { feed_number: 'key', revision: 'key', experiment_number: 'key' },
  },
  /** Record keys on Bluesky that feeds gave up, kept for their account for a time. */
  released_keys: {
    since: '0028_released_keys',
    key: ['record_key'],
    columns: { record_key: 'text', account: 'text', released_at: 'time' },
  },
  /** What viewers have seen, see `seen.ts`. */
  seen: {
    since: '0029_seen',
    key: ['viewer', 'part'],
    columns: { viewer: 'bytes', part: 'key', number: 'count', updated_at: 'time', content: 'bytes' },
  },
  /** Pages that variants of experiments decided, see `experiment-rows.ts`. */
  experiment_pages: {
    since: '0030_experiment_pages',
    key: ['arm', 'viewer', 'number'],
    columns: {
      arm: 'key',
      viewer: 'bytes',
      /** That of the write in `seen`. */
      number: 'count',
      timestamp: 'time',
      is_short: 'code',
      /** As `keys`. */
      items: 'bytes',
      /** Of interleaved variants, a byte an item: the number of the variant that chose it, or 0. Empty for others. */
      teams: 'bytes',
      /** The place of the viewer in the experiment. */
      point: added(PINS, 'count'),
    },
  },
  /** The right to lead the nodes of a cluster: at most one row. See `DatabaseLease`. */
  leases: {
    since: '0017_nodes',
    key: ['name'],
    /** `expires_at`: seconds by the database's clock. */
    columns: { name: 'text', holder: 'text', fence: 'text', expires_at: 'time' },
    is_of_processes: true,
  },
  /** The running nodes of a cluster. */
  nodes: {
    since: '0017_nodes',
    key: ['node_id'],
    columns: {
      node_id: 'text',
      url: 'text',
      release: 'text',
      /** JSON text of fingerprints, see `NodeFacts`. */
      facts: 'text',
      applied_seq: 'count',
      /** seconds by the database's clock */
      seen_at: 'time',
    },
    is_of_processes: true,
  },
  meta: { since: FIRST, key: ['name'], columns: { name: 'text', value: 'text' } },
} as const satisfies Record<string, OwnTable>;

type ValueOf<Type> =
  Type extends Added<infer T extends OwnType>
    ? ValueOf<T>
    : Type extends `${infer T extends ColumnType}?`
      ? StoredAs<T> | null
      : Type extends ColumnType
        ? StoredAs<Type>
        : never;

/** The rows of these tables. */
export type OwnRows = {
  [Name in keyof typeof OWN_TABLES]: {
    -readonly [Column in keyof (typeof OWN_TABLES)[Name]['columns']]: ValueOf<
      (typeof OWN_TABLES)[Name]['columns'][Column]
    >;
  };
};

/** The type of a column, whether it may be null, and the migration that added it, if it is younger than its table. */
export function columnParts(column: OwnType | Added): {
  type: ColumnType;
  is_nullable: boolean;
  since?: string;
} {
  const { type, since } = typeof column === 'string' ? { type: column, since: undefined } : column;
  return { type: type.replace('?', '') as ColumnType, is_nullable: type.endsWith('?'), since };
}

interface Index {
  since: string;
  table: string;
  columns: readonly string[];
}

function index(since: string, table: string, ...columns: string[]): Index {
  return { since, table, columns };
}

/** Further indexes by name. */
export const INDEXES: Readonly<Record<string, Index>> = {
  event_ids_by_hash: index('0007_event_ids', 'event_ids', 'event_hash'),
  audit_by_account: index(AUDIT, 'audit', 'account', 'audit_id'),
  feed_revisions_by_account: index(
    REVISIONS,
    'feed_revisions',
    ...['account', 'at', 'feed_number', 'revision', 'content_bytes'],
  ),
  feed_revisions_by_deletion: index(REVISIONS, 'feed_revisions', 'deleted_at'),
  users_by_username: index('0015_user_search', 'users', 'username', 'user_key', 'seq'),
  users_by_display_name: index('0015_user_search', 'users', 'display_name', 'user_key', 'seq'),
  feeds_by_change: index('0025_feed_changes', 'feeds', 'change_number'),
  audit_by_actor: index('0026_audit_counts', 'audit', 'account', 'actor', 'action', 'at', 'object'),
  /** For the former versions of an experiment. */
  experiments_by_number: index('0027_experiments_by_number', 'experiments', 'experiment_number', 'seq'),
  released_keys_by_account: index('0028_released_keys', 'released_keys', 'account', 'released_at'),
  outcomes_by_viewer: index('0030_experiment_pages', 'outcomes', 'arm', 'viewer', 'seq'),
  /** For the erasure of viewers. */
  shown_pages_by_viewer: index('0032_shown', 'shown_pages', 'viewer'),
};
