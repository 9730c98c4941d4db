/** Types of the HTTP API. Generated from openapi/openapi.json by `bun run openapi`; do not edit. */

/** Id of a third-party plugin, such as `acme/keywords`. */
export type PluginId = `${string}/${string}`;

/** Ranked tokens and NFTs. */
export type AlphaFeed = {
  /** Always `success`. */
  status: 'success';
  /** The items, best first. */
  items: Array<{
    /** Identifier of the token or NFT, with the contract in lower case. */
    itemId: string;
    /** Higher is better. */
    score: number;
    /** Metadata of a token or of an NFT, depending on the kind of item. */
    metadata: TokenMetadata | NftMetadata;
  }>;
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** The variant of a running experiment that decided the page. Absent for viewers who are not part of one. */
export type AssignedVariant = {
  /** Id of the experiment. */
  id: string;
  /** Name of the variant. Absent if variants are interleaved: then items have a `team`. */
  variant?: string;
};

/** A change of a feed, experiment or key. */
export type AuditEntry = {
  /** Ascending number of the change, over all accounts. */
  audit_id: number;
  /** Time of the change, seconds since the epoch. */
  at: number;
  /** Who made the change: the id of a key, `FEEDLOOM_API_KEY` for the key from the settings, `cli:` and the operating system account that ran a command, or `service` for what no one asked for. */
  actor: string;
  /** Kind of change. */
  action: 'feed.create' | 'feed.change' | 'feed.delete' | 'feed.import' | 'feed.restore' | 'experiment.create' | 'experiment.change' | 'experiment.stop' | 'experiment.delete' | 'experiment.import' | 'learning.freeze' | 'learning.thaw' | 'learning.reset' | 'learning.fall_back' | 'key.create' | 'key.revoke';
  /** Id of the feed, experiment or key. */
  object: string;
  /** Number of changes that this entry stands for: of this object by this actor within a minute. `at`, `audit_id`, `object` and `revision` are those of the last one. */
  count: number;
  /** Revision of the feed or experiment after the change. Absent for keys and for what was deleted. */
  revision?: number;
};

/** `user_id` blocks or unblocks `target_user_id`. A block hides the items of each user from the other. */
export type BlockRecord = {
  /** The user who acts. */
  user_id: string | number;
  /** Another user. */
  target_user_id: string | number;
  /** Time of the act. Absent: now. */
  timestamp?: number | string | null;
  /** Absent: block. */
  action?: 'block' | 'unblock' | null;
  /** Identifies the block among those of `user_id`, so that it can be removed by this identifier alone. */
  event_id?: string | number | null;
};

/** Removes a block by its `event_id` alone. If it was repeated with a later `event_id`, it stays. */
export type BlockRemoval = {
  /** The user who acts. */
  user_id: string | number;
  /** The `event_id` of the block. */
  event_id: string | number;
  /** Removes it. */
  action: 'unblock';
  /** Has no effect. */
  timestamp?: number | string | null;
};

/** Interactions of one viewer. */
export type BlueskyInteractions = {
  /** What the viewer did. */
  interactions: Array<{
    /** URI of the post. */
    item?: string;
    /** `app.bsky.feed.defs#` and `requestLess`, `requestMore`, `clickthroughItem`, `clickthroughAuthor`, `clickthroughReposter`, `clickthroughEmbed`, `interactionSeen`, `interactionLike`, `interactionRepost`, `interactionReply`, `interactionQuote` or `interactionShare`. Others are ignored. */
    event?: string;
    /** What the feed said about the post. */
    feedContext?: string;
    /** Id of the request that returned the post. */
    reqId?: string;
  }>;
};

/** A token or NFT with any metadata fields of its kind. Together with the stored fields, at most 65536 characters of JSON text. `contract_address` and `token_id` must match `item_id`. */
export type CatalogRecord = {
  /** `<chain>.<contract>` for a token, `<chain>.<contract>.<token_id>` for an NFT. */
  item_id: string;
  /** Creation time. Events do not change it. */
  created_at?: number | string | null;
  /** Moderation: true removes the item from every feed, false restores it. Later records without the field keep it. */
  hidden?: boolean | null;
  /** True: brings a deleted token or NFT back. */
  revive?: boolean | null;
  /** The chain. */
  chain?: 'base' | null;
  /** Name. */
  name?: string | null;
  /** Description. */
  description?: string | null;
  /** URL of the image. */
  image_url?: string | null;
  /** Name of the collection. */
  collection_name?: string | null;
  /** Its traits. The first 1,000 are kept. */
  attributes?: Array<{
    /** Name of the trait. */
    trait_type: string;
    /** Its value. */
    value: string | number | boolean;
  }> | null;
  /** Address or name of the creator. */
  creator?: string | null;
  /** Address of the contract. */
  contract_address?: string | null;
  /** Number of the token within the contract. */
  token_id?: string | null;
  /** Symbol. */
  symbol?: string | null;
  /** Decimal places of the smallest unit. */
  decimals?: number | null;
  /** Prices by marketplace. The first 1,000 are kept. */
  prices?: Array<{
    /** Identifier of the marketplace. */
    marketplace_id?: string | null;
    /** Its name. */
    marketplace_name?: string | null;
    /** The price in cents, rounded. */
    value_usd_cents?: number | null;
    /** The price in dollars. */
    value_usd_string?: string | null;
    /** The price in dollars with all its decimals. */
    value_usd_string_high_precision?: string | null;
    /** Tradable liquidity in dollars. */
    liquidity_usd_string?: string | null;
  }> | null;
  /** Number of wallets that hold it. */
  holder_count?: number | null;
  /** Total supply: an integer, as text if it has more than 15 digits. */
  supply?: string | number | null;
  /** Creation time, ISO 8601. */
  created_date?: string | null;
};

/** What changes. Other fields stay. */
export type ChangedExperiment = {
  /** Name for people, without control characters. */
  name?: string;
  /** `stopped`: all viewers get the feed unchanged, and the results no longer change. */
  status?: 'running' | 'stopped';
  /** New percents by the name of the variant. Variants that are left out keep theirs. */
  variants?: Array<{
    /** Name, unique in the experiment, without control characters. */
    name: string;
    /** Share of the viewers, percent. */
    percent: number;
  }>;
  /** True begins a new period with the current revisions of the feeds. Only while it runs. */
  repin?: boolean;
};

/** Fields in the body replace the saved ones; other fields stay. Fields that the service sets are ignored. */
export type ChangedFeed = {
  /** Id of the feed. Ids are never reused. */
  config_id: string;
  /** Name for people. Required when the feed is created. Form: a text of 1 to 256 characters. */
  name?: string;
  /** Description for people. Default empty. Form: a text of at most 10000 characters. */
  description?: string;
  /** Feed type: `feeds/for-you` (default), `feeds/trending` or `feeds/popular`. `casts/feed/…` means the same, and is returned as it was sent. */
  endpoint?: 'feeds/for-you' | 'feeds/trending' | 'feeds/popular' | 'casts/feed/for-you' | 'casts/feed/trending' | 'casts/feed/popular';
  /** An `inactive` feed is kept but cannot be requested. Default `active`. */
  status?: 'active' | 'inactive';
  /** Access of other accounts: none (`private`, the default), reading and building pages (`public`), or the same and the feed is listed for them (`template`). */
  visibility?: 'private' | 'public' | 'template';
  /** URL of a picture. Default empty. Form: a URL (https, http, ipfs) of at most 2048 characters. */
  feed_image_url?: string;
  /** A short name. Default null. Form: a text of at most 256 characters, or null. */
  short_name?: string | null;
  /** The parameters of its pages. Unused keys are kept unchanged and named in `warnings`. The schema depends on `endpoint`. */
  config?: ForYouConfig | TrendingConfig | PopularConfig;
};

/** What viewers were shown, as numbers. */
export type CommunityHealth = {
  /** The first day of the period in UTC. The last one is today. */
  from: string;
  /** When it was computed. Seconds since the Unix epoch. */
  computed_at: number;
  /** The logged pages that were read. Of a viewer, all that are logged in the period. */
  sample: {
    /** Pages that were read. */
    pages: number;
    /** Viewers of these pages. */
    viewers: number;
    /** The share of viewers whose logged pages were read; 1: all. Viewers are drawn at random. The log itself may hold a sample of the pages of busy hours. With a sample, coverage is too low. */
    viewers_share: number;
  };
  /** What there is to show now. */
  supply: {
    /** Items that may be shown. */
    items: number;
    /** Of these, items that were published in the period. */
    new_items: number;
    /** Authors of such an item of the last 30 days. */
    active_authors: number;
    /** The share of them that is by newcomers: authors whose oldest item is at most 30 days old, as far as their author is known. null: there are none. */
    newcomers_share: number | null;
    /** The share of them that is by small authors: those with at most the average number of followers, as far as their author is known. null: there are none. */
    small_authors_share: number | null;
  };
  /** Measures of all pages, then by feed, most pages first. */
  feeds: FeedExposure[];
};

/** A configured connector. */
export type Connector = {
  /** Id and label, as configured. */
  connector: string;
  /** `starting`: has stored nothing so far. `quiet`: the source was reached, and has sent nothing for a while. `stalled`: failed or did not reach the source, and is being retried. `ended`: the source has no more. */
  state: 'starting' | 'running' | 'quiet' | 'stalled' | 'ended' | 'stopped';
  /** Last stored cursor, in the form of the source. */
  cursor: string | null;
  /** Stored records per second over the last minute. */
  records_per_second: number;
  /** Records stored since the start. */
  records_count: number;
  /** Invalid records skipped since the start. */
  rejected_count: number;
  /** Retries since the start. */
  restarts_count: number;
  /** Reason of the last failure. Of URLs it has no more than the host. */
  last_error: string | null;
  /** Its time. */
  last_error_at: number | null;
  /** What needs attention while the connector runs on. */
  warnings: string[];
  /** When records or a cursor were last stored. */
  last_stored_at: number | null;
};

/** A one-time code. */
export type ConsoleCode = {
  /** The code from the link, `/console#code=<code>`. */
  code: string;
};

/** A bucket. */
export type CountsBucket = {
  /** Start of the bucket. Seconds since the Unix epoch. */
  at: number;
  /** Views in the bucket. */
  views: number;
  /** Likes in the bucket. */
  likes: number;
  /** Comments in the bucket. */
  comments: number;
  /** Shares in the bucket. */
  shares: number;
  /** The last totals that the source had sent by the end of the bucket. */
  source: {
    /** Likes. null: not counted by then. */
    likes_count: number | null;
    /** Comments. null: not counted by then. */
    comments_count: number | null;
    /** Shares. null: not counted by then. */
    shares_count: number | null;
  };
};

/** A feed that was deleted and can be restored. */
export type DeletedFeed = {
  /** Id of the feed. */
  config_id: string;
  /** Its name. */
  name: string;
  /** Its feed type. */
  endpoint: string;
  /** Its last revision before the deletion. */
  revision: number;
  /** Time of the deletion. Seconds since the Unix epoch. */
  deleted_at: number;
  /** Until then it can be restored. Seconds since the Unix epoch. */
  restorable_until: number;
};

/** What was done. */
export type Done = {
  /** The request was processed. */
  status: 'success';
  /** What was done. */
  message: string;
  /** Why there was nothing to delete, or why nothing was deleted. Absent if there are none. */
  warnings?: string[];
};

/** The event was recorded. */
export type EventAnswer = {
  /** The event is durable and in effect. */
  status: 'success';
  /** Describes the recorded event. */
  message: string;
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** An experiment. */
export type Experiment = {
  /** Id of the experiment. Ids are never reused. */
  experiment_id: string;
  /** Name for people, without control characters. */
  name: string;
  /** The saved feed whose viewers are split. */
  feed_id: string;
  /** `split`: each viewer gets one variant. `interleaving`: each page has items of both of two variants, and the acts on the items of each are compared, which needs far fewer viewers. */
  method: 'split' | 'interleaving';
  /** The variants, the control first. The percents sum to at most 100; all other viewers get the feed unchanged and are not counted. */
  variants: ExperimentVariant[];
  /** The main metric. Default `interactions`. `interactions`: likes, comments, shares and bookmarks per viewer; `interactions_per_impression`: the same per item seen; `next_day_return`: the share of viewers who were shown items on the day after their first one; `short_pages`: the share of pages that were shorter than requested; others: acts of this type per viewer. */
  metric: 'interactions' | 'interactions_per_impression' | 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'next_day_return' | 'hide' | 'report' | 'short_pages';
  /** An act on an item counts if it comes within this time after the item was shown. Default 24. */
  attribution_hours: number;
  /** `stopped`: all viewers get the feed unchanged, and the results no longer change. */
  status: 'running' | 'stopped';
  /** While it runs: the revisions that are served, by the id of the feed. Later changes of the feeds have no effect on it until `repin`. */
  pinned?: Record<string, number>;
  /** Number of the current period. `repin` begins a new one, with new results. */
  period: number;
  /** Start of the period. Seconds since the Unix epoch. */
  period_started_at: number;
  /** Revision number. It grows with each change. */
  revision: number;
  /** Time of creation. Seconds since the Unix epoch. */
  created_at: number;
  /** Time of the last change. Seconds since the Unix epoch. */
  updated_at: number;
};

/** How a variant differs from the control. Null: too little is known. */
export type ExperimentComparison = {
  /** A metric. `interactions`: likes, comments, shares and bookmarks per viewer; `interactions_per_impression`: the same per item seen; `next_day_return`: the share of viewers who were shown items on the day after their first one; `short_pages`: the share of pages that were shorter than requested; others: acts of this type per viewer. */
  metric: 'interactions' | 'interactions_per_impression' | 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'next_day_return' | 'hide' | 'report' | 'short_pages';
  /** The variant that is compared with the control. */
  variant: string;
  /** 0.05: the value is 5 % higher than that of the control. Of interleaved variants: the acts on items of the variant less those on items of the control, as a share of both: 0.1 if there are 55 and 45. */
  lift: number | null;
  /** Lower end of an interval of the lift that is valid at all looks together. */
  ci_low: number | null;
  /** Upper end. */
  ci_high: number | null;
  /** A p-value that is valid at every look. */
  p_value_sequential: number | null;
  /** Whether the difference is more than chance explains. */
  decided: boolean;
};

/** The value of a metric. Null: too little is known. */
export type ExperimentRate = {
  /** A metric. `interactions`: likes, comments, shares and bookmarks per viewer; `interactions_per_impression`: the same per item seen; `next_day_return`: the share of viewers who were shown items on the day after their first one; `short_pages`: the share of pages that were shorter than requested; others: acts of this type per viewer. */
  metric: 'interactions' | 'interactions_per_impression' | 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'next_day_return' | 'hide' | 'report' | 'short_pages';
  /** The value. */
  value: number | null;
  /** Lower end of its 95 % confidence interval. */
  ci_low: number | null;
  /** Upper end. */
  ci_high: number | null;
};

/** The results of a period. */
export type ExperimentResults = {
  /** Number of the period. */
  period: number;
  /** Start of the period. Seconds since the Unix epoch. */
  started_at: number;
  /** Its end. Absent while it lasts. Seconds since the Unix epoch. */
  ended_at?: number;
  /** A metric. `interactions`: likes, comments, shares and bookmarks per viewer; `interactions_per_impression`: the same per item seen; `next_day_return`: the share of viewers who were shown items on the day after their first one; `short_pages`: the share of pages that were shorter than requested; others: acts of this type per viewer. */
  metric: 'interactions' | 'interactions_per_impression' | 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'next_day_return' | 'hide' | 'report' | 'short_pages';
  /** Metrics that should not get worse. */
  guardrails: Array<'interactions' | 'interactions_per_impression' | 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'next_day_return' | 'hide' | 'report' | 'short_pages'>;
  /** The variants, the control first. */
  variants: ExperimentVariantResult[];
  /** Each other variant in each metric. After other percents, only viewers who had their variants for the same time are compared. */
  comparison: ExperimentComparison[];
  /** Whether the variants have as many viewers as their percents say, at the times when these were in force. Null for interleaved variants, which share their viewers. */
  sample_ratio: {
    /** Probability of counts at least as uneven by chance. */
    p_value: number | null;
    /** False: the variants must not be compared. */
    ok: boolean;
  } | null;
};

/** A variant. */
export type ExperimentVariant = {
  /** Name, unique in the experiment, without control characters. */
  name: string;
  /** The saved feed that these viewers get. It may be the feed of the experiment itself. */
  feed_id: string;
  /** Share of the viewers, percent. */
  percent: number;
};

/** What the viewers of a variant did. */
export type ExperimentVariantResult = {
  /** The variant. */
  name: string;
  /** Viewers with at least one item recorded as seen. Hidden users do not count. Interleaved variants have the same viewers and pages. */
  viewers: number;
  /** Items recorded as seen. Of interleaved variants: those that the variant chose. */
  impressions: number;
  /** Pages with items recorded as seen. */
  pages: number;
  /** Those of them that were shorter than requested. */
  short_pages: number;
  /** All metrics. Acts of interleaved variants count per page. */
  rates: ExperimentRate[];
  /** Time to build pages at the node that answers, since it started. Null: it has built none. Absent for ended periods. */
  latency?: {
    /** Pages built. */
    pages: number;
    /** Mean time, ms. */
    mean_ms: number;
  } | null;
};

/** An experiment with its results. */
export type ExperimentWithResults = {
  /** Id of the experiment. Ids are never reused. */
  experiment_id: string;
  /** Name for people, without control characters. */
  name: string;
  /** The saved feed whose viewers are split. */
  feed_id: string;
  /** `split`: each viewer gets one variant. `interleaving`: each page has items of both of two variants, and the acts on the items of each are compared, which needs far fewer viewers. */
  method: 'split' | 'interleaving';
  /** The variants, the control first. The percents sum to at most 100; all other viewers get the feed unchanged and are not counted. */
  variants: ExperimentVariant[];
  /** The main metric. Default `interactions`. `interactions`: likes, comments, shares and bookmarks per viewer; `interactions_per_impression`: the same per item seen; `next_day_return`: the share of viewers who were shown items on the day after their first one; `short_pages`: the share of pages that were shorter than requested; others: acts of this type per viewer. */
  metric: 'interactions' | 'interactions_per_impression' | 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'next_day_return' | 'hide' | 'report' | 'short_pages';
  /** An act on an item counts if it comes within this time after the item was shown. Default 24. */
  attribution_hours: number;
  /** `stopped`: all viewers get the feed unchanged, and the results no longer change. */
  status: 'running' | 'stopped';
  /** While it runs: the revisions that are served, by the id of the feed. Later changes of the feeds have no effect on it until `repin`. */
  pinned?: Record<string, number>;
  /** Number of the current period. `repin` begins a new one, with new results. */
  period: number;
  /** Start of the period. Seconds since the Unix epoch. */
  period_started_at: number;
  /** Revision number. It grows with each change. */
  revision: number;
  /** Time of creation. Seconds since the Unix epoch. */
  created_at: number;
  /** Time of the last change. Seconds since the Unix epoch. */
  updated_at: number;
  results: ExperimentResults;
  /** Earlier periods, oldest first, at most 10. */
  ended_periods: ExperimentResults[];
};

/** Where the item stands on the page, or why it is not there. */
export type ExplainAnswer = {
  /** The HTTP status. */
  status_code: 200;
  body: ExplainedItem;
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** Where an item stands on a page, or why it is not there. */
export type ExplainedItem = {
  /** Identifier of the item. */
  item_id: string;
  /** Whether the item is on the page. */
  shown: boolean;
  /** For an item on the page: its place, counted from the first page. Otherwise: its exact rank among all items that the feed may show. null: the feed may not show it. */
  rank: number | null;
  /** Origin of the item: `main:` and the feed, `cold_start:`, `fallback_main_<k>:`, `fallback_global:popular`, `promotion:`, or `seen:` for items that the viewer has seen before. null: it is not on the page. */
  source_feed: string | null;
  /** Label of the promotion. Only on promoted items. */
  promotion_name?: string;
  /** Score by the scoring function. null: the item has no content. */
  score: number | null;
  /** Score times all factors, such as time decay. The page is ordered by it. null: the item has no content. */
  adjusted_score: number | null;
  /** Total engagement e as e / (e + 20), 0 to 1. null: the item has no content. */
  popular_score: number | null;
  /** Expected engagement per hour r in the next hours as r / (r + 10), 0 to 1. null: the item has no content. */
  trending_score: number | null;
  /** Score from acts of followed users; 0 on trending and popular pages. null: the item has no content. */
  affinity_score: number | null;
  /** Score from users with similar taste; 0 on trending and popular pages. null: the item has no content. */
  interest_score: number | null;
  /** Why it is on the page, the strongest reason first. */
  reasons?: ItemReason[];
  explain: ItemExplanation;
  /** Whether the page comes from the cold-start feed. */
  cold_start: boolean;
  /** The rule that makes the viewer a cold-start viewer, with its numbers for keys of the account whose feed it is. null: the viewer is not one. */
  cold_start_reason: string | null;
  /** Share of the usual candidates that the page searched: less than 1 while the service is overloaded. */
  effort: 1 | 0.5 | 0.25;
  /** Why the item is not on the page. null: it is on the page. */
  dropped_by: {
    /** The first stage that dropped the item. */
    stage: 'candidates' | 'ranking' | 'visibility' | 'mixing';
    /** What dropped the item: a filter's key; a rule (`seen`, `interacted`, `hidden`, `blocked`, `muted`, `own_posts`, `social_proof`, or the id of a third-party rule); `cursor` if the item is on an earlier page; the scoring function if the item ranks too low; `diversity`; a promotion's strategy; `sources` if no candidate source proposed it; `deleted`, `not_described`, `moderated`, `too_old` or `dated_in_future` if no feed may show it. */
    plugin: string;
    /** For people. */
    reason: string;
  } | null;
};

/** A page. `trace` is present only if `explain` was requested. */
export type FeedAnswer = {
  /** The HTTP status. */
  status_code: 200;
  /** The items in display order. Empty if no items are left. */
  body: FeedItem[];
  /** Send it to `POST /v2/community/impressions` with the items that the viewer really saw. Valid for 24 hours, for the same viewer. Absent without a viewer, and in previews. */
  page_id?: string;
  /** Send it with the same request to get the next page. Absent if no items are left, after 1,000 items, and in previews. The last page may be empty. */
  cursor?: string;
  trace?: Trace;
  experiment?: AssignedVariant;
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** What a feed did on a day. */
export type FeedDay = {
  /** The day in UTC. */
  day: string;
  /** A saved feed of the account. null: everything else, which is pages without a saved feed, and feeds of other accounts or that were deleted. */
  feed_id: string | null;
  /** Pages that were shown to viewers. */
  pages: number;
  /** Items on these pages. */
  shown: number;
  /** Likes, comments, shares and bookmarks of items that the feed had shown to any viewer within the day before, as the last of all feeds. An act that is taken back later stays counted. */
  acts: number;
};

/** What a feed has shown. */
export type FeedExposure = {
  /** A saved feed of the account. null: all pages of all feeds. It comes first. */
  feed_id: string | null;
  /** In the whole period. */
  total: {
    /** Pages that were read. */
    pages: number;
    /** Viewers of these pages. */
    viewers: number;
    /** Items on these pages, each as often as it was shown. */
    shown: number;
    /** The share of shown items by newcomers. null: nothing was shown. */
    newcomers_share: number | null;
    /** The share of shown items by small authors. null: nothing was shown. */
    small_authors_share: number | null;
    /** How unevenly authors are shown: the Gini coefficient over active authors, and other authors who were shown. 0: all are shown equally often. Near 1: a few authors get nearly everything. null: nothing was shown. */
    exposure_gini: number | null;
    /** The share of items that may be shown which were shown at least once. null: there are none. */
    coverage: number | null;
    /** The same of items that were published in the period. null: there are none. */
    new_coverage: number | null;
    /** The share of shown items that the same viewer had been shown before. null: nothing was shown. */
    repetition: number | null;
    /** How different the pages of viewers are: the mean Jaccard distance between pages of two viewers of the same feed and day. 0: all are shown the same. 1: pages have nothing in common. null: no two viewers saw the same feed on a day. */
    distance: number | null;
  };
  /** On each day with pages, oldest first. Repetition counts within the day. */
  days: Array<{
    /** The day in UTC. */
    day: string;
    /** Pages that were read. */
    pages: number;
    /** Viewers of these pages. */
    viewers: number;
    /** Items on these pages, each as often as it was shown. */
    shown: number;
    /** The share of shown items by newcomers. null: nothing was shown. */
    newcomers_share: number | null;
    /** The share of shown items by small authors. null: nothing was shown. */
    small_authors_share: number | null;
    /** How unevenly authors are shown: the Gini coefficient over active authors, and other authors who were shown. 0: all are shown equally often. Near 1: a few authors get nearly everything. null: nothing was shown. */
    exposure_gini: number | null;
    /** The share of items that may be shown which were shown at least once. null: there are none. */
    coverage: number | null;
    /** The same of items that were published in the period. null: there are none. */
    new_coverage: number | null;
    /** The share of shown items that the same viewer had been shown before. null: nothing was shown. */
    repetition: number | null;
    /** How different the pages of viewers are: the mean Jaccard distance between pages of two viewers of the same feed and day. 0: all are shown the same. 1: pages have nothing in common. null: no two viewers saw the same feed on a day. */
    distance: number | null;
  }>;
};

/** An item of a page. `reasons`, `metadata` and `explain` are present only if requested. */
export type FeedItem = {
  /** Identifier of the item. */
  item_id: string;
  /** Origin of the item: `main:` and the feed, `cold_start:`, `fallback_main_<k>:`, `fallback_global:popular`, `promotion:`, or `seen:` for items that the viewer has seen before. */
  source_feed: string;
  /** Label of the promotion. Only on promoted items. */
  promotion_name?: string;
  /** The interleaved variant that chose the item. Only under such an experiment. */
  team?: string;
  /** Score by the scoring function. */
  score: number;
  /** Score times all factors, such as time decay. The page is ordered by it. */
  adjusted_score: number;
  /** Total engagement e as e / (e + 20), 0 to 1. */
  popular_score: number;
  /** Expected engagement per hour r in the next hours as r / (r + 10), 0 to 1. */
  trending_score: number;
  /** Score from acts of followed users; 0 on trending and popular pages. */
  affinity_score: number;
  /** Score from users with similar taste; 0 on trending and popular pages. */
  interest_score: number;
  /** The latest acts of up to three followed users, most recent first. */
  social_proof: Array<{
    /** Identifier of the followed user. */
    user_id: string;
    /** When. Seconds since the Unix epoch. */
    timestamp: number;
    /** Kind of act. */
    interaction: 'like' | 'comment' | 'share';
  }>;
  /** Numbers of followed users by act. */
  following_engagement: {
    /** Number of followed users who liked it. */
    like: number;
    /** Number of followed users who commented. */
    comment: number;
    /** Number of followed users who shared it. */
    share: number;
  };
  /** Length of the text, in characters. */
  text_length: number;
  /** Why it is on the page, the strongest reason first. */
  reasons?: ItemReason[];
  metadata?: ItemMetadata;
  explain?: ItemExplanation;
};

/** What went wrong (RFC 9457), with the fields that feed clients print. */
export type FeedProblem = {
  /** URN of the code. */
  type: string;
  /** The code in words. */
  title: string;
  /** The HTTP status. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 503 | 507;
  /** What is wrong and, for a value, what is allowed. */
  detail: string;
  /**
   * Stable error code.
   *
   * `malformed_json`: 400, Malformed JSON
   *
   * `invalid_value`: 400, Invalid value
   *
   * `request_too_costly`: 400, Request too costly
   *
   * `cursor_invalid`: 400, Invalid cursor
   *
   * `page_invalid`: 400, Invalid page id
   *
   * `unauthorized`: 401, Unauthorized
   *
   * `forbidden`: 403, Forbidden
   *
   * `quota_exceeded`: 403, Quota exceeded
   *
   * `not_found`: 404, Not found
   *
   * `method_not_allowed`: 405, Method not allowed
   *
   * `plugin_not_loaded`: 409, Plugin not loaded
   *
   * `feed_outdated`: 409, Feed outdated
   *
   * `not_empty`: 409, Not empty
   *
   * `rkey_taken`: 409, Record key taken
   *
   * `experiment_running`: 409, Experiment running
   *
   * `revision_mismatch`: 412, Another revision
   *
   * `body_too_large`: 413, Body too large
   *
   * `unsupported_media_type`: 415, Unsupported media type
   *
   * `rate_limited`: 429, Too many requests
   *
   * `internal`: 500, Internal error
   *
   * `plugin_failed`: 500, Plugin failed
   *
   * `overloaded`: 503, Overloaded
   *
   * `loading`: 503, Loading
   *
   * `write_queue_full`: 503, Write queue full
   *
   * `store_unavailable`: 503, Store unavailable
   *
   * `shutting_down`: 503, Shutting down
   *
   * `state_full`: 507, State full
   */
  code: 'malformed_json' | 'invalid_value' | 'request_too_costly' | 'cursor_invalid' | 'page_invalid' | 'unauthorized' | 'forbidden' | 'quota_exceeded' | 'not_found' | 'method_not_allowed' | 'plugin_not_loaded' | 'feed_outdated' | 'not_empty' | 'rkey_taken' | 'experiment_running' | 'revision_mismatch' | 'body_too_large' | 'unsupported_media_type' | 'rate_limited' | 'internal' | 'plugin_failed' | 'overloaded' | 'loading' | 'write_queue_full' | 'store_unavailable' | 'shutting_down' | 'state_full';
  /** Every fault. Only for validation errors. */
  errors?: Array<{
    /** JSON pointer (RFC 6901) to the wrong value; empty for the whole body. */
    path: string;
    /** What is allowed. */
    message: string;
  }>;
  /** Same as `status`. */
  status_code: number;
  /** Same as `detail`. */
  body: string;
};

/** A change of a feed. */
export type FeedRevision = {
  /** Revision of the feed after the change. */
  revision: number;
  /** Time of the change. Seconds since the Unix epoch. */
  at: number;
  /** Who made the change, as in the audit log: the id of a key, `FEEDLOOM_API_KEY`, or `cli:` and the operating system account that ran a command. `unknown` for a change from before revisions were kept. */
  actor: string;
  /** Name of that key. Absent if it has none. */
  key_name?: string;
};

/** Which items a feed contains. An item must match every filter; within one filter, any of its values. `null`, `""`, `[]` and `"none"` switch a filter off. Unknown names are refused. */
export type Filters = {
  /** Only content created since a moment, for example days_ago:7. Value: days_ago:<n>, hours_ago:<n>, seconds since the epoch, or an ISO 8601 time. */
  start_timestamp?: string | number;
  /** Only content created until a moment, for example hours_ago:1. Value: days_ago:<n>, hours_ago:<n>, seconds since the epoch, or an ISO 8601 time. */
  end_timestamp?: string | number;
  /** Only content from the given apps or clients. Value: a list of at most 10,000 app identifiers, as text or integers. */
  app_fids?: Array<string | number>;
  /** Only content from the given authors, from the users that a given user follows, or from a list of users. Value: one of four forms: a list of at most 100,000 author ids, each a text of 1 to 256 characters, or an integer up to 2^53-1; "following" (of the viewer); "following:<user_id>"; or, as a text, "list:<list_id>"; not mixed. */
  author_ids?: string | Array<string | number>;
  /** Drops content from the given authors, from the users that a given user follows, or from a list of users. Value: one of four forms: a list of at most 100,000 author ids, each a text of 1 to 256 characters, or an integer up to 2^53-1; "following" (of the viewer); "following:<user_id>"; or, as a text, "list:<list_id>"; not mixed. */
  remove_author_ids?: string | Array<string | number>;
  /** Only content from the given channels. Value: a list of at most 10,000 channel URLs. */
  channels?: string[];
  /** Only content tagged with the given labels. Value: a list of at most 1,000 labels, each "label" or {"label":"…","threshold":0..1}. */
  ai_labels?: Array<string | {
    /** a label of 1 to 64 characters */
    label: string;
    /** a number from 0 to 1 */
    threshold?: number;
  }>;
  /** Drops content tagged with the given labels. Value: a list of at most 1,000 labels, each "label" or {"label":"…","threshold":0..1}. */
  remove_ai_labels?: Array<string | {
    /** a label of 1 to 64 characters */
    label: string;
    /** a number from 0 to 1 */
    threshold?: number;
  }>;
  /** Only content that a labeler gave one of the given labels, or whose author has it. Value: a list of at most 1,000 labels, each "<labeler>/<value>" or "*\/<value>". */
  labeled?: string[];
  /** Drops content that a labeler gave one of the given labels, or whose author has it. Value: a list of at most 1,000 labels, each "<labeler>/<value>" or "*\/<value>". */
  remove_labeled?: string[];
  /** Only content of the given types, for example image, video, nft, music. Value: a list of at most 10,000 publication types. */
  publication_types?: string[];
  /** Only content with embeds from the given domains and their subdomains. Value: a list of at most 10,000 domains (example.com) or full http(s) URLs. */
  embed_domains?: string[];
  /** Only content in the given languages. Value: a list of at most 10,000 language tags such as en or pt-BR. */
  languages?: string[];
  /** Only content with at least one of the given words, phrases or hashtags, or with all of a list. Value: a list of at most 500 words, phrases, beginnings of words and hashtags, or lists of them. */
  words?: Array<string | string[]>;
  /** Drops content with at least one of the given words, phrases or hashtags, or with all of a list. Value: a list of at most 500 words, phrases, beginnings of words and hashtags, or lists of them. */
  remove_words?: Array<string | string[]>;
  /** Only content from near the given places. Value: a list of at most 1,000 places, each "<latitude>,<longitude>" in decimal degrees, within ±90 and ±180. */
  geo_locations?: string[];
  /** Drops content from near the given places. Value: a list of at most 1,000 places, each "<latitude>,<longitude>" in decimal degrees, within ±90 and ±180. */
  remove_geo_locations?: string[];
  /** Only content whose likes, comments and shares lie within bounds. Value: an object of min_ and max_ bounds of likes_count, comments_count and shares_count. */
  engagement?: {
    /** an integer of at least 0 */
    min_likes_count?: number;
    /** an integer of at least 0 */
    max_likes_count?: number;
    /** an integer of at least 0 */
    min_comments_count?: number;
    /** an integer of at least 0 */
    max_comments_count?: number;
    /** an integer of at least 0 */
    min_shares_count?: number;
    /** an integer of at least 0 */
    max_shares_count?: number;
  };
  /** Only replies to other items, or everything but replies. Value: only, or exclude. */
  replies?: 'only' | 'exclude';
  [plugin: PluginId]: unknown;
};

/** All follows of a user. */
export type FollowList = {
  /** The followed users; each counts once, and the user itself is left out with a warning. Empty: the user follows no users. */
  target_user_ids: Array<string | number>;
  /** Time of the list. Absent: now. Follows and unfollows with a later timestamp stay. */
  timestamp?: number | string | null;
};

/** `user_id` follows or unfollows `target_user_id`. */
export type FollowRecord = {
  /** The user who acts. */
  user_id: string | number;
  /** Another user. */
  target_user_id: string | number;
  /** Time of the act. Absent: now. */
  timestamp?: number | string | null;
  /** Absent: follow. */
  action?: 'follow' | 'unfollow' | null;
  /** Identifies the follow among those of `user_id`, so that it can be removed by this identifier alone. */
  event_id?: string | number | null;
};

/** Removes a follow by its `event_id` alone. If it was repeated with a later `event_id`, it stays. */
export type FollowRemoval = {
  /** The user who acts. */
  user_id: string | number;
  /** The `event_id` of the follow. */
  event_id: string | number;
  /** Removes it. */
  action: 'unfollow';
  /** Has no effect. */
  timestamp?: number | string | null;
};

/** The parameters of a for-you feed. Each applies unless the request sets it. */
export type ForYouConfig = {
  filters?: Filters;
  scoring?: ForYouScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 500. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
  /** Publishes the feed through the service's Bluesky feed generator, if its `visibility` is `public`. Only in saved feeds. */
  bluesky?: {
    /** Record key of the feed generator record. No two saved feeds may have the same. Form: 1 to 512 ASCII letters, digits and ._:~- (not . or ..). */
    rkey: string;
  };
};

/** A feed request, and the item to explain. */
export type ForYouQuestion = {
  /** The item. */
  item_id: string | number;
  /** The viewer. An unknown user is a viewer without history. Form: an identifier of 1 to 256 characters, or an integer up to 2^53-1. */
  user_id?: string | number;
  /** The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history. Form: an address of 1 to 256 characters. */
  wallet_address?: string;
  /** Id of a saved feed. Its settings apply where the request sets none. Form: the id of a saved feed of 1 to 256 characters. */
  feed_id?: string;
  /** Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded. Form: an integer from 0 to 2^53-1. */
  impression_count?: number;
  /** Whether `impression_count` records anything, and the page counts as shown when it is sent. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer. */
  mark_seen?: boolean;
  /** Number of the plain page, from 1. Default 1. Only for trending and popular. Form: an integer from 1 to 2^53-1. */
  page_number?: number;
  /** Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`. Form: the cursor of an earlier answer. */
  cursor?: string;
  /** Seed that makes every random choice repeatable. Default: a random seed. Form: an integer up to 2^53-1. */
  seed?: number;
  /** Whether to explain the score of each item and add a trace to the answer. Default false. */
  explain?: boolean;
  /** If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice. Form: a text of 1 to 64 characters. */
  request_id?: string;
  filters?: Filters;
  scoring?: ForYouScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 500. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
};

/** A for-you feed needs `user_id` or `wallet_address`. Unknown fields are ignored and named in `warnings`. The name of a filter outside of `filters` is refused. */
export type ForYouRequest = {
  /** The viewer. An unknown user is a viewer without history. Form: an identifier of 1 to 256 characters, or an integer up to 2^53-1. */
  user_id?: string | number;
  /** The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history. Form: an address of 1 to 256 characters. */
  wallet_address?: string;
  /** Id of a saved feed. Its settings apply where the request sets none. Form: the id of a saved feed of 1 to 256 characters. */
  feed_id?: string;
  /** Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded. Form: an integer from 0 to 2^53-1. */
  impression_count?: number;
  /** Whether `impression_count` records anything, and the page counts as shown when it is sent. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer. */
  mark_seen?: boolean;
  /** Number of the plain page, from 1. Default 1. Only for trending and popular. Form: an integer from 1 to 2^53-1. */
  page_number?: number;
  /** Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`. Form: the cursor of an earlier answer. */
  cursor?: string;
  /** Seed that makes every random choice repeatable. Default: a random seed. Form: an integer up to 2^53-1. */
  seed?: number;
  /** Whether to explain the score of each item and add a trace to the answer. Default false. */
  explain?: boolean;
  /** If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice. Form: a text of 1 to 64 characters. */
  request_id?: string;
  filters?: Filters;
  scoring?: ForYouScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 500. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
};

/**
 * Order of for-you feeds: the id of a scoring function, or an id with options. Default `all`.
 *
 * `balanced_feed_v0.0.1`: Momentum and interest, then affinity (the default of for-you feeds).
 *
 * `balanced_feed_interest_bias_v0.0.1`: Leans toward user interests.
 *
 * `balanced_feed_affinity_bias_v0.0.1`: Leans toward social-graph affinity.
 *
 * `user_affinity_all_following_v0.0.1`: Interactions from all followed users.
 *
 * `user_affinity_closest_following_v0.0.1`: Interactions from the closest connections.
 *
 * `user_interest_all_v0.0.1`: Long-term interaction history.
 *
 * `user_interest_recent_v0.0.1`: Recent behaviour-driven interests.
 *
 * `weighted_v0.0.1`: A weighted sum of signals that the options name.
 *
 * `learned_v0.0.1`: What shown pages taught: the default score and signals, weighted by what viewers acted on.
 *
 * `newest_v0.0.1`: The newest content first. The score is the time of an item, in seconds since 1970.
 */
export type ForYouScoring = 'all' | 'balanced_feed_v0.0.1' | 'balanced_feed_interest_bias_v0.0.1' | 'balanced_feed_affinity_bias_v0.0.1' | 'user_affinity_all_following_v0.0.1' | 'user_affinity_closest_following_v0.0.1' | 'user_interest_all_v0.0.1' | 'user_interest_recent_v0.0.1' | 'weighted_v0.0.1' | 'learned_v0.0.1' | 'newest_v0.0.1' | {
  /** Id of the scoring function. */
  name: 'balanced_feed_v0.0.1';
  /** Options of `balanced_feed_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'balanced_feed_interest_bias_v0.0.1';
  /** Options of `balanced_feed_interest_bias_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'balanced_feed_affinity_bias_v0.0.1';
  /** Options of `balanced_feed_affinity_bias_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'user_affinity_all_following_v0.0.1';
  /** Options of `user_affinity_all_following_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'user_affinity_closest_following_v0.0.1';
  /** Options of `user_affinity_closest_following_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'user_interest_all_v0.0.1';
  /** Options of `user_interest_all_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'user_interest_recent_v0.0.1';
  /** Options of `user_interest_recent_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'weighted_v0.0.1';
  /** Options of `weighted_v0.0.1`. */
  options?: {
    /** weights by signal, such as {"interest_all": 1}; name at least one signal */
    weights?: Record<string, number>;
  };
} | {
  /** Id of the scoring function. */
  name: 'learned_v0.0.1';
  /** Options of `learned_v0.0.1`. */
  options?: {
    /** names of at most 12 further signals to learn, such as ["interest_recent"] */
    signals?: string[];
  };
} | {
  /** Id of the scoring function. */
  name: 'newest_v0.0.1';
  /** Options of `newest_v0.0.1`. */
  options?: Record<string, never>;
} | PluginId | {
  name: PluginId;
  options?: unknown;
};

/** The number of accepted and rejected records. */
export type IngestAnswer = {
  /** At least one record was accepted, or none was sent. */
  status: 'success';
  /** Number of records that are durable and in effect. */
  accepted: number;
  /** Number of rejected records. */
  rejected_count: number;
  /** The first hundred rejected records. */
  rejected: Array<{
    /** Position of the record in the body, from 0. */
    index: number;
    /** What is wrong with the record. */
    detail: string;
  }>;
  /** Values that were ignored or dropped, and records that are probably mistakes. At most a hundred. Absent if there are none. */
  warnings?: string[];
  /** Present if nothing was stored: the request had `dry_run=true`. */
  dry_run?: true;
};

/** No record was accepted. The counts are present if the records could be parsed. */
export type IngestProblem = {
  /** URN of the code. */
  type: string;
  /** The code in words. */
  title: string;
  /** The HTTP status. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 503 | 507;
  /** What is wrong and, for a value, what is allowed. */
  detail: string;
  /**
   * Stable error code.
   *
   * `malformed_json`: 400, Malformed JSON
   *
   * `invalid_value`: 400, Invalid value
   *
   * `request_too_costly`: 400, Request too costly
   *
   * `cursor_invalid`: 400, Invalid cursor
   *
   * `page_invalid`: 400, Invalid page id
   *
   * `unauthorized`: 401, Unauthorized
   *
   * `forbidden`: 403, Forbidden
   *
   * `quota_exceeded`: 403, Quota exceeded
   *
   * `not_found`: 404, Not found
   *
   * `method_not_allowed`: 405, Method not allowed
   *
   * `plugin_not_loaded`: 409, Plugin not loaded
   *
   * `feed_outdated`: 409, Feed outdated
   *
   * `not_empty`: 409, Not empty
   *
   * `rkey_taken`: 409, Record key taken
   *
   * `experiment_running`: 409, Experiment running
   *
   * `revision_mismatch`: 412, Another revision
   *
   * `body_too_large`: 413, Body too large
   *
   * `unsupported_media_type`: 415, Unsupported media type
   *
   * `rate_limited`: 429, Too many requests
   *
   * `internal`: 500, Internal error
   *
   * `plugin_failed`: 500, Plugin failed
   *
   * `overloaded`: 503, Overloaded
   *
   * `loading`: 503, Loading
   *
   * `write_queue_full`: 503, Write queue full
   *
   * `store_unavailable`: 503, Store unavailable
   *
   * `shutting_down`: 503, Shutting down
   *
   * `state_full`: 507, State full
   */
  code: 'malformed_json' | 'invalid_value' | 'request_too_costly' | 'cursor_invalid' | 'page_invalid' | 'unauthorized' | 'forbidden' | 'quota_exceeded' | 'not_found' | 'method_not_allowed' | 'plugin_not_loaded' | 'feed_outdated' | 'not_empty' | 'rkey_taken' | 'experiment_running' | 'revision_mismatch' | 'body_too_large' | 'unsupported_media_type' | 'rate_limited' | 'internal' | 'plugin_failed' | 'overloaded' | 'loading' | 'write_queue_full' | 'store_unavailable' | 'shutting_down' | 'state_full';
  /** Every fault. Only for validation errors. */
  errors?: Array<{
    /** JSON pointer (RFC 6901) to the wrong value; empty for the whole body. */
    path: string;
    /** What is allowed. */
    message: string;
  }>;
  /** Number of records that are durable and in effect. */
  accepted?: number;
  /** Number of rejected records. */
  rejected_count?: number;
  /** The first hundred rejected records. */
  rejected?: Array<{
    /** Position of the record in the body, from 0. */
    index: number;
    /** What is wrong with the record. */
    detail: string;
  }>;
  /** Values that were ignored or dropped, and records that are probably mistakes. At most a hundred. Absent if there are none. */
  warnings?: string[];
  /** Present if nothing was stored: the request had `dry_run=true`. */
  dry_run?: true;
};

/** An interaction of a user with an item. */
export type InteractionRecord = {
  /** The user who acts. */
  user_id: string | number;
  /** The item. */
  item_id: string | number;
  /** Kind of interaction. */
  event_type: 'view' | 'like' | 'comment' | 'share' | 'bookmark' | 'hide' | 'report';
  /** Time of the act. Absent: now. */
  timestamp?: number | string | null;
  /** Absent: add. */
  action?: 'add' | 'remove' | null;
  /** For a like, share or bookmark: identifies it among those of `user_id`, so that it can be removed by this identifier alone. For a comment: distinguishes several comments of a user on an item. Comments without it are distinguished by timestamp. With neither, each is a new comment, and removing one needs one of the two. */
  event_id?: string | number | null;
};

/** Removes a like, share or bookmark by its `event_id` alone. If it was repeated with a later `event_id`, it stays. */
export type InteractionRemoval = {
  /** The user who acts. */
  user_id: string | number;
  /** The `event_id` of the like, share or bookmark. */
  event_id: string | number;
  /** Removes it. */
  action: 'remove';
  /** Has no effect. */
  timestamp?: number | string | null;
};

/** Interactions with an item over time. */
export type ItemCounts = {
  /** The item. */
  item_id: string;
  /** How often the item was shown to viewers since it was created, on all pages that count. Of very many pages, a sample is counted, and each page stands for several. */
  shown: number;
  /** Length of a bucket. */
  every_seconds: number;
  /** From here on all interactions are counted. Later than the first bucket only if the item has very many. Seconds since the Unix epoch. */
  complete_from: number;
  /** The buckets, oldest first. */
  buckets: CountsBucket[];
};

/** Why the item has its score. */
export type ItemExplanation = {
  /** Every signal that the scoring function read, 0 to 1. */
  signals: Record<string, number>;
  /** Parts that add up to the score: those that the scoring function names (none if it does not name them), and `exploration` for the bonus of an item that is tried out. Of a learnt score, such as by `learned_v0.0.1`, they add up to the logarithm of its odds, log(score / (1 - score)): `intercept`, `default` for the score of the default scoring function, and each signal that has a weight. */
  score_parts: Record<string, number>;
  /** What the score is multiplied by to get `adjusted_score`: `time_decay`, and `repeat_author_decay` for items of the author that the viewer was shown in the last 24 hours, if the feed has them; `more` (2) and `less` (0.5) for items that match these preferences of the viewer, otherwise 1. */
  factors: Record<string, number>;
  /** Sources that proposed the item: ids of candidate sources; `postings`, or a rule, for narrow feeds, which start from all their items; `tail` for the other items of the feed, usually in the order of a global ranking, or the name of that ranking; `exploration` for little-known items that are tried out; `promoted_items` for hand-picked items; `seen_before` for items that the viewer has seen before. */
  sources: string[];
};

/** Who acted on an item. */
export type ItemInteractions = {
  /** The item. */
  item_id: string;
  /** The interactions, the latest first. */
  interactions: Array<{
    /** The user. */
    user_id: string;
    /** What the user did. */
    event_type: 'view' | 'like' | 'comment' | 'share' | 'bookmark' | 'hide' | 'report';
    /** When. Seconds since the Unix epoch. */
    timestamp: number;
  }>;
  /** For earlier ones. Absent: there are none. */
  cursor?: string;
};

/** Metadata of an item. Every key but `text_format` is always present. */
export type ItemMetadata = {
  /** Text of the item; empty if there is none. */
  text: string;
  /** Present only if the text is HTML, which is returned unchanged. */
  text_format?: 'html';
  /** URLs of embedded links and media. */
  embed_items: string[];
  /** Time of publication. Seconds since the Unix epoch. */
  timestamp: number;
  /** Identifier of the first item of its thread. null: unknown. */
  root_parent_hash: string | null;
  /** Identifier of the item that it replies to. null: unknown. */
  parent_hash: string | null;
  /** The channel. null: unknown. */
  root_parent_url: string | null;
  /** Identifiers of mentioned users. */
  mentioned_profiles: string[];
  /** The item's labels with a score above the service's threshold, by category. */
  ai_labels: {
    /** Subjects of the item. */
    topics: string[];
    /** positive, neutral, negative. */
    sentiment: string[];
    /** For example joy, anger, trust. */
    emotion: string[];
    /** For example spam, violence, llm_generated. */
    moderation: string[];
    /** For example web3_nft, web3_defi. */
    web3_topics: string[];
    /** Labels without a known category. */
    other: string[];
  };
  /** App that it was posted with. null: unknown. */
  app_fid: string | null;
  /** "<latitude>,<longitude>" in degrees. null: unknown. */
  geo_location: string | null;
  /** Language tag. null: unknown. */
  language: string | null;
  /** Kinds of content. */
  publication_types: string[];
  /** Total number of likes. */
  likes_count: number;
  /** Total number of comments. */
  comments_count: number;
  /** Total number of shares. */
  shares_count: number;
  /** Author of the item. */
  author: {
    /** Identifier of the author. null: unknown. */
    user_id: string | null;
    /** Short name. null: unknown. */
    username: string | null;
    /** Display name. null: unknown. */
    display_name: string | null;
    /** URL of the profile picture. null: unknown. */
    pfp_url: string | null;
  };
  /** The item's own `metadata`. */
  custom: Record<string, unknown>;
};

/** Why the item is on the page. */
export type ItemReason = {
  /** Always `followed_author`. */
  type: 'followed_author';
  /** The author. */
  user_ids: string[];
} | {
  /** Always `followed_liked`. */
  type: 'followed_liked';
  /** The latest 3 of these users at most, as in `social_proof`. */
  user_ids: string[];
} | {
  /** Always `similar_taste`. */
  type: 'similar_taste';
} | {
  /** Always `trending`. */
  type: 'trending';
} | {
  /** Always `popular`. */
  type: 'popular';
} | {
  /** Always `new_here`. */
  type: 'new_here';
} | {
  /** Always `more_of`. */
  type: 'more_of';
} | {
  /** Always `promoted`. */
  type: 'promoted';
} | {
  /** Always `fallback`. */
  type: 'fallback';
} | {
  /** Always `seen_before`. */
  type: 'seen_before';
};

/** An item, or a change of one: given fields replace stored ones, others stay. `null` counts as not given. */
export type ItemRecord = {
  /** Identifier of the item. */
  item_id: string | number;
  /** Author of the item; required for a new item. `null`: not known, and a known author stays. */
  author_id?: string | number | null;
  /** Time of publication; required for a new item. */
  created_at?: number | string | null;
  /** Text of the item. Characters after the first 100,000 are dropped with a warning. */
  text?: string | null;
  /** Format of `text`. For HTML, the length, the language and plugins use the text without markup. Its links (`href`, and `src` of embeds, but not those of mentions, hashtags and emoji) become `embed_items` and `embed_domains` if these are not given. The text is stored and answered unchanged, so clients must sanitise it before they show it as HTML. Absent: plain, or as stored. */
  text_format?: 'plain' | 'html' | null;
  /** URLs of embedded content. Links longer than 4,096 characters, and links that are not http(s) URLs, are dropped with a warning. The first 1,000 are kept. */
  embed_items?: string[] | null;
  /** Domains of embedded content; a full URL is reduced to its host. Absent: taken from `embed_items`. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  embed_domains?: string[] | null;
  /** Channel of the item. An empty string removes a stored value. */
  channel?: string | null;
  /** An alias of `channel`; if both are given, they must be equal. */
  root_parent_url?: string | null;
  /** The item that it replies to. An empty string removes a stored value. */
  parent_item_id?: string | number | null;
  /** First item of its thread. An empty string removes a stored value. */
  root_item_id?: string | number | null;
  /** App with which it was posted. An empty string removes a stored value. */
  app_fid?: string | number | null;
  /** Language tag. Absent: detected from a text of at least 20 characters, one of `GET /api/languages`. An empty string removes a stored value. An unusable value is dropped with a warning. */
  language?: string | null;
  /** Kinds of content, such as image, video, nft, music; stored in lower case and in the singular. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  publication_types?: string[] | null;
  /** "<latitude>,<longitude>" in degrees. An empty string removes a stored value. An unusable value is dropped with a warning. */
  geo_location?: string | null;
  /** Labels with scores from 0 to 1: `{"gaming":0.93}`, `["gaming"]` (score 1), `{"topics":["gaming"]}`, or entries `{"label","score"}`. Scores outside are moved there, and unusable labels dropped, with a warning. */
  ai_labels?: Record<string, number | Array<string | {
    /** The label. */
    label: string;
    /** The score, from 0 to 1. */
    score: number;
  }> | null> | Array<string | {
    /** The label. */
    label: string;
    /** The score, from 0 to 1. */
    score: number;
  }> | null;
  /** Total likes according to the source. An unusable value is dropped with a warning. */
  likes_count?: number | null;
  /** Total comments according to the source. An unusable value is dropped with a warning. */
  comments_count?: number | null;
  /** Total shares according to the source. An unusable value is dropped with a warning. */
  shares_count?: number | null;
  /** Time of this version and of the counters; counters without it count as of now. Versions that are not newer than a deletion change nothing. */
  updated_at?: number | string | null;
  /** Hashtags, with or without `#`. Absent or empty: those in the text. Filters by words read them. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  tags?: string[] | null;
  /** Titles of the linked pages. Filters by words read them. Characters after the first 4,096 are dropped with a warning. The first 1,000 are kept. */
  link_titles?: string[] | null;
  /** Descriptions of images and videos. Filters by words read them. Characters after the first 4,096 are dropped with a warning. The first 1,000 are kept. */
  alt_texts?: string[] | null;
  /** Users that it mentions. The first 1,000 are kept. */
  mentioned_profiles?: Array<string | number> | null;
  /** The meaning of the item as a vector of any model: 16 to 1,024 numbers, or base64 of as many signed 8-bit integers, which is the form in answers. All items of a network have vectors of the same length. Numbers are scaled and rounded to 8 bits. An empty string removes a stored value. */
  embedding?: number[] | string | null;
  /** true hides the item from every feed, false shows it again. */
  hidden?: boolean | null;
  /** As `hidden`, for what the source says rather than a moderator. Either hides. */
  hidden_by_network?: boolean | null;
  /** Time of `hidden_by_network`; an older one than the known changes nothing. Absent: `updated_at`, else `created_at`. */
  hidden_by_network_at?: number | string | null;
  /** Hides and reports together that a moderator dismissed. The item leaves the list of reported items until it has more; 0 brings it back. */
  dismissed_reports_count?: number | null;
  /** Any object; returned as `custom`, readable by plugins. */
  metadata?: Record<string, unknown> | null;
  /** true: the version counts even if it is older than a deletion. It is not stored. */
  revive?: boolean | null;
};

/** `labeler_id` puts a label on an item or a user, or takes it back. Name one of `item_id` and `user_id`. A label of a user counts for all their items. */
export type LabelRecord = {
  /** The account that labels. */
  labeler_id: string | number;
  /** The labelled item. */
  item_id?: string | number | null;
  /** The labelled user. */
  user_id?: string | number | null;
  /** The label. */
  value: string;
  /** Absent: add. */
  action?: 'add' | 'remove' | null;
  /** When it was put or taken back. Absent: now. */
  timestamp?: number | string | null;
  /** When it ends. Absent: never. */
  expires_at?: number | string | null;
  /** true: as long as the label stands, the item, or the user with all items and acts, is hidden from everybody. */
  hides?: boolean | null;
};

/** A language that is detected. */
export type Language = {
  /** Primary language subtag that items get. */
  language: string;
  /** English name of the language. */
  name: string;
  /** Other subtags that match these items in the filter `languages`. */
  also: string[];
};

/** What a feed has learnt from its shown pages. */
export type Learning = {
  /** The feed. */
  feed_id: string;
  /** Its type. */
  feed_type: string;
  /** `frozen`: it keeps its weights. `fell_back`: all viewers get the default scoring function, because pages by the learnt weights had fewer acts. It stays so until it is reset. */
  status: 'learning' | 'frozen' | 'fell_back';
  /** When it fell back. Seconds since the Unix epoch. */
  fell_back_at?: number;
  /** Pages with several items and an act that it learnt from. */
  pages: number;
  /** Acts on pages that are compared. */
  acts: number;
  /** What is added to the terms of all items. */
  intercept: number;
  /** The weights of signals, and of `default`, the score of the default scoring function. */
  weights: Array<{
    /** The signal. */
    signal: string;
    /** What pages are ordered by: between the prior and what was learnt. */
    used: number;
    /** What the pages of this feed alone say. */
    learnt: number;
    /** What is used as long as the feed has no pages: learnt from all feeds of the type. */
    prior: number;
  }>;
  /** Pages of viewers who get the default scoring function, 5 % of all, since they are compared. */
  control: {
    /** Pages whose acts are counted. */
    pages: number;
    /** Items of a page that its viewer acted on, on average. null: no pages. */
    acts_per_page: number | null;
    /** The lower end of its 95 % interval. null: too few. */
    ci_low: number | null;
    /** The upper end. null: too few. */
    ci_high: number | null;
  };
  /** Pages of viewers who get the learnt order, since they are compared. */
  learned: {
    /** Pages whose acts are counted. */
    pages: number;
    /** Items of a page that its viewer acted on, on average. null: no pages. */
    acts_per_page: number | null;
    /** The lower end of its 95 % interval. null: too few. */
    ci_low: number | null;
    /** The upper end. null: too few. */
    ci_high: number | null;
  };
  /** The weights that were used, hourly while it learnt, for 90 days, oldest first. */
  history: Array<{
    /** The moment. Seconds since the Unix epoch. */
    at: number;
    /** Pages that it had learnt from. */
    pages: number;
    /** Weights by signal. */
    weights: Record<string, number>;
  }>;
};

/** What to do with what a feed has learnt. */
export type LearningChange = {
  /** The feed. */
  feed_id: string;
  /** `freeze` keeps the weights as they are, `thaw` lets it learn again, and `reset` forgets what this feed learnt, its comparison with the control, and that it fell back. */
  action: 'freeze' | 'thaw' | 'reset';
};

/** How many users a list got and lost. */
export type ListAnswer = {
  /** The list is durable and in effect. */
  status: 'success';
  /** Number of users that were added to the list. */
  added: number;
  /** Number of users that were removed from the list. */
  removed: number;
  /** Values that were ignored or dropped, and records that are probably mistakes. At most a hundred. Absent if there are none. */
  warnings?: string[];
  /** Present if nothing was stored: the request had `dry_run=true`. */
  dry_run?: true;
};

/** An item of a list. */
export type ListedItem = {
  /** The item. */
  item_id: string;
  /** Whether a moderator or the network hides the item or its author. */
  hidden: boolean;
  /** The stored item. null: it is not described, or was deleted. */
  item: StoredItem | null;
};

/** A user of a list. */
export type ListedUser = {
  /** Identifier of the user. */
  user_id: string;
  /** The username. */
  username?: string;
  /** The display name. */
  display_name?: string;
  /** URL of the profile picture. */
  pfp_url?: string;
  /** Whether a moderator or the network hides the user. */
  hidden: boolean;
  /** Whether the network does. Absent: it never said. */
  hidden_by_network?: boolean;
  /** Number of their items. */
  items_count: number;
  /** Number of users who follow them, without hidden users. */
  followers_count: number;
};

/** Lists of users. */
export type Lists = {
  /** By identifier. */
  lists: Array<{
    /** Identifier of the list. */
    list_id: string;
    /** For people. Absent without one. */
    name?: string;
    /** Number of its users. */
    size: number;
  }>;
};

/** Figures of one interval. */
export type MetricsPoint = {
  /** End of the interval, seconds since the epoch. */
  at: number;
  /** Pages built by feed type. */
  pages: {
    /** Pages built by feed type: `for-you`. */
    'for-you': number;
    /** Pages built by feed type: `trending`. */
    trending: number;
    /** Pages built by feed type: `popular`. */
    popular: number;
  };
  /** Pages with fewer items than asked for. */
  short_pages: number;
  /** Pages with items of a fallback feed. */
  fallback_pages: number;
  /** Pages of a cold start feed. */
  cold_start_pages: number;
  /** Half of the feed requests were answered within this time, exact to 1 %. null: none. */
  p50_ms: number | null;
  /** 99 % of the feed requests were answered within this time, exact to 1 %. null: none. */
  p99_ms: number | null;
  /** Requests answered with an error, by code. */
  errors: {
    /** Requests answered with an error, by code: `malformed_json`. */
    malformed_json?: number;
    /** Requests answered with an error, by code: `invalid_value`. */
    invalid_value?: number;
    /** Requests answered with an error, by code: `request_too_costly`. */
    request_too_costly?: number;
    /** Requests answered with an error, by code: `cursor_invalid`. */
    cursor_invalid?: number;
    /** Requests answered with an error, by code: `page_invalid`. */
    page_invalid?: number;
    /** Requests answered with an error, by code: `unauthorized`. */
    unauthorized?: number;
    /** Requests answered with an error, by code: `forbidden`. */
    forbidden?: number;
    /** Requests answered with an error, by code: `quota_exceeded`. */
    quota_exceeded?: number;
    /** Requests answered with an error, by code: `not_found`. */
    not_found?: number;
    /** Requests answered with an error, by code: `method_not_allowed`. */
    method_not_allowed?: number;
    /** Requests answered with an error, by code: `plugin_not_loaded`. */
    plugin_not_loaded?: number;
    /** Requests answered with an error, by code: `feed_outdated`. */
    feed_outdated?: number;
    /** Requests answered with an error, by code: `not_empty`. */
    not_empty?: number;
    /** Requests answered with an error, by code: `rkey_taken`. */
    rkey_taken?: number;
    /** Requests answered with an error, by code: `experiment_running`. */
    experiment_running?: number;
    /** Requests answered with an error, by code: `revision_mismatch`. */
    revision_mismatch?: number;
    /** Requests answered with an error, by code: `body_too_large`. */
    body_too_large?: number;
    /** Requests answered with an error, by code: `unsupported_media_type`. */
    unsupported_media_type?: number;
    /** Requests answered with an error, by code: `rate_limited`. */
    rate_limited?: number;
    /** Requests answered with an error, by code: `internal`. */
    internal?: number;
    /** Requests answered with an error, by code: `plugin_failed`. */
    plugin_failed?: number;
    /** Requests answered with an error, by code: `overloaded`. */
    overloaded?: number;
    /** Requests answered with an error, by code: `loading`. */
    loading?: number;
    /** Requests answered with an error, by code: `write_queue_full`. */
    write_queue_full?: number;
    /** Requests answered with an error, by code: `store_unavailable`. */
    store_unavailable?: number;
    /** Requests answered with an error, by code: `shutting_down`. */
    shutting_down?: number;
    /** Requests answered with an error, by code: `state_full`. */
    state_full?: number;
  };
  /** Records sent, accepted or not. */
  records_per_second: number;
  /** Mean time from the arrival of a request with records until its answer. null: none. */
  ingest_ms: number | null;
  /** Records that wait for the store at the end of the interval. */
  queued_records: number;
  /** Memory of the process at the end of the interval. */
  memory_bytes: number;
  /** Time spent in scoring functions and candidate sources. */
  plugin_ms: number;
};

/** The records to read. */
export type NamedRecords = {
  /** Identifiers of users. */
  users?: Array<string | number>;
  /** Identifiers of items. */
  items?: Array<string | number>;
};

/** A new experiment. It runs at once. */
export type NewExperiment = {
  /** Name for people, without control characters. */
  name: string;
  /** The saved feed whose viewers are split. */
  feed_id: string;
  /** Default `split`. `split`: each viewer gets one variant. `interleaving`: each page has items of both of two variants, and the acts on the items of each are compared, which needs far fewer viewers. */
  method?: 'split' | 'interleaving';
  /** The variants, the control first. The percents sum to at most 100; all other viewers get the feed unchanged and are not counted. */
  variants: NewExperimentVariant[];
  /** The main metric. Default `interactions`. `interactions`: likes, comments, shares and bookmarks per viewer; `interactions_per_impression`: the same per item seen; `next_day_return`: the share of viewers who were shown items on the day after their first one; `short_pages`: the share of pages that were shorter than requested; others: acts of this type per viewer. */
  metric?: 'interactions' | 'interactions_per_impression' | 'like' | 'comment' | 'share' | 'bookmark' | 'view' | 'next_day_return' | 'hide' | 'report' | 'short_pages';
  /** An act on an item counts if it comes within this time after the item was shown. Default 24. */
  attribution_hours?: number;
};

/** A variant. */
export type NewExperimentVariant = {
  /** Name, unique in the experiment, without control characters. */
  name: string;
  /** The saved feed that these viewers get. It may be the feed of the experiment itself. */
  feed_id: string;
  /** Share of the viewers, percent. Interleaved variants have the same one, or none for all viewers. */
  percent?: number;
};

/** A new feed. */
export type NewFeed = {
  /** Name for people. Required when the feed is created. Form: a text of 1 to 256 characters. */
  name: string;
  /** Description for people. Default empty. Form: a text of at most 10000 characters. */
  description?: string;
  /** Feed type: `feeds/for-you` (default), `feeds/trending` or `feeds/popular`. `casts/feed/…` means the same, and is returned as it was sent. */
  endpoint?: 'feeds/for-you' | 'feeds/trending' | 'feeds/popular' | 'casts/feed/for-you' | 'casts/feed/trending' | 'casts/feed/popular';
  /** An `inactive` feed is kept but cannot be requested. Default `active`. */
  status?: 'active' | 'inactive';
  /** Access of other accounts: none (`private`, the default), reading and building pages (`public`), or the same and the feed is listed for them (`template`). */
  visibility?: 'private' | 'public' | 'template';
  /** URL of a picture. Default empty. Form: a URL (https, http, ipfs) of at most 2048 characters. */
  feed_image_url?: string;
  /** A short name. Default null. Form: a text of at most 256 characters, or null. */
  short_name?: string | null;
  /** The parameters of its pages. Unused keys are kept unchanged and named in `warnings`. The schema depends on `endpoint`. */
  config?: ForYouConfig | TrendingConfig | PopularConfig;
};

/** The viewer and the lifetime. */
export type NewViewerToken = {
  /** The viewer whose feeds the token reads. */
  user_id: string | number;
  /** Lifetime of the token, seconds. */
  ttl_seconds: number;
  /** What the token may change of its viewer. The key needs the scope `ingest:write` then. Absent: nothing. */
  may?: 'preferences'[] | null;
};

/** Metadata of an NFT; unknown fields are null. */
export type NftMetadata = {
  /** Name. */
  name: string | null;
  /** Description. */
  description: string | null;
  /** URL of the image. */
  image_url: string | null;
  /** Name of the collection. */
  collection_name: string | null;
  /** Its traits. The first 1,000 are kept. */
  attributes: Array<{
    /** Name of the trait. */
    trait_type: string;
    /** Its value. */
    value: string | number | boolean;
  }> | null;
  /** Address or name of the creator. */
  creator: string | null;
  /** The chain. */
  chain: string | null;
  /** Address of the contract. */
  contract_address: string | null;
  /** Number of the token within the contract. */
  token_id: string | null;
};

/** A process that serves the data. */
export type Node = {
  /** Drawn at each start. Null without a cluster. */
  node_id: string | null;
  /** Where the other nodes reach it. Null without a cluster, and for keys without `config:write`. */
  url: string | null;
  /** `leader` if it stores changes itself. */
  role: 'leader' | 'follower';
  /** Its version. */
  release: string;
  /** The last stored change that its pages reflect. */
  applied_seq: number;
  /** Changes by which it is behind the node that has most. Up to two seconds old. */
  lag_changes: number;
  /** Seconds since it was seen. */
  silent_seconds: number;
};

/** Users, with reasons. */
export type PeopleAnswer = {
  /** Always 200. */
  status_code: 200;
  /** The users, best first. Users without a visible item and a public act in the last 90 days are left out. */
  body: Array<{
    /** The user. */
    user_id: string;
    /** From 0 to 1, higher is better. */
    score: number;
    /** Why, the strongest kind of evidence first. */
    reasons: PeopleReason[];
    /** Only with `return_metadata`. */
    metadata?: {
      /** Username, or `""`. */
      username: string;
      /** Name, or `""`. */
      display_name: string;
      /** Address of the picture, or `""`. */
      pfp_url: string;
    };
    /** Only with `explain`. */
    explain?: {
      /** The signals, each from 0 to 1. */
      signals: {
        /** Common follows or followers. */
        follows: number;
        /** Acts on the same items. */
        acts: number;
        /** Acts of the viewer on their items. */
        author: number;
        /** 1 if they follow the viewer. */
        follows_back: number;
        /** Common channels and labels. */
        taste: number;
        /** Share of all users who follow them. */
        popularity: number;
      };
    };
  }>;
  /** Send it in the next request to get further users. Absent: there are no more. */
  cursor?: string;
  /** Only with `explain`. */
  trace?: {
    /** The candidates. */
    candidates: {
      /** Number of users who were scored. */
      scored: number;
    };
  };
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** Why the user is in the answer. */
export type PeopleReason = {
  /** Always `followed_by`. */
  type: 'followed_by';
  /** Up to 3 of these users. */
  user_ids: string[];
  /** Number of these users. A lower bound where there are very many. */
  count: number;
} | {
  /** Always `also_followed`. */
  type: 'also_followed';
  /** Number of common followers. A lower bound where there are very many. */
  count: number;
} | {
  /** Always `liked_same`. */
  type: 'liked_same';
  /** Up to 3 of the items. */
  item_ids: string[];
  /** Number of these items. A lower bound where there are very many. */
  count: number;
} | {
  /** Always `author_of_liked`. */
  type: 'author_of_liked';
  /** Up to 3 of the items. */
  item_ids: string[];
  /** Number of these items. A lower bound where there are very many. */
  count: number;
} | {
  /** Always `follows_you`. */
  type: 'follows_you';
} | {
  /** Always `similar_taste`. */
  type: 'similar_taste';
} | {
  /** Always `popular`. */
  type: 'popular';
  /** Number of their followers. */
  count: number;
};

/** A request for users to follow. */
export type PeopleRequest = {
  /** The viewer. */
  user_id?: string | number;
  /** The viewer, by an address in their profile. Ignored with `user_id`. */
  wallet_address?: string;
  /** Maximum number of users. */
  top_k?: number;
  /** Users who must not be in the answer. */
  exclude_user_ids?: Array<string | number>;
  /** The cursor of the last answer. The next page has none of the users of earlier ones. */
  cursor?: string;
  /** Another seed reads other follows of a viewer who follows very many users. Default 0. */
  seed?: number;
  /** Adds names and pictures. Default false. */
  return_metadata?: boolean;
  /** Adds the signals of each score. Default false. */
  explain?: boolean;
  /** `strong`: the answer reflects every acknowledged write. `eventual`: it may lag on a node that follows. Default: the setting of the service. */
  consistency?: 'strong' | 'eventual';
  /** Accepted as in feed requests. Nothing is recorded, so a request can be repeated anyway. */
  request_id?: string;
};

/** The data about a person, one object per line. `kind` is the type of the line. */
export type PersonLine = {
  /** Type of the line. */
  kind: 'profile';
  /** Identifier of the user. */
  user_id: string;
  /** Short name. An empty string removes a stored value. Characters after the first 256 are dropped with a warning. */
  username?: string | null;
  /** Name for display. An empty string removes a stored value. Characters after the first 256 are dropped with a warning. */
  display_name?: string | null;
  /** URL of the profile picture. An empty string removes a stored value. Links longer than 4,096 characters, and links that are not http(s) URLs, are dropped with a warning. */
  pfp_url?: string | null;
  /** "<latitude>,<longitude>" in degrees. An empty string removes a stored value. An unusable value is dropped with a warning. */
  geo_location?: string | null;
  /** Wallets of the user; compared in lower case. The first 1,000 are kept. */
  wallet_addresses?: string[] | null;
  /** Time when the user joined. Seconds since the Unix epoch. */
  created_at?: number;
  /** true hides all items of the user from every feed and ignores the interactions of the user; false restores both. */
  hidden?: boolean | null;
  /** As `hidden`, for what the source says rather than a moderator. Either hides. */
  hidden_by_network?: boolean | null;
  /** Any object; readable by plugins. */
  metadata?: Record<string, unknown> | null;
  /** Time of the version, if it was sent. Seconds since the Unix epoch. */
  updated_at?: number;
} | {
  /** Type of the line. */
  kind: 'preferences';
  /** What is never shown to the viewer. */
  muted?: {
    /** Words, phrases, beginnings of words, hashtags. */
    words?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** Users whose items are not shown. */
    authors?: Array<string | number | {
      /** As without a time. */
      value: string | number;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** Channels. */
    channels?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** AI labels. One counts with a score above the threshold of the service. */
    labels?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
  } | null;
  /** Of what the viewer wants more. */
  more?: Array<{
    /** What the value names. */
    kind: 'author' | 'channel' | 'label' | 'word';
    /** A value as filters take it. */
    value: string | number | string;
    /** From then on the entry has no effect. Absent: forever. */
    until?: number | string | null;
  }> | null;
  /** Of what the viewer wants less. */
  less?: Array<{
    /** What the value names. */
    kind: 'author' | 'channel' | 'label' | 'word';
    /** A value as filters take it. */
    value: string | number | string;
    /** From then on the entry has no effect. Absent: forever. */
    until?: number | string | null;
  }> | null;
  /** Whether pages use what the viewer did. Absent: true. */
  personalised?: boolean | null;
} | {
  /** Type of the line. */
  kind: 'follow';
  /** Whom. */
  target_user_id: string;
  /** Since when. Seconds since the Unix epoch. */
  timestamp: number;
  /** Whether they still follow the user. */
  action: 'unfollow' | 'follow';
} | {
  /** Type of the line. */
  kind: 'follower';
  /** Who. */
  user_id: string;
  /** Since when. Seconds since the Unix epoch. */
  timestamp: number;
} | {
  /** Type of the line. */
  kind: 'block';
  /** Identifier of the other user. */
  target_user_id: string;
  /** Whether they still block the user. */
  action: 'unblock' | 'block';
  /** Since when. Seconds since the Unix epoch. */
  timestamp: number;
} | {
  /** Type of the line. */
  kind: 'item';
  /** Identifier of the item. */
  item_id: string;
  /** Time of publication. Seconds since the Unix epoch. */
  created_at: number;
  /** Text of the item. Characters after the first 100,000 are dropped with a warning. */
  text?: string | null;
  /** Format of `text`. For HTML, the length, the language and plugins use the text without markup. Its links (`href`, and `src` of embeds, but not those of mentions, hashtags and emoji) become `embed_items` and `embed_domains` if these are not given. The text is stored and answered unchanged, so clients must sanitise it before they show it as HTML. Absent: plain, or as stored. */
  text_format?: 'plain' | 'html' | null;
  /** URLs of embedded content. Links longer than 4,096 characters, and links that are not http(s) URLs, are dropped with a warning. The first 1,000 are kept. */
  embed_items?: string[] | null;
  /** Domains of embedded content; a full URL is reduced to its host. Absent: taken from `embed_items`. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  embed_domains?: string[] | null;
  /** Channel of the item. An empty string removes a stored value. */
  channel?: string | null;
  /** The item that it replies to. An empty string removes a stored value. */
  parent_item_id?: string | number | null;
  /** First item of its thread. An empty string removes a stored value. */
  root_item_id?: string | number | null;
  /** App with which it was posted. An empty string removes a stored value. */
  app_fid?: string | number | null;
  /** Language tag. Absent: detected from a text of at least 20 characters, one of `GET /api/languages`. An empty string removes a stored value. An unusable value is dropped with a warning. */
  language?: string | null;
  /** Kinds of content, such as image, video, nft, music; stored in lower case and in the singular. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  publication_types?: string[] | null;
  /** "<latitude>,<longitude>" in degrees. An empty string removes a stored value. An unusable value is dropped with a warning. */
  geo_location?: string | null;
  /** Scores by label. */
  ai_labels?: Record<string, number>;
  /** Total number of likes. */
  likes_count: number;
  /** Total number of comments. */
  comments_count: number;
  /** Total number of shares. */
  shares_count: number;
  /** Hashtags, with or without `#`. Absent or empty: those in the text. Filters by words read them. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  tags?: string[] | null;
  /** Titles of the linked pages. Filters by words read them. Characters after the first 4,096 are dropped with a warning. The first 1,000 are kept. */
  link_titles?: string[] | null;
  /** Descriptions of images and videos. Filters by words read them. Characters after the first 4,096 are dropped with a warning. The first 1,000 are kept. */
  alt_texts?: string[] | null;
  /** Users that it mentions. The first 1,000 are kept. */
  mentioned_profiles?: Array<string | number> | null;
  /** The meaning of the item as a vector of any model: 16 to 1,024 numbers, or base64 of as many signed 8-bit integers, which is the form in answers. All items of a network have vectors of the same length. Numbers are scaled and rounded to 8 bits. An empty string removes a stored value. */
  embedding?: number[] | string | null;
  /** true hides the item from every feed, false shows it again. */
  hidden?: boolean | null;
  /** As `hidden`, for what the source says rather than a moderator. Either hides. */
  hidden_by_network?: boolean | null;
  /** Hides and reports together that a moderator dismissed. The item leaves the list of reported items until it has more; 0 brings it back. */
  dismissed_reports_count?: number | null;
  /** Any object; returned as `custom`, readable by plugins. */
  metadata?: Record<string, unknown> | null;
  /** Time of the version, if it was sent. Seconds since the Unix epoch. */
  updated_at?: number;
} | {
  /** Type of the line. */
  kind: 'interaction';
  /** The item. */
  item_id: string;
  /** Type of the act. */
  event_type: 'view' | 'like' | 'comment' | 'share' | 'bookmark' | 'hide' | 'report';
  /** Whether the act was added or taken back. */
  action: 'remove' | 'add';
  /** When. Seconds since the Unix epoch. */
  timestamp: number;
  /** Distinguishes comments. */
  event_id?: string;
} | {
  /** Type of the line. */
  kind: 'label';
  /** The account that labels. */
  labeler_user_id?: string;
  /** The labelled item. */
  item_id?: string;
  /** The labelled user. */
  user_id?: string;
  /** The label. */
  value: string;
  /** Whether it was put or taken back. */
  action: 'remove' | 'add';
  /** Whether it hides the item or the user from everybody. */
  hides: 'shows' | 'hides';
  /** When. Seconds since the Unix epoch. */
  timestamp: number;
  /** When it ends. Absent: never. Seconds since the Unix epoch. */
  expires_at?: number;
} | {
  /** Type of the line. */
  kind: 'user_list';
  /** Identifier of the list. */
  list_id: string;
  /** Name of the list. */
  name?: string;
  /** Whether the list exists since then. */
  action: 'delete' | 'put';
  /** Users that were added. */
  added_user_ids: string[];
  /** Users that were removed. */
  removed_user_ids: string[];
} | {
  /** Type of the line. */
  kind: 'event';
  /** Identifier of the followed, blocked or listed user. */
  target_user_id?: string;
  /** Identifier of the item. Absent for follows and blocks. */
  item_id?: string;
  /** Type of the act on the item. */
  event_type?: 'view' | 'like' | 'comment' | 'share' | 'bookmark' | 'hide' | 'report';
  /** Whether the event added the act or took it back. */
  action: 'remove' | 'add';
  /** When. Seconds since the Unix epoch. */
  timestamp: number;
  /** The event. */
  event_id: string;
  /** The list, of a member. */
  list_id?: string;
} | {
  /** Type of the line. */
  kind: 'impression';
  /** The item. */
  item_id: string;
  /** When they last saw it; if that is more than 48 hours ago, when they got the last page of that day (UTC). Seconds since the Unix epoch. */
  timestamp: number;
  /** The variant of an experiment that decided the page, if it is not older than 48 hours, in the current or last period of the experiment. */
  experiment?: {
    /** Id of the experiment. */
    id: string;
    /** Name of the variant. Absent if variants are interleaved. */
    variant?: string;
  };
} | {
  /** Type of the line. */
  kind: 'shown';
  /** When. Seconds since the Unix epoch. */
  timestamp: number;
  /** Type of the feed. */
  feed_type: 'for-you' | 'trending' | 'popular';
  /** The saved feed. */
  feed_id?: string;
  /** The items in display order. */
  item_ids: string[];
} | {
  /** Type of the line. */
  kind: 'end';
  /** Number of lines, including this one. */
  lines: number;
};

/** A loaded extension. */
export type Plugin = {
  /** Name of the extension in requests. */
  id: string;
  /** Kind of extension. */
  kind: 'filters' | 'scoring_functions' | 'visibility_rules' | 'signals' | 'promotion_strategies' | 'integrations';
  /** One sentence. */
  summary: string;
  /** JSON Schema of the options. */
  options: Record<string, unknown>;
  /** `built-in` if it is part of the service. */
  source: 'built-in' | 'external';
  /** Name in explanations and metrics of a signal that proposes candidates. */
  proposes_as?: string;
};

/** What a plugin has cost since the start of the process. */
export type PluginCost = {
  /** Feeds of items, or of tokens and NFTs. */
  community: 'content' | 'wallets';
  /** Kind of extension, or `candidate_sources` for the signals that propose candidates. */
  kind: 'scoring_functions' | 'candidate_sources' | 'filters' | 'visibility_rules' | 'promotion_strategies';
  /** Name of the extension in requests, or of the source in explanations. */
  id: string;
  /** Number of pages that used it. */
  pages: number;
  /** Time spent in it, with the calls that it makes. null: not measured, because it runs once per item. */
  milliseconds: number | null;
};

/** The parameters of a popular feed. Each applies unless the request sets it. */
export type PopularConfig = {
  filters?: Filters;
  scoring?: PopularScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 1000. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
  /** Publishes the feed through the service's Bluesky feed generator, if its `visibility` is `public`. Only in saved feeds. */
  bluesky?: {
    /** Record key of the feed generator record. No two saved feeds may have the same. Form: 1 to 512 ASCII letters, digits and ._:~- (not . or ..). */
    rkey: string;
  };
};

/** A feed request, and the item to explain. */
export type PopularQuestion = {
  /** The item. */
  item_id: string | number;
  /** The viewer. An unknown user is a viewer without history. Form: an identifier of 1 to 256 characters, or an integer up to 2^53-1. */
  user_id?: string | number;
  /** The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history. Form: an address of 1 to 256 characters. */
  wallet_address?: string;
  /** Id of a saved feed. Its settings apply where the request sets none. Form: the id of a saved feed of 1 to 256 characters. */
  feed_id?: string;
  /** Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded. Form: an integer from 0 to 2^53-1. */
  impression_count?: number;
  /** Whether `impression_count` records anything, and the page counts as shown when it is sent. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer. */
  mark_seen?: boolean;
  /** Number of the plain page, from 1. Default 1. Only for trending and popular. Form: an integer from 1 to 2^53-1. */
  page_number?: number;
  /** Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`. Form: the cursor of an earlier answer. */
  cursor?: string;
  /** Seed that makes every random choice repeatable. Default: a random seed. Form: an integer up to 2^53-1. */
  seed?: number;
  /** Whether to explain the score of each item and add a trace to the answer. Default false. */
  explain?: boolean;
  /** If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice. Form: a text of 1 to 64 characters. */
  request_id?: string;
  filters?: Filters;
  scoring?: PopularScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 1000. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
};

/** All fields are optional. Unknown fields are ignored and named in `warnings`. The name of a filter outside of `filters` is refused. */
export type PopularRequest = {
  /** The viewer. An unknown user is a viewer without history. Form: an identifier of 1 to 256 characters, or an integer up to 2^53-1. */
  user_id?: string | number;
  /** The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history. Form: an address of 1 to 256 characters. */
  wallet_address?: string;
  /** Id of a saved feed. Its settings apply where the request sets none. Form: the id of a saved feed of 1 to 256 characters. */
  feed_id?: string;
  /** Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded. Form: an integer from 0 to 2^53-1. */
  impression_count?: number;
  /** Whether `impression_count` records anything, and the page counts as shown when it is sent. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer. */
  mark_seen?: boolean;
  /** Number of the plain page, from 1. Default 1. Only for trending and popular. Form: an integer from 1 to 2^53-1. */
  page_number?: number;
  /** Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`. Form: the cursor of an earlier answer. */
  cursor?: string;
  /** Seed that makes every random choice repeatable. Default: a random seed. Form: an integer up to 2^53-1. */
  seed?: number;
  /** Whether to explain the score of each item and add a trace to the answer. Default false. */
  explain?: boolean;
  /** If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice. Form: a text of 1 to 64 characters. */
  request_id?: string;
  filters?: Filters;
  scoring?: PopularScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 1000. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
};

/**
 * Order of popular feeds: the id of a scoring function, or an id with options. Default `all`.
 *
 * `weighted_v0.0.1`: A weighted sum of signals that the options name.
 *
 * `popular_v0.0.1`: Content with the most engagement of all time (the default of popular feeds).
 *
 * `newest_v0.0.1`: The newest content first. The score is the time of an item, in seconds since 1970.
 *
 * `1day`: Content with the most engagement of the last day.
 *
 * `7day`: Content with the most engagement of the last 7 days.
 *
 * `30day`: Content with the most engagement of the last 30 days.
 */
export type PopularScoring = 'all' | 'weighted_v0.0.1' | 'popular_v0.0.1' | 'newest_v0.0.1' | '1day' | '7day' | '30day' | {
  /** Id of the scoring function. */
  name: 'weighted_v0.0.1';
  /** Options of `weighted_v0.0.1`. */
  options?: {
    /** weights by signal, such as {"interest_all": 1}; name at least one signal */
    weights?: Record<string, number>;
  };
} | {
  /** Id of the scoring function. */
  name: 'popular_v0.0.1';
  /** Options of `popular_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'newest_v0.0.1';
  /** Options of `newest_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: '1day';
  /** Options of `1day`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: '7day';
  /** Options of `7day`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: '30day';
  /** Options of `30day`. */
  options?: Record<string, never>;
} | PluginId | {
  name: PluginId;
  options?: unknown;
};

/** What a viewer wants to get, and what not. Up to 200 entries, 16 kB. */
export type Preferences = {
  /** What is never shown to the viewer. */
  muted?: {
    /** Words, phrases, beginnings of words, hashtags. */
    words?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** Users whose items are not shown. */
    authors?: Array<string | number | {
      /** As without a time. */
      value: string | number;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** Channels. */
    channels?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** AI labels. One counts with a score above the threshold of the service. */
    labels?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
  } | null;
  /** Of what the viewer wants more. */
  more?: Array<{
    /** What the value names. */
    kind: 'author' | 'channel' | 'label' | 'word';
    /** A value as filters take it. */
    value: string | number | string;
    /** From then on the entry has no effect. Absent: forever. */
    until?: number | string | null;
  }> | null;
  /** Of what the viewer wants less. */
  less?: Array<{
    /** What the value names. */
    kind: 'author' | 'channel' | 'label' | 'word';
    /** A value as filters take it. */
    value: string | number | string;
    /** From then on the entry has no effect. Absent: forever. */
    until?: number | string | null;
  }> | null;
  /** Whether pages use what the viewer did. Absent: true. */
  personalised?: boolean | null;
};

/** The complete preferences after a change. */
export type PreferencesAnswer = {
  /** The preferences are durable and in effect. */
  status: 'success';
  preferences: StoredPreferences;
  /** Values that were ignored or dropped, and records that are probably mistakes. At most a hundred. Absent if there are none. */
  warnings?: string[];
  /** Present if nothing was stored: the request had `dry_run=true`. */
  dry_run?: true;
};

/** A feed in the form in which it would be saved, and the viewer. A for-you feed needs `user_id` or `wallet_address`. */
export type Preview = {
  /** Feed type: `feeds/for-you` (default), `feeds/trending` or `feeds/popular`. `casts/feed/…` means the same, and is returned as it was sent. */
  endpoint?: 'feeds/for-you' | 'feeds/trending' | 'feeds/popular' | 'casts/feed/for-you' | 'casts/feed/trending' | 'casts/feed/popular';
  /** The parameters of its pages. Unused keys are kept unchanged and named in `warnings`. The schema depends on `endpoint`. */
  config?: ForYouConfig | TrendingConfig | PopularConfig;
  /** The viewer. An unknown user is a viewer without history. Form: an identifier of 1 to 256 characters, or an integer up to 2^53-1. */
  user_id?: string | number;
  /** The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history. Form: an address of 1 to 256 characters. */
  wallet_address?: string;
  /** Number of items. Overrides the value in `config`. For-you: at most 500. */
  top_k?: number;
  /** Whether to explain the score of each item and add a trace to the answer. Default false. */
  explain?: boolean;
  /** Seed that makes every random choice repeatable. Default: a random seed. Form: an integer up to 2^53-1. */
  seed?: number;
};

/** What went wrong (RFC 9457). */
export type Problem = {
  /** URN of the code. */
  type: string;
  /** The code in words. */
  title: string;
  /** The HTTP status. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 503 | 507;
  /** What is wrong and, for a value, what is allowed. */
  detail: string;
  /**
   * Stable error code.
   *
   * `malformed_json`: 400, Malformed JSON
   *
   * `invalid_value`: 400, Invalid value
   *
   * `request_too_costly`: 400, Request too costly
   *
   * `cursor_invalid`: 400, Invalid cursor
   *
   * `page_invalid`: 400, Invalid page id
   *
   * `unauthorized`: 401, Unauthorized
   *
   * `forbidden`: 403, Forbidden
   *
   * `quota_exceeded`: 403, Quota exceeded
   *
   * `not_found`: 404, Not found
   *
   * `method_not_allowed`: 405, Method not allowed
   *
   * `plugin_not_loaded`: 409, Plugin not loaded
   *
   * `feed_outdated`: 409, Feed outdated
   *
   * `not_empty`: 409, Not empty
   *
   * `rkey_taken`: 409, Record key taken
   *
   * `experiment_running`: 409, Experiment running
   *
   * `revision_mismatch`: 412, Another revision
   *
   * `body_too_large`: 413, Body too large
   *
   * `unsupported_media_type`: 415, Unsupported media type
   *
   * `rate_limited`: 429, Too many requests
   *
   * `internal`: 500, Internal error
   *
   * `plugin_failed`: 500, Plugin failed
   *
   * `overloaded`: 503, Overloaded
   *
   * `loading`: 503, Loading
   *
   * `write_queue_full`: 503, Write queue full
   *
   * `store_unavailable`: 503, Store unavailable
   *
   * `shutting_down`: 503, Shutting down
   *
   * `state_full`: 507, State full
   */
  code: 'malformed_json' | 'invalid_value' | 'request_too_costly' | 'cursor_invalid' | 'page_invalid' | 'unauthorized' | 'forbidden' | 'quota_exceeded' | 'not_found' | 'method_not_allowed' | 'plugin_not_loaded' | 'feed_outdated' | 'not_empty' | 'rkey_taken' | 'experiment_running' | 'revision_mismatch' | 'body_too_large' | 'unsupported_media_type' | 'rate_limited' | 'internal' | 'plugin_failed' | 'overloaded' | 'loading' | 'write_queue_full' | 'store_unavailable' | 'shutting_down' | 'state_full';
  /** Every fault. Only for validation errors. */
  errors?: Array<{
    /** JSON pointer (RFC 6901) to the wrong value; empty for the whole body. */
    path: string;
    /** What is allowed. */
    message: string;
  }>;
};

/** Items of a list or a feed that are mixed into the page. */
export type Promotion = {
  /**
   * How promoted items are mixed into the page.
   *
   * `feed`: A share of the page from another feed, at random slots biased to the top.
   *
   * `items`: Hand-picked items, pinned to slots or spread evenly.
   */
  promotion_type: 'feed' | 'items' | PluginId;
  /** a label of 1 to 256 characters */
  promotion_name: string;
  /** an integer from 0 to 100 */
  percent?: number;
  /** the id of a saved feed of 1 to 256 characters */
  feed_id?: string;
  filters?: Filters;
  /** a list of at most 1000 {"item_id","rank"?} */
  promoted_items?: Array<{
    /** an identifier of 1 to 256 characters, or an integer up to 2^53-1 */
    item_id: string | number;
    /** an integer from 1 to 2^53-1 */
    rank?: number;
  }>;
  /** the options of a third party's strategy */
  options?: unknown;
};

/** Items by hides and reports. */
export type Reports = {
  /** The items, most hides and reports first. */
  reports: Array<{
    /** The item. */
    item_id: string;
    /** Number of users who hid it. */
    hides_count: number;
    /** Number of users who reported it. */
    reports_count: number;
    /** Whether moderation already hides the item or its author. */
    hidden: boolean;
    /** The stored item. null: it is not described, or was deleted. */
    item: StoredItem | null;
  }>;
  /** Number of items in the list that was asked for: the open ones, or the dismissed ones. */
  total: number;
  /** Offset of the next page. null: there is none. */
  next_offset: number | null;
};

/** The experiment as it is now. */
export type SavedExperimentAnswer = {
  /** What was done. */
  message: string;
  data: Experiment;
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** A saved feed. */
export type SavedFeed = {
  /** Id of the feed. Ids are never reused. */
  config_id: string;
  /** Name for people. Required when the feed is created. Form: a text of 1 to 256 characters. */
  name: string;
  /** Description for people. Default empty. Form: a text of at most 10000 characters. */
  description: string;
  /** Feed type: `feeds/for-you` (default), `feeds/trending` or `feeds/popular`. `casts/feed/…` means the same, and is returned as it was sent. */
  endpoint: 'feeds/for-you' | 'feeds/trending' | 'feeds/popular' | 'casts/feed/for-you' | 'casts/feed/trending' | 'casts/feed/popular';
  /** An `inactive` feed is kept but cannot be requested. Default `active`. */
  status: 'active' | 'inactive';
  /** Access of other accounts: none (`private`, the default), reading and building pages (`public`), or the same and the feed is listed for them (`template`). */
  visibility: 'private' | 'public' | 'template';
  /** URL of a picture. Default empty. Form: a URL (https, http, ipfs) of at most 2048 characters. */
  feed_image_url: string;
  /** A short name. Default null. Form: a text of at most 256 characters, or null. */
  short_name: string | null;
  /** The parameters, as they were sent. */
  config: Record<string, unknown>;
  /** Revision number. It starts at 1 and grows with each change. */
  revision: number;
  /** Time of creation. Seconds since the Unix epoch. */
  created_at: number;
  /** Time of the last change. Seconds since the Unix epoch. */
  updated_at: number;
};

/** The feed as it is now. */
export type SavedFeedAnswer = {
  /** What was done. */
  message: string;
  data: SavedFeed;
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** What was recorded. */
export type SeenAnswer = {
  /** Everything is durable. */
  status: 'success';
  /** Number of items that are recorded now and were not before. */
  recorded: number;
  /** Values that were ignored or left out. Absent if there are none. */
  warnings?: string[];
};

/** Items that a viewer really saw. */
export type SeenReport = {
  /** The viewer. Only with a viewer token it may be left out. */
  user_id?: string | number | null;
  /** The items in the order in which they were seen. */
  item_ids: Array<string | number>;
  /** The `page_id` of the answer that had the items. It wins over `feed_id`. */
  page_id?: string;
  /** The saved feed that had the items. */
  feed_id?: string;
  /** When they were seen: within the last 24 hours. Default: now. */
  timestamp?: number | string | null;
};

/** The key of the request. */
export type Session = {
  /** The account of the key. */
  account: string;
  /** Id of the key. `FEEDLOOM_API_KEY` for the key from the settings. */
  key_id: string;
  /** Name of the key. null: it has none. */
  key_name: string | null;
  /** What the key allows. */
  scopes: Array<'feed:read' | 'config:write' | 'ingest:write'>;
  /** Time when the key expires, seconds since the epoch. null: never. */
  expires_at: number | null;
  /** The network of the service. `/v2/<network>/…` is the same as `/v2/community/…`. */
  network: string;
  /** The `<chain>` of the paths `/<chain>/…`. */
  chain: string;
};

/** Items that are similar to one. */
export type SimilarItems = {
  /** The item. */
  item_id: string;
  /** Similar items, the most similar first. */
  items: Array<{
    /** Identifier of the item. */
    item_id: string;
    /** How similar it is: the part that was asked for, or the mean of both. */
    score: number;
    /** By users who acted on both items, 1 for the most similar one. 0 if not asked for. */
    acts: number;
    /** By embeddings, 1 for the same embedding. 0 if not asked for. */
    meaning: number;
  }>;
};

/** A stored item. Fields that were never given are absent. */
export type StoredItem = {
  /** Identifier of the item. */
  item_id: string;
  /** Identifier of the author. null: unknown. */
  author_id: string | null;
  /** Time of publication. Seconds since the Unix epoch. */
  created_at: number;
  /** Text of the item. Characters after the first 100,000 are dropped with a warning. */
  text?: string | null;
  /** Format of `text`. For HTML, the length, the language and plugins use the text without markup. Its links (`href`, and `src` of embeds, but not those of mentions, hashtags and emoji) become `embed_items` and `embed_domains` if these are not given. The text is stored and answered unchanged, so clients must sanitise it before they show it as HTML. Absent: plain, or as stored. */
  text_format?: 'plain' | 'html' | null;
  /** URLs of embedded content. Links longer than 4,096 characters, and links that are not http(s) URLs, are dropped with a warning. The first 1,000 are kept. */
  embed_items?: string[] | null;
  /** Domains of embedded content; a full URL is reduced to its host. Absent: taken from `embed_items`. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  embed_domains?: string[] | null;
  /** Channel of the item. An empty string removes a stored value. */
  channel?: string | null;
  /** The item that it replies to. An empty string removes a stored value. */
  parent_item_id?: string | number | null;
  /** First item of its thread. An empty string removes a stored value. */
  root_item_id?: string | number | null;
  /** App with which it was posted. An empty string removes a stored value. */
  app_fid?: string | number | null;
  /** Language tag. Absent: detected from a text of at least 20 characters, one of `GET /api/languages`. An empty string removes a stored value. An unusable value is dropped with a warning. */
  language?: string | null;
  /** Kinds of content, such as image, video, nft, music; stored in lower case and in the singular. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  publication_types?: string[] | null;
  /** "<latitude>,<longitude>" in degrees. An empty string removes a stored value. An unusable value is dropped with a warning. */
  geo_location?: string | null;
  /** Scores by label. */
  ai_labels?: Record<string, number>;
  /** Total number of likes. */
  likes_count: number;
  /** Total number of comments. */
  comments_count: number;
  /** Total number of shares. */
  shares_count: number;
  /** Hashtags, with or without `#`. Absent or empty: those in the text. Filters by words read them. Unusable entries are dropped with a warning. The first 1,000 are kept. */
  tags?: string[] | null;
  /** Titles of the linked pages. Filters by words read them. Characters after the first 4,096 are dropped with a warning. The first 1,000 are kept. */
  link_titles?: string[] | null;
  /** Descriptions of images and videos. Filters by words read them. Characters after the first 4,096 are dropped with a warning. The first 1,000 are kept. */
  alt_texts?: string[] | null;
  /** Users that it mentions. The first 1,000 are kept. */
  mentioned_profiles?: Array<string | number> | null;
  /** The meaning of the item as a vector of any model: 16 to 1,024 numbers, or base64 of as many signed 8-bit integers, which is the form in answers. All items of a network have vectors of the same length. Numbers are scaled and rounded to 8 bits. An empty string removes a stored value. */
  embedding?: number[] | string | null;
  /** true hides the item from every feed, false shows it again. */
  hidden?: boolean | null;
  /** As `hidden`, for what the source says rather than a moderator. Either hides. */
  hidden_by_network?: boolean | null;
  /** Hides and reports together that a moderator dismissed. The item leaves the list of reported items until it has more; 0 brings it back. */
  dismissed_reports_count?: number | null;
  /** Any object; returned as `custom`, readable by plugins. */
  metadata?: Record<string, unknown> | null;
};

/** A list of users. */
export type StoredList = {
  /** Identifier of the list. */
  list_id: string;
  /** For people. Absent without one. */
  name?: string;
  /** Number of its users. */
  size: number;
  /** The users, those first who became known first. */
  user_ids: string[];
  /** Where to go on, if the answer does not have all users. */
  warnings?: string[];
};

/** What a viewer wants to get, and what not. Up to 200 entries, 16 kB. */
export type StoredPreferences = {
  /** What is never shown to the viewer. */
  muted?: {
    /** Words, phrases, beginnings of words, hashtags. */
    words?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** Users whose items are not shown. */
    authors?: Array<string | number | {
      /** As without a time. */
      value: string | number;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** Channels. */
    channels?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
    /** AI labels. One counts with a score above the threshold of the service. */
    labels?: Array<string | {
      /** As without a time. */
      value: string;
      /** From then on the entry has no effect. Absent: forever. */
      until?: number | string | null;
    }> | null;
  } | null;
  /** Of what the viewer wants more. */
  more?: Array<{
    /** What the value names. */
    kind: 'author' | 'channel' | 'label' | 'word';
    /** A value as filters take it. */
    value: string | number | string;
    /** From then on the entry has no effect. Absent: forever. */
    until?: number | string | null;
  }> | null;
  /** Of what the viewer wants less. */
  less?: Array<{
    /** What the value names. */
    kind: 'author' | 'channel' | 'label' | 'word';
    /** A value as filters take it. */
    value: string | number | string;
    /** From then on the entry has no effect. Absent: forever. */
    until?: number | string | null;
  }> | null;
  /** Whether pages use what the viewer did. Absent: true. */
  personalised?: boolean | null;
};

/** A stored user. Fields that were never given are absent. */
export type StoredUser = {
  /** Identifier of the user. */
  user_id: string;
  /** Short name. An empty string removes a stored value. Characters after the first 256 are dropped with a warning. */
  username?: string | null;
  /** Name for display. An empty string removes a stored value. Characters after the first 256 are dropped with a warning. */
  display_name?: string | null;
  /** URL of the profile picture. An empty string removes a stored value. Links longer than 4,096 characters, and links that are not http(s) URLs, are dropped with a warning. */
  pfp_url?: string | null;
  /** "<latitude>,<longitude>" in degrees. An empty string removes a stored value. An unusable value is dropped with a warning. */
  geo_location?: string | null;
  /** Wallets of the user; compared in lower case. The first 1,000 are kept. */
  wallet_addresses?: string[] | null;
  /** Time when the user joined. Seconds since the Unix epoch. */
  created_at?: number;
  /** true hides all items of the user from every feed and ignores the interactions of the user; false restores both. */
  hidden?: boolean | null;
  /** As `hidden`, for what the source says rather than a moderator. Either hides. */
  hidden_by_network?: boolean | null;
  /** Any object; readable by plugins. */
  metadata?: Record<string, unknown> | null;
  /** Totals of the user. */
  counts: {
    /** Number of their items. */
    items: number;
    /** Number of users that they follow. */
    following: number;
    /** Number of users who follow them, without hidden users. */
    followers: number;
    /** Number of their current interactions. */
    interactions: number;
  };
  /** Users that they follow. */
  follows: string[];
  /** Their latest interactions, most recent first. */
  interactions: Array<{
    /** The item. */
    item_id: string;
    /** What the user did. */
    event_type: 'view' | 'like' | 'comment' | 'share' | 'bookmark' | 'hide' | 'report';
    /** When. Seconds since the Unix epoch. */
    timestamp: number;
  }>;
};

/** Metadata of a token; unknown fields are null. */
export type TokenMetadata = {
  /** Name. */
  name: string | null;
  /** Symbol. */
  symbol: string | null;
  /** Decimal places of the smallest unit. */
  decimals: number | null;
  /** The chain. */
  chain: string | null;
  /** Prices by marketplace. */
  prices: Array<{
    /** Identifier of the marketplace. */
    marketplace_id: string | null;
    /** Its name. */
    marketplace_name: string | null;
    /** The price in cents, rounded. */
    value_usd_cents: number | null;
    /** The price in dollars. */
    value_usd_string: string | null;
    /** The price in dollars with all its decimals. */
    value_usd_string_high_precision: string | null;
    /** Tradable liquidity in dollars. */
    liquidity_usd_string: string | null;
  }> | null;
  /** Number of wallets that hold it. */
  holder_count: number | null;
  /** Total supply: an integer as text. */
  supply: string | null;
  /** Creation time, ISO 8601. */
  created_date: string | null;
};

/** Totals of the community. */
export type Totals = {
  /** Items with a record, also hidden ones. Deleted ones do not count. */
  items: number;
  /** Users who are known, also by their acts or follows alone. */
  users: number;
  /** Users whose last act was not longer ago. Of more than 250000 users, a sample is counted. */
  active_users: {
    /** 24 hours. */
    day: number;
    /** 7 days. */
    week: number;
    /** 30 days. */
    month: number;
  };
  /** Views, likes, comments, shares and bookmarks that were not taken back, also by hidden users and of hidden items. */
  interactions: number;
  /** Follows. */
  follows: number;
  /** The last 30 days by feed, oldest first, without entries that are all 0. Counts are made when pages and acts are recorded. Of very many pages, a sample is counted, and each page stands for several. Of a day, at most 1000 feeds are counted apart. */
  days: FeedDay[];
};

/** How the page was built. Only for explained requests. */
export type Trace = {
  /** The steps, feed by feed, in the order of the stages. */
  stages: Array<{
    /** The feed, as in `source_feed` of its items. */
    source_feed: string;
    /** One of the four stages of a page. */
    stage: 'candidates' | 'ranking' | 'visibility' | 'mixing';
    /** A source as in `sources`, a filter, the scoring function, a rule, `diversity`, or the promotion. */
    plugin: string;
    /** Number of items that it received. */
    in: number;
    /** Number of items that it kept. For a source: new items that pass the filters. */
    out: number;
    /** Time that it took, including the calls it made. */
    microseconds: number;
  }>;
  /** How widely the feed itself searched, without feeds that it takes items from. */
  candidates: {
    /** Number of different items that candidate sources proposed and that pass the filters. */
    proposed: number;
    /** Number of items that were scored. */
    scored: number;
    /** Number of candidates that the page intended to score. It scores all eligible items if there are at most 1,000, and more if the page would be short otherwise. */
    limit: number;
  };
  /** Whether this page comes from the cold-start feed. */
  cold_start: boolean;
  /** The rule that makes the viewer a cold-start viewer, with its numbers for keys of the account whose feed it is. null: the viewer is not one. */
  cold_start_reason: string | null;
  /** Revision of the requested saved feed; null without a saved feed. */
  config_revision: number | null;
  /** What orders the items of a feed that learns: what it has learnt (`learned`), or the default scoring function, because the viewer is in the control (`control`), because pages were worse (`fell_back`), or because nothing has been learnt yet (`untaught`). null: the feed does not learn. */
  learning: 'learned' | 'control' | 'fell_back' | 'untaught' | null;
  /** Share of the usual candidates that the page searched: less than 1 while the service is overloaded. */
  effort: 1 | 0.5 | 0.25;
};

/** The parameters of a trending feed. Each applies unless the request sets it. */
export type TrendingConfig = {
  filters?: Filters;
  scoring?: TrendingScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 1000. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
  /** Publishes the feed through the service's Bluesky feed generator, if its `visibility` is `public`. Only in saved feeds. */
  bluesky?: {
    /** Record key of the feed generator record. No two saved feeds may have the same. Form: 1 to 512 ASCII letters, digits and ._:~- (not . or ..). */
    rkey: string;
  };
};

/** A feed request, and the item to explain. */
export type TrendingQuestion = {
  /** The item. */
  item_id: string | number;
  /** The viewer. An unknown user is a viewer without history. Form: an identifier of 1 to 256 characters, or an integer up to 2^53-1. */
  user_id?: string | number;
  /** The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history. Form: an address of 1 to 256 characters. */
  wallet_address?: string;
  /** Id of a saved feed. Its settings apply where the request sets none. Form: the id of a saved feed of 1 to 256 characters. */
  feed_id?: string;
  /** Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded. Form: an integer from 0 to 2^53-1. */
  impression_count?: number;
  /** Whether `impression_count` records anything, and the page counts as shown when it is sent. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer. */
  mark_seen?: boolean;
  /** Number of the plain page, from 1. Default 1. Only for trending and popular. Form: an integer from 1 to 2^53-1. */
  page_number?: number;
  /** Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`. Form: the cursor of an earlier answer. */
  cursor?: string;
  /** Seed that makes every random choice repeatable. Default: a random seed. Form: an integer up to 2^53-1. */
  seed?: number;
  /** Whether to explain the score of each item and add a trace to the answer. Default false. */
  explain?: boolean;
  /** If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice. Form: a text of 1 to 64 characters. */
  request_id?: string;
  filters?: Filters;
  scoring?: TrendingScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 1000. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
};

/** All fields are optional. Unknown fields are ignored and named in `warnings`. The name of a filter outside of `filters` is refused. */
export type TrendingRequest = {
  /** The viewer. An unknown user is a viewer without history. Form: an identifier of 1 to 256 characters, or an integer up to 2^53-1. */
  user_id?: string | number;
  /** The viewer, by the address of one of their wallets in upper or lower case. Ignored if `user_id` is given. An unknown address is a viewer without history. Form: an address of 1 to 256 characters. */
  wallet_address?: string;
  /** Id of a saved feed. Its settings apply where the request sets none. Form: the id of a saved feed of 1 to 256 characters. */
  feed_id?: string;
  /** Number of items, from the start of the answer, to record as shown. The viewer does not get them again, unless `seen` says so. Default 0. Without a viewer nothing is recorded. Form: an integer from 0 to 2^53-1. */
  impression_count?: number;
  /** Whether `impression_count` records anything, and the page counts as shown when it is sent. Default true. With false, send what the viewer really saw to `POST /v2/community/impressions`, with the `page_id` of the answer. */
  mark_seen?: boolean;
  /** Number of the plain page, from 1. Default 1. Only for trending and popular. Form: an integer from 1 to 2^53-1. */
  page_number?: number;
  /** Continues after the page whose answer had this `cursor`, without repeating its items. All other parameters are sent again. Valid for 24 hours, for the same viewer, feed type and `feed_id`. Not with `page_number`. Form: the cursor of an earlier answer. */
  cursor?: string;
  /** Seed that makes every random choice repeatable. Default: a random seed. Form: an integer up to 2^53-1. */
  seed?: number;
  /** Whether to explain the score of each item and add a trace to the answer. Default false. */
  explain?: boolean;
  /** If the same viewer sends the same id again within 10 minutes, the answer is the same page and nothing is recorded twice. Form: a text of 1 to 64 characters. */
  request_id?: string;
  filters?: Filters;
  scoring?: TrendingScoring;
  /** How fast scores fall with age. Half-lives: low 168, medium 48, high 12 hours. Default none. Form: none, low, medium, high, or {"half_life_hours": n} with n above 0. */
  time_decay?: 'none' | 'low' | 'medium' | 'high' | {
    /** a number of hours above 0 */
    half_life_hours: number;
  };
  /** Whether to include items that the viewer liked, commented, shared or bookmarked. Default false. */
  show_interacted_items?: boolean;
  /** Whether to leave out the viewer's own items. Default false. */
  remove_user_posts_from_feed?: boolean;
  /** Whether to keep only items that a followed user liked, commented or shared. Default false. */
  return_only_posts_with_social_proof?: boolean;
  visibility_rules?: VisibilityRules;
  /** What happens to items that the viewer has seen. The object of a request replaces the saved one whole. Not on plain pages. Default `{"mode": "drop"}`. Form: {"mode": "drop", "last" or "show", "after_hours"?, "rest_hours"?}. */
  seen?: {
    /** `drop`: they are left out. `last`: they follow where the page would be short otherwise, longest ago first, with `source_feed` `seen:<feed_id>`. `show`: they are shown as any other item. Form: drop, last or show. */
    mode: 'drop' | 'last' | 'show';
    /** An item counts as seen for so long after it was last seen. Default: for ever. Without effect if `mode` is `show`. Form: a number of hours above 0. */
    after_hours?: number;
    /** With `last`, an item follows no earlier than so long after it was last seen. Default 0: at once. Without effect in other modes. Form: a number of hours of at least 0. */
    rest_hours?: number;
  };
  /** Limits the items of one author or channel on a page. The limits are hard, so the page may be shorter. Items of unknown author, and items without channel, are exempt. */
  feed_diversity_config?: {
    /** The score of an item is multiplied by this number for each item of its author that the viewer was shown in the last 24 hours, as recorded by `impression_count`. `adjusted_score` has the result. Not on plain pages. Default 1: no decay. Form: a number from 0 to 1. */
    repeat_author_decay?: number;
    /** Maximum number of items of one channel on a page. Form: an integer of at least 1. */
    max_posts_per_channel?: number;
    /** Maximum number of items of one author on a page. Form: an integer of at least 1. */
    max_posts_per_author?: number;
    /** Minimum number of other items between two items of one author. Form: an integer of at least 0. */
    min_distance_between_posts_from_same_author?: number;
    /** Moves items with similar embeddings apart. Each slot gets the item with the greatest `lambda` × score − (1 − `lambda`) × similarity, of the 32 best ones that are left. The score is a share of the greatest one, and the similarity is the greatest to one of the `horizon` items before. Changes nothing for items without embedding. */
    semantic?: {
      /** Weight of the score. 1: order by score alone. Default 0.7. Form: a number from 0 to 1. */
      lambda?: number;
      /** Number of preceding items that an item is compared with. Default 10. Form: an integer from 1 to 100. */
      horizon?: number;
    };
  };
  /** Whether pages are logged with the signals that `learned_v0.0.1` learns from. Default: only if the scoring function learns, or that of a variant in a running experiment on the feed. Popular feeds learn nothing. */
  learn?: boolean;
  /** How many candidates are scored. Default: what the built-in scoring functions need; 500 for other scoring functions and `weighted_v0.0.1`. If at most 1,000 items are eligible, all of them are scored. A page that is still short of items scores more. Form: an integer from 100 to 2000. */
  candidate_limit?: number;
  /** Saved feeds that continue the page, in order, when this feed has no more items. Form: a list of at most 3 {"feed_id"}. */
  fallback_feeds?: Array<{
    /** the id of a saved feed of 1 to 256 characters */
    feed_id: string;
  }>;
  /** Whether the network's popular items follow after the fallback feeds. Default false. */
  return_global_fallback?: boolean;
  /** Saved feed for viewers without history, instead of this one. Form: the id of a saved feed of 1 to 256 characters. */
  cold_start_feed?: string;
  /** Saved feed for viewers without history, with limits that define them. */
  cold_start?: {
    /** The saved feed for these viewers. Form: the id of a saved feed of 1 to 256 characters. */
    feed_id: string;
    /** Viewers with fewer interactions get the cold-start feed. Form: an integer from 0 to 1000000. */
    min_interactions?: number;
    /** Viewers without activity for more than this many days get the cold-start feed. Form: an integer from 1 to 100000. */
    inactive_days?: number;
  };
  /** Items of a list or a feed that are mixed into the page. Form: a list of at most one promotion. */
  promotion_filters?: Promotion[];
  /** Number of items. Default 25. Form: an integer from 1 to 1000. */
  top_k?: number;
  /** Number of items of a plain page. A plain page ignores what was shown before, and nothing is recorded. Default 25. Ignored if the request has `top_k`. Only for trending and popular. Form: an integer from 1 to 1000. */
  page_size?: number;
  /** Whether to return the text, counts, labels and author of each item. Default false. */
  return_metadata?: boolean;
  /** Whether to return why each item is on the page, in words that may be shown to the viewer. Default false. */
  reasons?: boolean;
  /** With several nodes: whether the page reflects every write that any node acknowledged before the request (`strong`), or what this node has, usually a fraction of a second old (`eventual`). Default: as the service is set. Form: strong or eventual. */
  consistency?: 'strong' | 'eventual';
};

/**
 * Order of trending feeds: the id of a scoring function, or an id with options. Default `all`.
 *
 * `weighted_v0.0.1`: A weighted sum of signals that the options name.
 *
 * `learned_v0.0.1`: What shown pages taught: the default score and signals, weighted by what viewers acted on.
 *
 * `trending_v0.0.1`: Content that is gathering engagement now (the default of trending feeds).
 *
 * `newest_v0.0.1`: The newest content first. The score is the time of an item, in seconds since 1970.
 */
export type TrendingScoring = 'all' | 'weighted_v0.0.1' | 'learned_v0.0.1' | 'trending_v0.0.1' | 'newest_v0.0.1' | {
  /** Id of the scoring function. */
  name: 'weighted_v0.0.1';
  /** Options of `weighted_v0.0.1`. */
  options?: {
    /** weights by signal, such as {"interest_all": 1}; name at least one signal */
    weights?: Record<string, number>;
  };
} | {
  /** Id of the scoring function. */
  name: 'learned_v0.0.1';
  /** Options of `learned_v0.0.1`. */
  options?: {
    /** names of at most 12 further signals to learn, such as ["interest_recent"] */
    signals?: string[];
  };
} | {
  /** Id of the scoring function. */
  name: 'trending_v0.0.1';
  /** Options of `trending_v0.0.1`. */
  options?: Record<string, never>;
} | {
  /** Id of the scoring function. */
  name: 'newest_v0.0.1';
  /** Options of `newest_v0.0.1`. */
  options?: Record<string, never>;
} | PluginId | {
  name: PluginId;
  options?: unknown;
};

/** A list of users. */
export type UserList = {
  /** The users. Each counts once. Unknown users become known. */
  user_ids: Array<string | number>;
  /** For people who choose a list. Characters after the first 256 are dropped with a warning. */
  name?: string | null;
};

/** What changes of a list of users. */
export type UserListChanges = {
  /** Users to add. Each counts once. Unknown users become known. */
  add?: Array<string | number> | null;
  /** Users to remove. */
  remove?: Array<string | number> | null;
  /** Absent: it stays. Empty: none. */
  name?: string | null;
};

/** A user, or a change of one: given fields replace stored ones, others stay. `null` counts as not given. */
export type UserRecord = {
  /** Identifier of the user. */
  user_id: string | number;
  /** Short name. An empty string removes a stored value. Characters after the first 256 are dropped with a warning. */
  username?: string | null;
  /** Name for display. An empty string removes a stored value. Characters after the first 256 are dropped with a warning. */
  display_name?: string | null;
  /** URL of the profile picture. An empty string removes a stored value. Links longer than 4,096 characters, and links that are not http(s) URLs, are dropped with a warning. */
  pfp_url?: string | null;
  /** "<latitude>,<longitude>" in degrees. An empty string removes a stored value. An unusable value is dropped with a warning. */
  geo_location?: string | null;
  /** Wallets of the user; compared in lower case. The first 1,000 are kept. */
  wallet_addresses?: string[] | null;
  /** When the user joined. */
  created_at?: number | string | null;
  /** true hides all items of the user from every feed and ignores the interactions of the user; false restores both. */
  hidden?: boolean | null;
  /** As `hidden`, for what the source says rather than a moderator. Either hides. */
  hidden_by_network?: boolean | null;
  /** Time of `hidden_by_network`; an older one than the known changes nothing. Absent: `updated_at`, else `created_at`. */
  hidden_by_network_at?: number | string | null;
  /** Any object; readable by plugins. */
  metadata?: Record<string, unknown> | null;
  /** Time of this version. Absent: `created_at`. A version that is not newer than an erasure, or has no time, changes nothing. */
  updated_at?: number | string | null;
  /** true: the version counts even if it is older than a deletion. It is not stored. */
  revive?: boolean | null;
};

/** What the service thinks that a viewer likes. */
export type ViewerInsight = {
  /** The viewer. */
  user_id: string;
  /** Authors whom the viewer follows or acted on, closest first. */
  authors: Array<{
    /** The author. */
    user_id: string;
    /** How close the author is to the viewer, by common items and acts on their items. */
    closeness: number;
    /** Share of the viewer's latest acts, weighted by their kind. */
    share: number;
    /** Whether the viewer follows the author. */
    follows: boolean;
  }>;
  /** The strongest channels, strongest first. */
  channels: Array<{
    /** The value, as filters take it. */
    value: string;
    /** Share of the viewer's latest acts, weighted by their kind. */
    share: number;
  }>;
  /** The strongest labels, strongest first. */
  labels: Array<{
    /** The value, as filters take it. */
    value: string;
    /** Share of the viewer's latest acts, weighted by their kind. */
    share: number;
  }>;
  /** The strongest languages, strongest first. */
  languages: Array<{
    /** The value, as filters take it. */
    value: string;
    /** Share of the viewer's latest acts, weighted by their kind. */
    share: number;
  }>;
  /** The strongest apps, strongest first. */
  apps: Array<{
    /** The value, as filters take it. */
    value: string;
    /** Share of the viewer's latest acts, weighted by their kind. */
    share: number;
  }>;
  /** Whether the viewer is cold, by the settings of the service. */
  cold_start: {
    /** Whether a feed with a cold start feed would use it. */
    is_cold: boolean;
    /** The rule, with its numbers. null: the viewer is not cold. */
    reason: string | null;
    /** Current likes, comments, shares and bookmarks. */
    interactions: number;
    /** Time of the latest of them. null: none. */
    latest_at: number | null;
    /** A viewer with fewer is cold. A feed may have another limit. */
    min_interactions: number;
    /** A viewer without one for longer is cold. A feed may have another limit. */
    inactive_days: number;
  };
  /** Number of items that were recorded as shown. */
  shown_items: number;
  /** The latest impressions of at least two days, latest first. */
  impressions: Array<{
    /** The item. */
    item_id: string;
    /** When it was shown. Seconds since the Unix epoch. */
    timestamp: number;
  }>;
};

/** Third-party visibility rules: the rule's id, with its options as value. */
export type VisibilityRules = {
  [plugin: PluginId]: unknown;
};

/** An event of a wallet. */
export type WalletEvent = {
  /** Address of a wallet: 0x and 40 hexadecimal digits of any case. */
  wallet_address: string;
  /** `<chain>.<contract>` for a token, `<chain>.<contract>.<token_id>` for an NFT. */
  item_id: string;
  /** After mint, buy and swap the wallet holds the item; after sell, transfer and burn it does not. */
  event_type: 'mint' | 'buy' | 'sell' | 'swap' | 'transfer' | 'bid' | 'list' | 'burn' | 'like' | 'view';
  /** Time of the event. The same event with the same time counts once. Default: now, and each event counts. */
  timestamp?: number | string | null;
};

/** A webhook that receives deliveries of another service. */
export type Webhook = {
  /** Name of the webhook, as in its path. */
  webhook: string;
  /** Deliveries stored since the start. */
  deliveries_count: number;
  /** Deliveries without a valid signature since the start. */
  unsigned_count: number;
  /** Signed deliveries that could not be mapped or stored since the start. */
  failed_count: number;
  /** Records stored since the start. */
  records_count: number;
  /** Invalid records skipped since the start. */
  rejected_count: number;
  /** Reason of the last failure of a signed delivery. */
  last_error: string | null;
  /** Its time. */
  last_error_at: number | null;
  /** When a delivery was last stored. */
  last_stored_at: number | null;
};

/** What went wrong, in the form of AT Protocol. */
export type XrpcProblem = {
  /** Name of the error. */
  error: string;
  /** What is wrong. */
  message: string;
};

/** Every operation by its method and path. */
export interface Operations {
  /** A personal page */
  'POST /v2/{network}/feeds/for-you': {
    body: ForYouRequest;
    answer: FeedAnswer;
  };
  /** Why an item is on a for-you page, or why not */
  'POST /v2/{network}/feeds/for-you/explain': {
    body: ForYouQuestion;
    answer: ExplainAnswer;
  };
  /** A page of trending items */
  'POST /v2/{network}/feeds/trending': {
    body?: TrendingRequest;
    answer: FeedAnswer;
  };
  /** Why an item is on a trending page, or why not */
  'POST /v2/{network}/feeds/trending/explain': {
    body: TrendingQuestion;
    answer: ExplainAnswer;
  };
  /** A page of popular items */
  'POST /v2/{network}/feeds/popular': {
    body?: PopularRequest;
    answer: FeedAnswer;
  };
  /** Why an item is on a popular page, or why not */
  'POST /v2/{network}/feeds/popular/explain': {
    body: PopularQuestion;
    answer: ExplainAnswer;
  };
  /** A personal page */
  'POST /v2/{network}/casts/feed/for-you': {
    body: ForYouRequest;
    answer: FeedAnswer;
  };
  /** Why an item is on a for-you page, or why not */
  'POST /v2/{network}/casts/feed/for-you/explain': {
    body: ForYouQuestion;
    answer: ExplainAnswer;
  };
  /** A page of trending items */
  'POST /v2/{network}/casts/feed/trending': {
    body?: TrendingRequest;
    answer: FeedAnswer;
  };
  /** Why an item is on a trending page, or why not */
  'POST /v2/{network}/casts/feed/trending/explain': {
    body: TrendingQuestion;
    answer: ExplainAnswer;
  };
  /** A page of popular items */
  'POST /v2/{network}/casts/feed/popular': {
    body?: PopularRequest;
    answer: FeedAnswer;
  };
  /** Why an item is on a popular page, or why not */
  'POST /v2/{network}/casts/feed/popular/explain': {
    body: PopularQuestion;
    answer: ExplainAnswer;
  };
  /** Report what a viewer really saw */
  'POST /v2/{network}/impressions': {
    body: SeenReport | SeenReport[];
    answer: SeenAnswer;
  };
  /** Save a feed */
  'POST /api/feed/config': {
    body: NewFeed;
    answer: SavedFeedAnswer;
  };
  /** Read a saved feed */
  'GET /api/feed/config': {
    query: {
      /** Id of the feed. */
      config_id: string;
    };
    answer: {
      data: SavedFeed;
    };
  };
  /** Change a saved feed */
  'PATCH /api/feed/config': {
    query?: {
      /** Merge the keys of `config` and of `config.filters` into the saved ones instead of replacing all of `config`. `null` removes a key. Without this parameter, `warnings` names the saved keys that the new `config` lacks. Default false. */
      merge?: boolean;
    };
    headers?: {
      /** Apply the request only if the object has this revision (the ETag). `*`: any revision. */
      'if-match'?: string;
    };
    body: ChangedFeed;
    answer: SavedFeedAnswer;
  };
  /** Delete a saved feed */
  'DELETE /api/feed/config': {
    query: {
      /** Id of the feed. */
      config_id: string;
    };
    headers?: {
      /** Apply the request only if the object has this revision (the ETag). `*`: any revision. */
      'if-match'?: string;
    };
    answer: {
      /** What was done. */
      message: string;
    };
  };
  /** Saved feeds */
  'POST /api/feed/configs': {
    query?: {
      /** Maximum number of feeds. Default 100. If one answer cannot hold them, the rest is left out and a warning is added. */
      limit?: number;
      /** Number of feeds to skip. Default 0. */
      offset?: number;
    };
    body?: {
      /** Lists only feeds of this visibility; `template` lists the newest 20 templates of each account. Default: all feeds of the account. */
      visibility?: 'private' | 'public' | 'template';
      /** Maximum number of feeds. Default 100. If one answer cannot hold them, the rest is left out and a warning is added. */
      limit?: number;
      /** Number of feeds to skip. Default 0. */
      offset?: number;
    };
    answer: {
      /** The feeds, newest first. */
      data: SavedFeed[];
      /** Values that were ignored or left out. Absent if there are none. */
      warnings?: string[];
    };
  };
  /** Revisions of a saved feed */
  'GET /api/feed/config/revisions': {
    query: {
      /** Id of the feed. */
      config_id: string;
      /** Maximum number of revisions. Default 100. */
      limit?: number;
      /** Number of revisions to skip. Default 0. */
      offset?: number;
    };
    answer: {
      /** The kept revisions, newest first. */
      data: FeedRevision[];
    };
  };
  /** A saved feed as it was */
  'GET /api/feed/config/revisions/{revision}': {
    path: {
      /** Number of the revision. */
      revision: number;
    };
    query: {
      /** Id of the feed. */
      config_id: string;
    };
    answer: {
      data: SavedFeed;
    };
  };
  /** Deleted feeds */
  'GET /api/feed/config/deleted': {
    answer: {
      /** The deleted feeds, the latest deletion first. */
      data: DeletedFeed[];
    };
  };
  /** Restore a deleted feed */
  'POST /api/feed/config/restore': {
    query: {
      /** Id of the feed. */
      config_id: string;
    };
    answer: SavedFeedAnswer;
  };
  /** Preview a feed without saving it */
  'POST /api/feed/preview': {
    body: Preview;
    answer: FeedAnswer;
  };
  /** Start an experiment */
  'POST /api/experiments': {
    body: NewExperiment;
    answer: SavedExperimentAnswer;
  };
  /** List experiments */
  'GET /api/experiments': {
    answer: {
      /** The experiments of the account, newest first. */
      data: Experiment[];
    };
  };
  /** Read an experiment and its results */
  'GET /api/experiments/{id}': {
    path: {
      /** Id of the experiment. */
      id: string;
    };
    answer: {
      data: ExperimentWithResults;
    };
  };
  /** Change, stop or start an experiment */
  'PATCH /api/experiments/{id}': {
    path: {
      /** Id of the experiment. */
      id: string;
    };
    headers?: {
      /** Apply the request only if the object has this revision (the ETag). `*`: any revision. */
      'if-match'?: string;
    };
    body: ChangedExperiment;
    answer: SavedExperimentAnswer;
  };
  /** Delete an experiment */
  'DELETE /api/experiments/{id}': {
    path: {
      /** Id of the experiment. */
      id: string;
    };
    headers?: {
      /** Apply the request only if the object has this revision (the ETag). `*`: any revision. */
      'if-match'?: string;
    };
    answer: {
      /** What was done. */
      message: string;
    };
  };
  /** The viewers of the current period */
  'GET /api/experiments/{id}/viewers.csv': {
    path: {
      /** Id of the experiment. */
      id: string;
    };
    answer: string;
  };
  /** What a feed has learnt */
  'GET /api/learning': {
    query: {
      /** Id of the feed. */
      feed_id: string;
    };
    answer: {
      data: Learning;
    };
  };
  /** Freeze, thaw or reset what a feed has learnt */
  'PATCH /api/learning': {
    body: LearningChange;
    answer: {
      data: Learning;
    };
  };
  /** Create a viewer token */
  'POST /api/tokens': {
    body: NewViewerToken;
    answer: {
      /** The token. Send it as `Authorization: Bearer <token>`. */
      token: string;
      /** Time when it expires, seconds since the epoch. */
      expires_at: number;
      /** Fields that were ignored. */
      warnings?: string[];
    };
  };
  /** Sign in with a one-time code */
  'POST /api/console/session': {
    body: ConsoleCode;
    answer: {
      /** A key. Send it as `Authorization: Bearer <key>`. */
      api_key: string;
    };
  };
  /** The key of this request */
  'GET /api/session': {
    answer: Session;
  };
  /** Read the audit log */
  'GET /api/audit': {
    query?: {
      /** Maximum number of entries. Default 100. */
      limit?: number;
      /** Number of entries to skip. Default 0. */
      offset?: number;
    };
    answer: {
      /** The entries, newest first. */
      data: AuditEntry[];
    };
  };
  /** Create or change items */
  'POST /v2/{network}/items': {
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: ItemRecord | ItemRecord[];
    answer: IngestAnswer;
  };
  /** Delete an item */
  'DELETE /v2/{network}/items': {
    query: {
      /** Identifier of the item, percent-encoded. */
      item_id: string;
      /** Time of the deletion at its source, in the same forms as in records. Default: now, also for times in the future. */
      timestamp?: number | string;
    };
    answer: Done;
  };
  /** Find items */
  'GET /v2/{network}/items': {
    query?: {
      /** Identifier of the one item to read. */
      item_id?: string;
      /** The start of the identifier. The item with this identifier is first, then those that became known last. */
      search?: string;
      /** Words that the text has, all of them, in any order: at most 10. Each is the beginning of a word of the text; in scripts without blanks it may be anywhere. Compared without case, in NFKC. */
      text?: string;
      /** The `cursor` of the last answer: goes on with older entries. */
      cursor?: string;
      /** The author. */
      author_id?: string;
      /** The channel, as in the records of items. */
      channel?: string;
      /** Maximum number of entries. Default 25. */
      limit?: number;
    };
    answer: {
      /** The items. The list is shorter if the answer would become too large. */
      items: ListedItem[];
      /** Of a search for `text`: for older items. Absent: all were searched. */
      cursor?: string;
      /** Creation time of the last item that was searched. Present with a `cursor`. Seconds since the Unix epoch. */
      searched_to?: number;
    } | StoredItem;
  };
  /** Create or change users */
  'POST /v2/{network}/users': {
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: UserRecord | UserRecord[];
    answer: IngestAnswer;
  };
  /** Erase a user */
  'DELETE /v2/{network}/users': {
    query: {
      /** Identifier of the user, percent-encoded. */
      user_id: string;
      /** Time of the deletion at its source, in the same forms as in records. Default: now, also for times in the future. */
      timestamp?: number | string;
      /** true: the items of the user stay, without an author. Not allowed for a hidden user, whose items would become visible. Default false. */
      keep_items?: boolean;
    };
    answer: Done;
  };
  /** Find users */
  'GET /v2/{network}/users': {
    query?: {
      /** Identifier of the one user to read. */
      user_id?: string;
      /** The start of the username, the display name (both without case, in any Unicode form) or the identifier. The user with this identifier is first. Default: the users who became known last. */
      search?: string;
      /** Maximum number of entries. Default 25. */
      limit?: number;
    };
    answer: {
      /** The users. */
      users: ListedUser[];
    } | StoredUser;
  };
  /** Add or remove follows */
  'POST /v2/{network}/follows': {
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: FollowRecord | FollowRemoval | Array<FollowRecord | FollowRemoval>;
    answer: IngestAnswer;
  };
  /** Add or remove blocks */
  'POST /v2/{network}/blocks': {
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: BlockRecord | BlockRemoval | Array<BlockRecord | BlockRemoval>;
    answer: IngestAnswer;
  };
  /** Add or remove labels */
  'POST /v2/{network}/labels': {
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: LabelRecord | LabelRecord[];
    answer: IngestAnswer;
  };
  /** Add or remove interactions */
  'POST /v2/{network}/interactions': {
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: InteractionRecord | InteractionRemoval | Array<InteractionRecord | InteractionRemoval>;
    answer: IngestAnswer;
  };
  /** Replace the follow list of a user */
  'PUT /v2/{network}/users/{id}/follows': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: FollowList;
    answer: ListAnswer;
  };
  /** Replace the follow list of a user */
  'PUT /v2/{network}/users/follows': {
    query: {
      /** Identifier of the user, percent-encoded. */
      user_id: string;
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: FollowList;
    answer: ListAnswer;
  };
  /** Lists of users */
  'GET /v2/{network}/lists': {
    query?: {
      /** Identifier of the list, percent-encoded. */
      list_id?: string;
      /** Maximum number of lists, or of users of one list. Default 100000. */
      limit?: number;
      /** Number of lists, or of users of one list, to skip. Default 0. */
      offset?: number;
    };
    answer: Lists | StoredList;
  };
  /** Create or replace a list of users */
  'PUT /v2/{network}/lists': {
    query: {
      /** Identifier of the list, percent-encoded. */
      list_id: string;
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: UserList;
    answer: ListAnswer;
  };
  /** Add users to a list, and remove some */
  'PATCH /v2/{network}/lists': {
    query: {
      /** Identifier of the list, percent-encoded. */
      list_id: string;
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: UserListChanges;
    answer: ListAnswer;
  };
  /** Delete a list of users */
  'DELETE /v2/{network}/lists': {
    query: {
      /** Identifier of the list, percent-encoded. */
      list_id: string;
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    answer: ListAnswer;
  };
  /** A list of users */
  'GET /v2/{network}/lists/{id}': {
    path: {
      /** Identifier of the list, percent-encoded. */
      id: string;
    };
    query?: {
      /** Maximum number of lists, or of users of one list. Default 100000. */
      limit?: number;
      /** Number of lists, or of users of one list, to skip. Default 0. */
      offset?: number;
    };
    answer: StoredList;
  };
  /** Create or replace a list of users */
  'PUT /v2/{network}/lists/{id}': {
    path: {
      /** Identifier of the list, percent-encoded. */
      id: string;
    };
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: UserList;
    answer: ListAnswer;
  };
  /** Add users to a list, and remove some */
  'PATCH /v2/{network}/lists/{id}': {
    path: {
      /** Identifier of the list, percent-encoded. */
      id: string;
    };
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: UserListChanges;
    answer: ListAnswer;
  };
  /** Delete a list of users */
  'DELETE /v2/{network}/lists/{id}': {
    path: {
      /** Identifier of the list, percent-encoded. */
      id: string;
    };
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    answer: ListAnswer;
  };
  /** Receive a delivery of another service */
  'POST /v2/{network}/hooks/{name}': {
    path: {
      /** Name of the webhook. */
      name: string;
    };
    body: Record<string, unknown>;
    answer: IngestAnswer;
  };
  /** Webhooks */
  'GET /api/webhooks': {
    answer: {
      /** In the order of the setting. */
      data: Webhook[];
    };
  };
  /** An item */
  'GET /v2/{network}/items/{id}': {
    path: {
      /** Identifier of the item, percent-encoded. */
      id: string;
    };
    answer: StoredItem;
  };
  /** Delete an item */
  'DELETE /v2/{network}/items/{id}': {
    path: {
      /** Identifier of the item, percent-encoded. */
      id: string;
    };
    query?: {
      /** Time of the deletion at its source, in the same forms as in records. Default: now, also for times in the future. */
      timestamp?: number | string;
    };
    answer: Done;
  };
  /** A user */
  'GET /v2/{network}/users/{id}': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    answer: StoredUser;
  };
  /** Erase a user */
  'DELETE /v2/{network}/users/{id}': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    query?: {
      /** Time of the deletion at its source, in the same forms as in records. Default: now, also for times in the future. */
      timestamp?: number | string;
      /** true: the items of the user stay, without an author. Not allowed for a hidden user, whose items would become visible. Default false. */
      keep_items?: boolean;
    };
    answer: Done;
  };
  /** Find channels */
  'GET /v2/{network}/channels': {
    query?: {
      /** The start of the channel, or of its part after the last `/`, without case, in any Unicode form. Default: all channels. */
      search?: string;
      /** Maximum number of entries. Default 25. */
      limit?: number;
    };
    answer: {
      /** The channels, most items first. */
      channels: Array<{
        /** The channel, as filters take it. */
        channel: string;
        /** Number of its items. */
        items_count: number;
      }>;
    };
  };
  /** Read users and items by identifier */
  'POST /v2/{network}/records/read': {
    body: NamedRecords;
    answer: {
      /** The users. */
      users: ListedUser[];
      /** The items. The list is shorter if the answer would become too large. */
      items: ListedItem[];
      /** Identifiers of items that did not fit this answer. */
      unread_items?: string[];
      /** Fields that were ignored. */
      warnings?: string[];
    };
  };
  /** Counts of an item over time */
  'GET /v2/{network}/items/{id}/counts': {
    path: {
      /** Identifier of the item, percent-encoded. */
      id: string;
    };
    query?: {
      /** Length of a bucket: `1h` (default) or `1d`. Buckets begin at whole hours or days in UTC. */
      every?: '1h' | '1d';
      /** Time in the first bucket. Default: 24 hours or 30 days before `to`. At most 1000 buckets. */
      from?: number | string;
      /** Time in the last bucket. Default: now. */
      to?: number | string;
    };
    answer: ItemCounts;
  };
  /** Counts of an item over time */
  'GET /v2/{network}/items/counts': {
    query?: {
      /** Identifier of the item, percent-encoded. */
      item_id?: string;
      /** Length of a bucket: `1h` (default) or `1d`. Buckets begin at whole hours or days in UTC. */
      every?: '1h' | '1d';
      /** Time in the first bucket. Default: 24 hours or 30 days before `to`. At most 1000 buckets. */
      from?: number | string;
      /** Time in the last bucket. Default: now. */
      to?: number | string;
    };
    answer: ItemCounts;
  };
  /** Who acted on an item */
  'GET /v2/{network}/items/{id}/interactions': {
    path: {
      /** Identifier of the item, percent-encoded. */
      id: string;
    };
    query?: {
      /** Only interactions of this type. Default: all types. */
      event_type?: 'view' | 'like' | 'comment' | 'share' | 'bookmark' | 'hide' | 'report';
      /** Maximum number of interactions. Default 25. */
      limit?: number;
      /** The `cursor` of the last answer: goes on with older entries. */
      cursor?: string;
    };
    answer: ItemInteractions;
  };
  /** Who acted on an item */
  'GET /v2/{network}/items/interactions': {
    query?: {
      /** Identifier of the item, percent-encoded. */
      item_id?: string;
      /** Only interactions of this type. Default: all types. */
      event_type?: 'view' | 'like' | 'comment' | 'share' | 'bookmark' | 'hide' | 'report';
      /** Maximum number of interactions. Default 25. */
      limit?: number;
      /** The `cursor` of the last answer: goes on with older entries. */
      cursor?: string;
    };
    answer: ItemInteractions;
  };
  /** Similar items */
  'GET /v2/{network}/items/{id}/similar': {
    path: {
      /** Identifier of the item, percent-encoded. */
      id: string;
    };
    query?: {
      /** What counts: `acts` (users who acted on both items; a view counts a fifth of a like, comment, share or bookmark), `meaning` (their embeddings), or `both` (default). */
      by?: 'both' | 'acts' | 'meaning';
      /** Number of items. Default 25. */
      limit?: number;
      /** Identifier of the user who will see them: items that this user hid, and those of users in a block with them, are left out. A viewer token names the user itself, percent-encoded. */
      user_id?: string;
    };
    answer: SimilarItems;
  };
  /** Similar items */
  'GET /v2/{network}/items/similar': {
    query?: {
      /** Identifier of the item, percent-encoded. */
      item_id?: string;
      /** What counts: `acts` (users who acted on both items; a view counts a fifth of a like, comment, share or bookmark), `meaning` (their embeddings), or `both` (default). */
      by?: 'both' | 'acts' | 'meaning';
      /** Number of items. Default 25. */
      limit?: number;
      /** Identifier of the user who will see them: items that this user hid, and those of users in a block with them, are left out. A viewer token names the user itself, percent-encoded. */
      user_id?: string;
    };
    answer: SimilarItems;
  };
  /** What a viewer likes */
  'GET /v2/{network}/users/{id}/insight': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    answer: ViewerInsight;
  };
  /** What a viewer likes */
  'GET /v2/{network}/users/insight': {
    query?: {
      /** Identifier of the user, percent-encoded. */
      user_id?: string;
    };
    answer: ViewerInsight;
  };
  /** Values that filters can select */
  'GET /v2/{network}/values': {
    query: {
      /** The filter. `remove_ai_labels` takes the values of `ai_labels`. */
      filter: 'ai_labels' | 'app_fids' | 'channels' | 'embed_domains' | 'languages' | 'publication_types';
      /** The start of the value, or of its part after the last `/`, without case, in any Unicode form. Default: all values. */
      search?: string;
      /** Maximum number of entries. Default 25. */
      limit?: number;
    };
    answer: {
      /** The values, most items first. */
      values: Array<{
        /** The value, as the filter takes it. */
        value: string;
        /** Number of items with it. */
        items_count: number;
      }>;
    };
  };
  /** Users to follow */
  'POST /v2/{network}/users/recommended': {
    body: PeopleRequest;
    answer: PeopleAnswer;
  };
  /** Users like another user */
  'GET /v2/{network}/users/{id}/similar': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    query?: {
      /** The user who gets the answer: never in it, and neither are users in a block with them. A viewer token names the viewer itself. */
      viewer_id?: string;
      /** Maximum number of users. Default 25. */
      top_k?: number;
      /** The cursor of the last answer. */
      cursor?: string;
      /** Adds names and pictures. Default false. */
      return_metadata?: boolean;
      /** Adds the signals of each score. Default false. */
      explain?: boolean;
      /** As in feed requests. Default: the setting of the service. */
      consistency?: 'strong' | 'eventual';
    };
    answer: PeopleAnswer;
  };
  /** Users like another user */
  'GET /v2/{network}/users/similar': {
    query?: {
      /** Identifier of the user, percent-encoded. */
      user_id?: string;
      /** The user who gets the answer: never in it, and neither are users in a block with them. A viewer token names the viewer itself. */
      viewer_id?: string;
      /** Maximum number of users. Default 25. */
      top_k?: number;
      /** The cursor of the last answer. */
      cursor?: string;
      /** Adds names and pictures. Default false. */
      return_metadata?: boolean;
      /** Adds the signals of each score. Default false. */
      explain?: boolean;
      /** As in feed requests. Default: the setting of the service. */
      consistency?: 'strong' | 'eventual';
    };
    answer: PeopleAnswer;
  };
  /** Preferences of a viewer */
  'GET /v2/{network}/users/{id}/preferences': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    answer: StoredPreferences;
  };
  /** Replace the preferences of a viewer */
  'PUT /v2/{network}/users/{id}/preferences': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: Preferences;
    answer: PreferencesAnswer;
  };
  /** Change the preferences of a viewer */
  'PATCH /v2/{network}/users/{id}/preferences': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    query?: {
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: Preferences;
    answer: PreferencesAnswer;
  };
  /** Preferences of a viewer */
  'GET /v2/{network}/users/preferences': {
    query?: {
      /** Identifier of the user, percent-encoded. */
      user_id?: string;
    };
    answer: StoredPreferences;
  };
  /** Replace the preferences of a viewer */
  'PUT /v2/{network}/users/preferences': {
    query: {
      /** Identifier of the user, percent-encoded. */
      user_id: string;
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: Preferences;
    answer: PreferencesAnswer;
  };
  /** Change the preferences of a viewer */
  'PATCH /v2/{network}/users/preferences': {
    query: {
      /** Identifier of the user, percent-encoded. */
      user_id: string;
      /** true: nothing is stored or counted against the quota. The answer is the same, with `dry_run`. Default false. */
      dry_run?: boolean;
    };
    body: Preferences;
    answer: PreferencesAnswer;
  };
  /** Export the data of a person */
  'GET /v2/{network}/users/{id}/export': {
    path: {
      /** Identifier of the user, percent-encoded. */
      id: string;
    };
    answer: PersonLine[];
  };
  /** Export the data of a person */
  'GET /v2/{network}/users/export': {
    query?: {
      /** Identifier of the user, percent-encoded. */
      user_id?: string;
    };
    answer: PersonLine[];
  };
  /** Items that users hid and reported */
  'GET /v2/{network}/reports': {
    query?: {
      /** Number of items. Default 25. */
      limit?: number;
      /** Number of items to skip. Default 0. */
      offset?: number;
      /** true: the dismissed items instead of the others. Default false. */
      dismissed?: boolean;
    };
    answer: Reports;
  };
  /** Tokens and NFTs for a wallet */
  'GET /{chain}/feed/for-you/{wallet_address}': {
    path: {
      /** Wallet address. Hexadecimal digits in upper or lower case. */
      wallet_address: string;
    };
    query?: {
      /** Number of items. Default 25. */
      top_k?: number;
    };
    answer: AlphaFeed;
  };
  /** Popular tokens and NFTs */
  'GET /{chain}/feed/popular': {
    query?: {
      /** Number of items. Default 25. */
      top_k?: number;
    };
    answer: AlphaFeed;
  };
  /** Record an event of a wallet */
  'POST /{chain}/events': {
    body: WalletEvent;
    answer: EventAnswer;
  };
  /** Delete an event */
  'DELETE /{chain}/events': {
    query: {
      /** Address of a wallet: 0x and 40 hexadecimal digits of any case. */
      wallet_address: string;
      /** Identifier of the token or NFT. */
      item_id: string;
      /** Type of the event. */
      event_type: 'mint' | 'buy' | 'sell' | 'swap' | 'transfer' | 'bid' | 'list' | 'burn' | 'like' | 'view';
      /** Time of the event, in the same forms as in events. Default: all events of the type. */
      timestamp?: number | string;
    };
    answer: Done;
  };
  /** Write the metadata of tokens and NFTs */
  'POST /{chain}/items': {
    body: CatalogRecord | CatalogRecord[];
    answer: IngestAnswer;
  };
  /** Erase a wallet */
  'DELETE /{chain}/wallets/{wallet_address}': {
    path: {
      /** Wallet address. Hexadecimal digits in upper or lower case. */
      wallet_address: string;
    };
    query?: {
      /** Time of the deletion at its source, in the same forms as in events. Default: now, also for times in the future. */
      timestamp?: number | string;
    };
    answer: Done;
  };
  /** Delete a token or NFT */
  'DELETE /{chain}/items/{item_id}': {
    path: {
      /** Identifier of the token or NFT. */
      item_id: string;
    };
    query?: {
      /** Time of the deletion at its source, in the same forms as in events. Default: now, also for times in the future. */
      timestamp?: number | string;
    };
    answer: Done;
  };
  /** The DID document of this service */
  'GET /.well-known/did.json': {
    answer: {
      /** The vocabulary. */
      '@context': string[];
      /** DID of this service. */
      id: string;
      /** Services of this DID. */
      service: Array<{
        /** Always `#bsky_fg`. */
        id: string;
        /** Always `BskyFeedGenerator`. */
        type: string;
        /** Address of this service. */
        serviceEndpoint: string;
      }>;
    };
  };
  /** The feeds of this service on Bluesky */
  'GET /xrpc/app.bsky.feed.describeFeedGenerator': {
    answer: {
      /** DID of this service. */
      did: string;
      /** The public feeds with a record key. */
      feeds: Array<{
        /** URI of the feed. */
        uri: string;
      }>;
    };
  };
  /** A page of a feed on Bluesky */
  'GET /xrpc/app.bsky.feed.getFeedSkeleton': {
    query: {
      /** URI of the feed. */
      feed: string;
      /** Number of posts. Default 50. */
      limit?: number;
      /** The cursor of the page before. */
      cursor?: string;
    };
    answer: {
      /** The posts, best first. */
      feed: Array<{
        /** URI of the post. */
        post: string;
        /** Sent back with interactions: the id of the saved feed. */
        feedContext: string;
      }>;
      /** For the next page. Absent at the end of the feed. */
      cursor?: string;
      /** Id of this request. */
      reqId: string;
    };
  };
  /** Report what a viewer did with posts of a feed */
  'POST /xrpc/app.bsky.feed.sendInteractions': {
    body: BlueskyInteractions;
    answer: Record<string, unknown>;
  };
  /** Liveness check */
  'GET /healthz': {
    answer: {
      /** The process answers. */
      status: 'ok';
    };
  };
  /** Readiness check */
  'GET /readyz': {
    answer: {
      /** `degraded` if a connector is stalled. Feeds are answered nevertheless. */
      status: 'ready' | 'degraded';
      /** The running version. */
      version: string;
      /** Number of stored changes that were read at the start. */
      changes: number;
      /** `leader` if this process stores changes itself, `follower` if another node does. */
      role: 'leader' | 'follower';
      /** The last stored change that pages reflect. */
      applied_seq: number;
      /** Seconds by which pages may lag behind the stored changes. 0 for a leader whose database answers. */
      lag_seconds: number;
      /** Whether rankings, neighbour lists and the index of embeddings are still being built after the start. Pages are complete, but take longer, and may lack items that are found by meaning alone. Similar items by meaning are answered with 503. */
      warming: boolean;
      /** Plugins that were refused and not loaded. */
      refused_plugins: Array<{
        /** Error code. */
        code: string;
        /** File of the plugin. The log contains details. */
        plugin: string;
      }>;
      /** Connectors that failed and have stored nothing since. They are being retried. */
      stalled_connectors: string[];
      /** Saved feeds that learn and serve their default scoring function now, because pages by what they had learnt had fewer acts. */
      fallen_back_feeds: string[];
    };
  };
  /** Loaded plugins */
  'GET /api/plugins': {
    answer: {
      /** Every loaded extension, by kind. */
      data: Plugin[];
    };
  };
  /** Connectors */
  'GET /api/connectors': {
    answer: {
      /** Every configured connector. */
      data: Connector[];
    };
  };
  /** Nodes */
  'GET /api/nodes': {
    answer: {
      /** Every node. */
      data: Node[];
    };
  };
  /** Languages that are detected */
  'GET /api/languages': {
    answer: {
      /** Every language that is detected. */
      data: Language[];
    };
  };
  /** The recent past of some metrics */
  'GET /api/metrics/history': {
    query?: {
      /** `1h` (default) or `24h`. */
      window?: '1h' | '24h';
    };
    answer: {
      /** The window. */
      window: '1h' | '24h';
      /** Seconds between two points. */
      every_seconds: number;
      /** The points since the start at most, oldest first. */
      points: MetricsPoint[];
    };
  };
  /** What each plugin costs */
  'GET /api/metrics/plugins': {
    answer: {
      /** Every plugin that a page has used. */
      data: PluginCost[];
    };
  };
  /** Totals and recent days */
  'GET /api/totals': {
    answer: {
      data: Totals;
    };
  };
  /** Health of the community */
  'GET /api/community-health': {
    query?: {
      /** Days of the period in UTC, of which today is the last. Default 7. */
      days?: number;
    };
    answer: {
      data: CommunityHealth;
    };
  };
  /** Load the demo community */
  'POST /api/demo': {
    answer: {
      /** All of it is stored. */
      status: 'success';
      /** Number of users. */
      users: number;
      /** Number of items. */
      items: number;
    };
  };
  /** Metrics */
  'GET /metrics': {
    answer: string;
  };
}
