import type { ConnectorRecord } from '../plugin/index.ts';

/** An item, with the fields of the ingest API. Missing fields are unknown, and missing counts are 0. */
export interface TestItem {
  author_id?: string;
  /** Seconds since the Unix epoch; default an hour before `now`. */
  created_at?: number;
  /** The time of the counts; default `created_at`. */
  updated_at?: number;
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
  /** It is not detected from the text. */
  language?: string;
  publication_types?: string[];
  /** `<latitude>,<longitude>` */
  geo_location?: string;
  /** Scores in [0, 1] by label. */
  ai_labels?: Record<string, number>;
  tags?: string[];
  link_titles?: string[];
  alt_texts?: string[];
  mentioned_profiles?: string[];
  /** At least 16 numbers, in each item as many. */
  embedding?: number[];
  hidden?: boolean;
  metadata?: Record<string, unknown>;
}

/** A user, with the fields of the ingest API, and with lists of ids. */
export interface TestUser {
  follows?: string[];
  blocks?: string[];
  /** Items that the user was shown on a page. */
  seen?: string[];
  /** What `PUT /v2/<network>/users/<user_id>/preferences` takes. */
  preferences?: Record<string, unknown>;
  username?: string;
  display_name?: string;
  pfp_url?: string;
  geo_location?: string;
  wallet_addresses?: string[];
  created_at?: number;
  hidden?: boolean;
  metadata?: Record<string, unknown>;
}

/** An act of a user on an item, as the ingest API takes it. */
export interface TestInteraction {
  user_id: string;
  item_id: string;
  event_type: 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'hide' | 'report';
  /** Default `now`. */
  timestamp?: number;
  /** Default `add`. */
  action?: 'add' | 'remove';
  event_id?: string;
}

/** A small community with one request. All of it happens in the order of its times, and up to `now`. */
export interface TestWorld {
  /** Items by id. Ids that are integers come first. */
  items?: Readonly<Record<string, TestItem>>;
  /** Users by id. Others exist as soon as they are named. */
  users?: Readonly<Record<string, TestUser>>;
  interactions?: readonly TestInteraction[];
  /** Other changes, in the form in which connectors emit them. Without a time, they happen at `now`. */
  records?: readonly ConnectorRecord[];
  /** The user id of the viewer. Absent: a request without a viewer. */
  viewer?: string;
  /** Seconds since the Unix epoch; default 2026-01-01T00:00:00Z. */
  now?: number;
  /** Seed of `request.random()`. Default 1. */
  seed?: number;
  /** Values by signal and item id, instead of those that the signal has. 0 for items without a value. */
  signals?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** For scoring functions with `learns`: weights by signal, of `default`, and `intercept`. Default: nothing is learnt. */
  learnt?: Readonly<Record<string, number>>;
}

/** 2026-01-01T00:00:00Z */
export const TEST_NOW = 1_767_225_600;
