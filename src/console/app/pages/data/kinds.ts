import type { IngestKind } from '../../../../../openapi/client/src/index.ts';

/** What the lines of a file are. The order is the order in which files are sent. */
export const KINDS = ['users', 'items', 'follows', 'blocks', 'engagement', 'interactions'] as const;
export type Kind = (typeof KINDS)[number];

interface KindSpec {
  text: string;
  sent_as: IngestKind;
  /** The schema of its records in the OpenAPI document. */
  schema: string;
  /** Fields that a file must have beyond those that the schema requires. */
  also_required: readonly string[];
  /** Fields that most files have. */
  usual: readonly string[];
  /** Words in the names of files of this kind. */
  words: RegExp;
}

export const KIND_SPECS: Readonly<Record<Kind, KindSpec>> = {
  users: {
    text: 'Users',
    sent_as: 'users',
    schema: 'UserRecord',
    also_required: [],
    usual: ['username', 'display_name'],
    words: /user|account|member|profile/,
  },
  items: {
    text: 'Posts',
    sent_as: 'items',
    schema: 'ItemRecord',
    also_required: [],
    usual: ['author_id', 'created_at', 'text'],
    words: /item|post|status|article|comment|topic/,
  },
  follows: {
    text: 'Follows',
    sent_as: 'follows',
    schema: 'FollowRecord',
    also_required: [],
    usual: ['timestamp'],
    words: /follow/,
  },
  blocks: {
    text: 'Blocks',
    sent_as: 'blocks',
    schema: 'BlockRecord',
    also_required: [],
    usual: ['timestamp'],
    words: /block/,
  },
  engagement: {
    text: 'Counts of posts',
    sent_as: 'items',
    schema: 'ItemRecord',
    also_required: ['timestamp'],
    usual: ['likes_count', 'comments_count', 'shares_count'],
    words: /engagement|count/,
  },
  interactions: {
    text: 'Interactions',
    sent_as: 'interactions',
    schema: 'InteractionRecord',
    // Without it an interaction is as old as its import, and another one at each import.
    also_required: ['timestamp'],
    usual: [],
    words: /interaction|like|favou?rite|feedback|rating|event|share|view/,
  },
};

/** Names that `feedloom export` gives to these kinds. */
const STANDARD_NAMES: Readonly<Record<string, Kind>> = {
  'users.jsonl': 'users',
  'items.jsonl': 'items',
  'follows.csv': 'follows',
  'blocks.csv': 'blocks',
  'engagement.csv': 'engagement',
  'interactions.csv': 'interactions',
};

/** Files of an export that only the command reads. */
const BY_COMMAND = new Set([
  ...['impressions.csv', 'events.csv', 'tokens.jsonl', 'feeds.jsonl'],
  'experiments.jsonl',
]);

/** Columns of other software that are probably meant for a field. */
const OTHER_NAMES: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  users: { user_id: ['id', 'account_id', 'UserId'], display_name: ['name'] },
  items: {
    item_id: ['id', 'post_id', 'status_id', 'ItemId'],
    author_id: ['user_id', 'account_id'],
    created_at: ['Timestamp', 'date'],
    text: ['body', 'content', 'cooked', 'Comment'],
  },
  follows: {
    user_id: ['account_id', 'follower_id'],
    target_user_id: ['target_account_id', 'followee_id', 'following_id'],
    timestamp: ['created_at'],
  },
  blocks: {
    user_id: ['account_id'],
    target_user_id: ['target_account_id'],
    timestamp: ['created_at'],
  },
  engagement: { item_id: ['id', 'post_id', 'status_id'], timestamp: ['updated_at'] },
  interactions: {
    user_id: ['account_id', 'UserId'],
    item_id: ['post_id', 'status_id', 'ItemId'],
    event_type: ['FeedbackType', 'type'],
    timestamp: ['created_at', 'Timestamp', 'date'],
  },
};

/** The name without `.gz`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.gz$/, '');
}

/** Why a file cannot be imported here; undefined if it can. */
export function unreadable(name: string): string | undefined {
  const plain = plainName(name);
  if (BY_COMMAND.has(plain)) return 'only feedloom import reads it';
  return /\.(csv|jsonl|ndjson)$/.test(plain) ? undefined : 'neither CSV nor JSON lines';
}

export function guessKind(name: string): Kind | undefined {
  const plain = plainName(name);
  return STANDARD_NAMES[plain] ?? KINDS.findLast((kind) => KIND_SPECS[kind].words.test(plain));
}

/** The column that is probably meant for a field. */
export function guessColumn(kind: Kind, field: string, columns: readonly string[]): string | undefined {
  const names = [field, ...(OTHER_NAMES[kind][field] ?? [])];
  return names.find((name) => columns.includes(name));
}
