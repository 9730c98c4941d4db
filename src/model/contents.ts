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
