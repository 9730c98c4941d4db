/**
 * The vocabulary of writes. State is a fold over stored changes (state-1).
 *
 * The store writes changes, and `applyChange` is the only code that reads them into the state. This file is all that the
 * two know of each other.
 *
 * A *key* is the integer by which the store knows a user or item. It is never reused. An *ordinal* is the dense index
 * of a user or item in memory. Changes contain keys, memory contains ordinals.
 */

import { roundToMs } from '../columns/time.ts';
import { NONE } from '../plugin/ordinal.ts';
import type { ExperimentContent } from './experiment-content.ts';
import type { ShownPage } from './shown-page.ts';

export type { ExperimentContent };

/** "None": an unknown key or ordinal, or a counter that was not sent. */
export { NONE };

/** The earliest timestamp in seconds. 0 means "never". */
const EARLIEST = 0.001;

/**
 * Clamps an event time to the time of writing, so an act dated in the future distorts nothing.
 *
 * The result is never 0, which would mean "never counted".
 */
export function clamped(timestamp: number, applied_at: number): number {
  return roundToMs(Math.max(EARLIEST, Math.min(timestamp, applied_at)));
}

/** The integer by which the store knows a user or item. Users and items count separately, from 0. */
export type Key = number;

export type Space = 'user' | 'item';

