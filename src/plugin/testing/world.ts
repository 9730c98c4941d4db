import type { Effort } from '../request-context.ts';

/** An item of a case, as the ingest API takes it. What is left out is unknown; counts are 0. */
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
  /** Absent: those of `embed_items`. */
  embed_domains?: string[];
  channel?: string;
  parent_item_id?: string;
  root_item_id?: string;
  app_fid?: string;
  language?: string;
  publication_types?: string[];
  /** `<latitude>,<longitude>` */
  geo_location?: string;
  /** Label → score in [0, 1]. */
  ai_labels?: Record<string, number>;
  mentioned_profiles?: string[];
  metadata?: Record<string, unknown>;
}

/** A user of a case, with what they did: lists of user ids, then of item ids. */
export interface TestUser {
  user_id: string;
  follows?: string[];
  blocks?: string[];
  /** Shown to them, or viewed. */
  seen?: string[];
  /** Liked, commented, shared or bookmarked. */
  interacted?: string[];
  /** Hidden or reported, just now. */
  hidden?: string[];
  username?: string;
  display_name?: string;
  pfp_url?: string;
  geo_location?: string;
  wallet_addresses?: string[];
  created_at?: number;
  metadata?: Record<string, unknown>;
}

/** A small community and one request in it. */
export interface TestWorld {
  items?: readonly TestItem[];
  /** Only those of whom there is something to say; others exist by being named. */
  users?: readonly TestUser[];
  /** Their user id; absent: nobody asks. */
  viewer?: string;
  /** Seconds since the Unix epoch; default 2026-01-01T00:00:00Z. */
  now?: number;
  /** Default 25. */
  page_length?: number;
  /** Default 1. */
  effort?: Effort;
  /** Of `request.random()`; default 1. */
  seed?: number;
  /** Signal → item id → value. The plugin's own are computed, all others are 0. */
  signals?: Record<string, Record<string, number>>;
}

/** 2026-01-01T00:00:00Z */
export const TEST_NOW = 1_767_225_600;
