/**
 * The vocabulary of writes. State is a fold over stored changes (state-1): the store writes
 * them, `State.apply` is the only reader, and the two agree on nothing but this file.
 *
 * A *key* is the integer that the store gives a user or item for good; it is never used twice. An
 * *ordinal* is the dense index of a user or item in memory. Changes speak keys, memory speaks ordinals.
 */

import { NONE } from '../plugin/ordinal.ts';

/** "No such thing": an unknown key or ordinal, a counter that was not given. */
export { NONE };

/** Integer name of a user or item in the store; users and items count separately, from 0. */
export type Key = number;

export type Space = 'user' | 'item';

/** Kinds of interaction with content, in the order of their stored codes: append only. */
export const EVENT_TYPES = ['view', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
/** Code of each event type: its index in `EVENT_TYPES`. */
export const EVENT_CODE = {
  view: 0,
  like: 1,
  comment: 2,
  share: 3,
  bookmark: 4,
  hide: 5,
  report: 6,
} as const;

/** What is counted of an item: by its source, and by the service itself. */
export const COUNTERS = ['likes_count', 'comments_count', 'shares_count'] as const;
export type Counter = (typeof COUNTERS)[number];
export type Counts = Record<Counter, number>;

/** What an item says of itself, normalised; an absent field is unknown. Stored as JSON text. */
export interface ItemContent {
  created_at: number;
  /** Of a wallet's item: the catalog told `created_at`, so imported events do not change it. */
  dated?: boolean;
  text?: string;
  /** Absent: it is plain. */
  text_format?: 'html';
  /** The text without markup, derived of one that is HTML. */
  plain_text?: string;
  embed_items?: string[];
  embed_domains?: string[];
  channel?: string;
  parent_item_id?: string;
  root_item_id?: string;
  app_fid?: string;
  language?: string;
  publication_types?: string[];
  /** `<latitude>,<longitude>` */
  geo_location?: string;
  /** label → score in [0, 1] */
  ai_labels?: Record<string, number>;
  mentioned_profiles?: string[];
  hidden?: boolean;
  metadata?: Record<string, unknown>;
  /** The time of the version, where it was sent; later counters alone do not change it. */
  updated_at?: number;
}

/** What a user says of themselves, normalised; an absent field is unknown. Stored as JSON text. */
export interface UserContent {
  username?: string;
  display_name?: string;
  pfp_url?: string;
  geo_location?: string;
  /** lower case */
  wallet_addresses?: string[];
  created_at?: number;
  hidden?: boolean;
  metadata?: Record<string, unknown>;
  /** The time of the version, where it was sent. */
  updated_at?: number;
}

/**
 * Stamped on every stored change. `seq` counts up over all tables and is given by the store at commit;
 * `applied_at` (seconds) is the writer's clock, never decreasing with `seq`, and the only time that
 * `apply` knows.
 */
export interface Stamp {
  seq: number;
  applied_at: number;
}

/** Gives `key` its public identifier; precedes every other change that uses the key. */
export interface NameChange extends Stamp {
  kind: 'name';
  space: Space;
  key: Key;
  id: string;
}

/** A whole new version of an item. `author` is NONE when unknown (bare items of an import). */
export interface ItemChange extends Stamp {
  kind: 'item';
  item: Key;
  author: Key;
  content: ItemContent;
}

/** A whole new version of a user's profile. */
export interface UserChange extends Stamp {
  kind: 'user';
  user: Key;
  content: UserContent;
}

/** Cumulative counters from the source, counted at `updated_at`; NONE says nothing of a counter. */
export interface EngagementChange extends Stamp {
  kind: 'engagement';
  item: Key;
  likes_count: number;
  comments_count: number;
  shares_count: number;
  updated_at: number;
}

/** One act of a user on an item. `event_id` tells comments apart ('' : told apart by timestamp). */
export interface InteractionChange extends Stamp {
  kind: 'interaction';
  user: Key;
  item: Key;
  /** code of the community's vocabulary; of content an index into `EVENT_TYPES` */
  event_type: number;
  /** 1 add, 0 remove */
  action: number;
  timestamp: number;
  event_id: string;
}

export interface FollowChange extends Stamp {
  kind: 'follow';
  user: Key;
  target: Key;
  timestamp: number;
  /** 1 follow, 0 unfollow */
  action: number;
}

/** The whole list of whom a user follows, as what it changes: older news of any follow of theirs is void from now on. */
export interface FollowListChange extends Stamp {
  kind: 'follow_list';
  user: Key;
  followed: Uint32Array;
  unfollowed: Uint32Array;
  timestamp: number;
}

export interface BlockChange extends Stamp {
  kind: 'block';
  user: Key;
  target: Key;
  /** 1 block, 0 unblock */
  action: number;
}

/**
 * What a named event of a network did, or that it was taken back. No state holds it: the event's own change says what it
 * means. The store finds it again by its hash.
 */
export interface EventChange extends Stamp {
  kind: 'event';
  /** What the identifier names: events of follows and of interactions are named apart. */
  space: EventSpace;
  user: Key;
  event_id: string;
  /** Keyed hash of all that names the event, a signed 32-bit integer. */
  event_hash: number;
  /** Whom it followed; NONE of interactions, and of what was taken back before it came. */
  target: Key;
  /** What it was about; NONE of follows, and of what was taken back before it came. */
  item: Key;
  /** Kind of interaction; 0 without one. */
  event_type: number;
  /** 1 done, 0 taken back */
  action: number;
  /** When it was done; as `apply` has it. */
  timestamp: number;
}

export type EventSpace = 'interaction' | 'follow';

/** The items of one page that its viewer saw. */
export interface ImpressionChange extends Stamp {
  kind: 'impression';
  user: Key;
  items: Uint32Array;
  timestamp: number;
}

/** Takes an item out of every feed; a later ItemChange brings it back. */
export interface DeletionChange extends Stamp {
  kind: 'deletion';
  item: Key;
  /** The item's author once its versions have been purged, if they named one; absent (or NONE) before that. */
  author?: Key;
}

/** Erases a user, everything they did and every item they wrote. Holds no identifier. */
export interface ErasureChange extends Stamp {
  kind: 'erasure';
  user: Key;
}

/**
 * Takes the author off items, which then stay when that user is erased. Items that are not theirs by then are not changed.
 */
export interface ReleaseChange extends Stamp {
  kind: 'release';
  user: Key;
  items: Uint32Array;
}

/**
 * Remembers a deletion for a while, so that what is delivered late does not undo it. Names what was deleted by a keyed hash
 * alone (`Tombstones.hash`).
 */
export interface TombstoneChange extends Stamp {
  kind: 'tombstone';
  space: Space;
  low: number;
  high: number;
  /** As of `Tombstone`. */
  deleted_at: number;
  versions_from: number;
}

/**
 * Takes items out for good because they are too old, with everything that was done with them. Stored, so that
 * a fold means the same whatever the setting is by then.
 */
export interface RetirementChange extends Stamp {
  kind: 'retirement';
  items: Uint32Array;
}

/** What has been learnt of trends until here: a fold goes on from there, whatever came before (`Trend.numbers`). */
export interface TrendChange extends Stamp {
  kind: 'trend';
  numbers: Float64Array;
}

export type Change =
  | NameChange
  | ItemChange
  | UserChange
  | EngagementChange
  | InteractionChange
  | FollowChange
  | FollowListChange
  | BlockChange
  | EventChange
  | ImpressionChange
  | DeletionChange
  | ErasureChange
  | TrendChange
  | RetirementChange
  | TombstoneChange
  | ReleaseChange;