/** Interaction types of content in the order of their stored codes. Append only. */
export const EVENT_TYPES = ['view', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export const EVENT_CODE = {
  view: 0,
  like: 1,
  comment: 2,
  share: 3,
  bookmark: 4,
  hide: 5,
  report: 6,
} as const;

/** The counters of an item, which the source and the service itself count. */
export const COUNTERS = ['likes_count', 'comments_count', 'shares_count'] as const;
export type Counter = (typeof COUNTERS)[number];
export type Counts = Record<Counter, number>;

/** Who took an item, or all items and acts of a user, out of the feeds. Either is enough (`isHidden`). */
export interface Hiding {
  hidden?: boolean;
  /** What the source says, such as a network that suspended the account. */
  hidden_by_network?: boolean;
  /** The time of that, in seconds. Older messages of the source do not change it. */
  hidden_by_network_at?: number;
}

export function isHidden({ hidden, hidden_by_network }: Hiding): boolean {
  return hidden === true || hidden_by_network === true;
}

/** The content of an item, normalised. An absent field is unknown. Stored as JSON text. */
export interface ItemContent extends Hiding {
  created_at: number;
  /** For wallets' items: the catalog defined `created_at`, so imported events do not change it. */
  dated?: boolean;
  text?: string;
  /** Absent means plain text. */
  text_format?: 'html';
  /** The text without markup, derived from HTML. */
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
  ai_labels?: Record<string, number>;
  mentioned_profiles?: string[];
  /** Base64 of 8-bit integers. All embeddings have the same length. */
  embedding?: string;
  /** Hides and reports together that a moderator dismissed; absent for 0. */
  dismissed_reports_count?: number;
  metadata?: Record<string, unknown>;
  /** The time of this version, if one was sent. Counters sent alone do not change it. */
  updated_at?: number;
}

/** The content of a user's profile, normalised. An absent field is unknown. Stored as JSON text. */
export interface UserContent extends Hiding {
  username?: string;
  display_name?: string;
  pfp_url?: string;
  geo_location?: string;
  /** lower case */
  wallet_addresses?: string[];
  created_at?: number;
  metadata?: Record<string, unknown>;
  /** The time of this version, if one was sent. */
  updated_at?: number;
}

/**
 * The stamp of every stored change.
 *
 * `seq` increases over all tables, and the store assigns it at commit. `applied_at` (seconds) is the writer's clock. It
 * never decreases with `seq`, and it is the only time that `apply` knows.
 */
export interface Stamp {
  seq: number;
  applied_at: number;
}

/** Gives `key` its public identifier. Precedes every other change that uses the key. */
export interface NameChange extends Stamp {
  kind: 'name';
  space: Space;
  key: Key;
  id: string;
}

/** A complete new version of an item. `author` is NONE if unknown (bare items of an import). */
export interface ItemChange extends Stamp {
  kind: 'item';
  item: Key;
  author: Key;
  content: ItemContent;
}

/** A complete new version of a user's profile. */
export interface UserChange extends Stamp {
  kind: 'user';
  user: Key;
  content: UserContent;
}

/** Cumulative counters from the source, counted at `updated_at`. NONE: this counter was not sent. */
export interface EngagementChange extends Stamp {
  kind: 'engagement';
  item: Key;
  likes_count: number;
  comments_count: number;
  shares_count: number;
  updated_at: number;
}

/** One act of a user on an item. `event_id` identifies comments ('': the timestamp does). */
export interface InteractionChange extends Stamp {
  kind: 'interaction';
  user: Key;
  item: Key;
  /** code of the community's vocabulary; for content an index into `EVENT_TYPES` */
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

/**
 * A complete follow list of a user, stored as the difference to the previous one.
 *
 * Older messages about any of the user's follows are ignored from now on.
 */
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
  timestamp: number;
  /** 1 block, 0 unblock */
  action: number;
}

/**
 * A named event of a network, or its reversal.
 *
 * The state ignores it: a separate change holds its effect. The store finds the event again by its hash.
 */
export interface EventChange extends Stamp {
  kind: 'event';
  /** The namespace of the identifier: interactions, follows and blocks are named separately. */
  space: EventSpace;
  user: Key;
  event_id: string;
  /** The keyed hash of everything that names the event, a signed 32-bit integer. */
  event_hash: number;
  /** The followed or blocked user. NONE for interactions, and for reversals that came before their event. */
  target: Key;
  item: Key;
  /** The interaction type. 0 without one. */
  event_type: number;
  /** 1 done, 0 reversed */
  action: number;
  timestamp: number;
}

/** The namespaces of events in the order of their stored codes. Append only. */
export const EVENT_SPACES = ['interaction', 'follow', 'block'] as const;
export type EventSpace = (typeof EVENT_SPACES)[number];

/** A complete new version of an experiment, or its deletion. */
export interface ExperimentChange extends Stamp {
  kind: 'experiment';
  /** The `n` of `exp_<n>`. */
  experiment: number;
  content: ExperimentContent;
}

/**
 * An act of a viewer whom a running experiment assigned to a variant. Another change holds the act itself.
 *
 * The state ignores it. Whether it follows a page of the variant is decided when results are read.
 */
export interface OutcomeChange extends Stamp {
  kind: 'outcome';
  /** 16 bytes as hexadecimal text, see `seen/seen-store.ts`. */
  viewer: string;
  arm: number;
  item: Key;
  event_type: number;
  /** Clamped, see `clamped`. */
  timestamp: number;
}

/**
 * A page that was shown to a viewer, for learning. Not all pages are stored.
 *
 * The rows of the last days stay. Before older ones are removed, `ShownCountsChange` stores what they count.
 */
export interface ShownChange extends Stamp {
  kind: 'shown';
  /** Their row of seen items, see `viewerHash`. Empty if the viewer was erased. */
  viewer: string;
  /** The page stands for 2^halvings pages. */
  halvings: number;
  page: ShownPage;
}

/** What shown pages have counted so far. A fold continues from it, whatever came before. */
export interface ShownCountsChange extends Stamp {
  kind: 'shown_counts';
  /** 1 if it begins a list of how often items were shown; 0 if it continues one, or has no items. */
  is_first: number;
  items: Uint32Array;
  counts: Uint32Array;
  /** `FeedDays.numbers`. Empty: unchanged. */
  feed_days: Float64Array;
}

/** Removes an item and the acts on it from every feed. A later ItemChange brings the item back. */
export interface DeletionChange extends Stamp {
  kind: 'deletion';
  item: Key;
  /** Acts from this time on stay, in seconds. Absent: all acts are removed. */
  acts_before?: number;
  /** The item's author, if its versions have been purged and named one. Otherwise absent or NONE. */
  author?: Key;
}

/**
 * Removes acts of a user on an item, as if they had never been recorded.
 *
 * Only for acts that are identified by their time, not for types of which one act counts nor for acts with an
 * `event_id`.
 */
export interface ActDeletionChange extends Stamp {
  kind: 'act_deletion';
  user: Key;
  item: Key;
  event_type: number;
  /** The time of the only act to remove, as in `InteractionChange`. Absent: all acts of the type that precede the change. */
  timestamp?: number;
}

/** Erases a user with all their acts and items, and what they saw. Contains no identifier. */
export interface ErasureChange extends Stamp {
  kind: 'erasure';
  /** NONE: a viewer without a user record. */
  user: Key;
  /** Their row of seen items, see `viewerHash`. Empty in erasures from before there were such rows. */
  viewer: string;
}

/**
 * Removes the author of items, which then stay when that user is erased.
 *
 * Items that belong to another author by then are not changed.
 */
export interface ReleaseChange extends Stamp {
  kind: 'release';
  user: Key;
  items: Uint32Array;
}

/**
 * Remembers a deletion for a while, so that a late delivery does not undo it.
 *
 * It identifies the deleted user or item by a keyed hash alone (`Tombstones.hash`).
 */
export interface TombstoneChange extends Stamp {
  kind: 'tombstone';
  space: Space;
  low: number;
  high: number;
  deleted_at: number;
  versions_from: number;
}

/**
 * Removes items for good because of their age, with all acts on them.
 *
 * It is stored, so a fold gives the same result whatever the setting is by then.
 */
export interface RetirementChange extends Stamp {
  kind: 'retirement';
  items: Uint32Array;
}

/** The trend as learned so far. A fold continues from it, whatever came before (`Trend.numbers`). */
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
  | DeletionChange
  | ActDeletionChange
  | ErasureChange
  | TrendChange
  | RetirementChange
  | TombstoneChange
  | ReleaseChange
  | ExperimentChange
  | OutcomeChange
  | ShownChange
  | ShownCountsChange;
