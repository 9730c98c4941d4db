/** The options and the records of a synthetic community. Records have the form of the ingest API. */

import type { EventType } from '../../src/model/acts.ts';

export interface CommunityOptions {
  /** A 32-bit integer. The same options give byte-identical records. */
  seed: number;
  /** Seconds since the Unix epoch: the last instant of the community's history. */
  now: number;
  users: number;
  items: number;
  follows: number;
  interactions: number;
  /** The length of the history in days, ending at `now`. */
  days: number;
  /**
   * Whether there are texts, names, pictures, embeds, replies that mention their parent's author, and `metadata` of
   * users.
   *
   * Without text there are still channels, labels, languages, apps, types, domains and places.
   */
  text: boolean;
}

/** One record of `POST /v2/community/users`. */
export interface UserRecordInput {
  user_id: string;
  username?: string;
  display_name?: string;
  pfp_url?: string;
  /** `<latitude>,<longitude>` */
  geo_location?: string;
  wallet_addresses: string[];
  created_at: number;
  metadata?: { interests: string[]; language: string };
}

/** One record of `POST /v2/community/items`. */
export interface ItemRecordInput {
  item_id: string;
  author_id: string;
  created_at: number;
  text?: string;
  tags?: string[];
  embed_items?: string[];
  embed_domains?: string[];
  channel: string;
  parent_item_id?: string;
  root_item_id?: string;
  app_fid: string;
  language: string;
  publication_types?: string[];
  geo_location?: string;
  ai_labels: Record<string, number>;
  mentioned_profiles?: string[];
}

/** One record of `POST /v2/community/follows`. */
export interface FollowRecordInput {
  user_id: string;
  target_user_id: string;
  timestamp: number;
}

/** One record of `POST /v2/community/interactions`. */
export interface InteractionRecordInput {
  user_id: string;
  item_id: string;
  event_type: EventType;
  timestamp: number;
  /** For comments only. */
  event_id?: string;
}

/**
 * A seeded community. Each method can be called any number of times, in any order.
 *
 * Records are created when they are read, and none is kept.
 */
export interface Community {
  users(): Iterable<UserRecordInput>;
  /** In time order. A reply comes after its parent. */
  items(): Iterable<ItemRecordInput>;
  /** Grouped by the followed user, not in time order. */
  follows(): Iterable<FollowRecordInput>;
  /** In time order, never before the item's `created_at`, never after `now`. */
  interactions(): Iterable<InteractionRecordInput>;
}
