import type { Effort } from '../request-context.ts';

/** An item of a test case, in the form of the ingest API. Missing fields are unknown, and missing counts are 0. */
export interface TestItem {
  item_id: string;
  author_id?: string;
  /** Seconds since the Unix epoch; default an hour before `now`. */
  created_at?: number;
  likes_count?: number;
  comments_count?: number;
  shares_count?: number;
  text?: string;
  embed_items?: string[];
  /** Default: the domains of `embed_items`. */
  embed_domains?: string[];
  channel?: string;
  parent_item_id?: string;
  root_item_id?: string;
  app_fid?: string;
  language?: string;
  publication_types?: string[];
  /** `<latitude>,<longitude>` */
  geo_location?: string;
  /** Scores in [0, 1] by label. */
  ai_labels?: Record<string, number>;
  mentioned_profiles?: string[];
  /** At least 16 numbers, in each item as many. */
  embedding?: number[];
  metadata?: Record<string, unknown>;
}

/** A user of a test case, with lists of user ids and item ids for what they did. */
export interface TestUser {
  user_id: string;
  follows?: string[];
  blocks?: string[];
  /** Items that the user was shown or viewed. */
  seen?: string[];
  /** Items that the user liked, commented, shared or bookmarked. */
  interacted?: string[];
  /** Items that the user hid or reported just now. */
  hidden?: string[];
  username?: string;
  display_name?: string;
  pfp_url?: string;
  geo_location?: string;
  wallet_addresses?: string[];
  created_at?: number;
  metadata?: Record<string, unknown>;
}

/** A small community with one request. */
export interface TestWorld {
  items?: readonly TestItem[];
  /** Users with data. All others exist as soon as they are named. */
  users?: readonly TestUser[];
  /** The user id of the viewer. Absent: a request without a viewer. */
  viewer?: string;
  /** Seconds since the Unix epoch; default 2026-01-01T00:00:00Z. */
  now?: number;
  /** Default 25. */
  page_length?: number;
  /** Default 1. */
  effort?: Effort;
  /** Seed of `request.random()`. Default 1. */
  seed?: number;
  /** Values by signal and item id. The plugin's own signals are computed. All others are 0. */
  signals?: Record<string, Record<string, number>>;
}

/** 2026-01-01T00:00:00Z */
export const TEST_NOW = 1_767_225_600;
