import type { Ordinal } from './ordinal.ts';
import type { ItemField, UserField } from './reads.ts';

/** Items that a computation reached, each with a weight above 0. Higher is stronger. */
export interface Reached {
  /** The number of reached items. */
  readonly size: number;
  /** The greatest weight. 0 if no item was reached. */
  readonly max: number;
  /** The weight of an item. 0 if it was not reached. O(1). */
  weight(item: Ordinal): number;
  /** Visits each reached item once, in no particular order. */
  forEach(visit: (item: Ordinal, weight: number) => void): void;
}

/** The start of a walk over the graph of users and items. See `RequestContext.walk`. */
export interface WalkOptions {
  /** The number of the viewer's latest interactions to start from. */
  history: number;
  /** An interaction this long before the viewer's latest one counts half. */
  half_life_hours: number;
  /** Uses only interactions within this time before the viewer's latest one. Default: all. */
  within_hours?: number;
}

export interface AffinityOptions {
  /** Per followed user: the number of their latest visible posts and of their latest positive interactions. */
  recent: number;
  /** The maximum number of followed users, those with the most recent activity first. */
  users: number;
  /** An interaction or post of this age counts half. */
  half_life_hours: number;
  /** Weights users by closeness to the viewer instead of equally. Default false. */
  closest?: boolean;
}

/** Bounds of the computation of a viewer's profile. See `RequestContext.profile`. */
export interface ProfileOptions {
  /** The number of the viewer's latest interactions. */
  history: number;
  /** The number of strongest values. */
  values: number;
  /** The number of newest items per value. */
  newest: number;
}

/** The start of a search for similar items. See `RequestContext.meaning`. */
export interface MeaningOptions {
  /** The number of the viewer's latest interactions to start from. */
  history: number;
  /** An interaction this long before the viewer's latest one counts half. */
  half_life_hours: number;
}

/**
 * Columns that group items. `items_by` lists the items of one value.
 *
 * Values are compared in normal form (`normaliseDomain`, `normaliseLanguage`, …). An item has all domains of its
 * embeds, including parent domains, and the language that `primaryLanguage` returns for its tag.
 */
export type GroupColumn = 'author' | 'channel' | 'app' | 'language' | 'publication_type' | 'domain' | 'label';

/**
 * The share of the usual work for a request. It is less than 1 while the service is overloaded.
 *
 * A lower effort reduces the number of candidates. It changes neither the page length nor the filters and rules.
 */
export type Effort = 1 | 0.5 | 0.25;

export interface Defaults {
  /** A label applies if its score is above this threshold. Setting, default 0.6. */
  readonly ai_label_threshold: number;
  /** The radius of filters on places. Setting, default 100. */
  readonly geo_radius_km: number;
}

/**
 * One feed request as plugins see it: the viewer, the time, and all columns of all items.
 *
 * It is frozen and synchronous and does no I/O. It is valid until the page is built. After that, methods that would
 * have to compute something throw. Methods named like a column read that column in O(1) without allocation, so they
 * may be called for each candidate.
 *
 * For NONE, columns and fields have the values of an unknown item or user: 0 (counts and times), NONE, NaN, '',
 * undefined or false. Signals and expected rates may only be asked for items.
 */
export interface RequestContext {
  /** The viewing user. NONE if there is no viewer or the service does not know the user. */
  readonly viewer: Ordinal;
  /** Seconds since the Unix epoch. The only permitted clock. */
  readonly now: number;
  /** Uniform in [0, 1), repeatable with the request's `seed`. The only permitted source of randomness. */
  random(): number;

  /** Service settings that filters use as defaults. */
  readonly defaults: Defaults;
  /** The number of items on the page. */
  readonly page_length: number;
  /** Already contained in the `wanted` of candidate sources. */
  readonly effort: Effort;

  /** NONE if unknown. */
  author(item: Ordinal): Ordinal;
  /** Seconds since the Unix epoch. */
  created_at(item: Ordinal): number;
  /** Whether the item has a `parent_item_id`. The parent itself may be unknown. */
  is_reply(item: Ordinal): boolean;
  likes_count(item: Ordinal): number;
  comments_count(item: Ordinal): number;
  shares_count(item: Ordinal): number;
  /**
   * Likes, comments and shares later than `since` (seconds), counted by the service or by the item's source.
   *
   * The first count of a source is engagement at `created_at`, and a later increase is engagement at the time of the
   * new count. Exact for the last 31 days. Cost: O(the item's interactions later than `since`) and O(log) of its
   * counts, 0.05 to 0.5 µs for a day.
   */
  engagement_since(item: Ordinal, since: number): number;
  /**
   * The repeated interactions within `engagement_since`: subtract them to count each user once.
   *
   * A source's counts do not name users, so only interactions since the last count are examined. For a popular item
   * only the latest of some hundred users are examined. O(these interactions).
   */
  repeated_since(item: Ordinal, since: number): number;

  /**
   * The engagements per hour that an item can expect in the next hours, learnt from the stream (`Trend`).
   *
   * All values share an unknown factor: use them to compare items. Call this once per request.
   */
  expected_rates(): (item: Ordinal) => number;
  /**
   * Whether engagement has been observed for two hours.
   *
   * Before that, expected rates show which items have the most engagement, but not how fast it arrives.
   */
  readonly pace_known: boolean;

  /** The user with this identifier. NONE if unknown. */
  user(user_id: string): Ordinal;
  /** The item with this identifier. NONE if unknown. */
  item(item_id: string): Ordinal;
  /** The code of a value of a group column (for an author: the ordinal). NONE if no item ever had the value. */
  code(column: GroupColumn, value: string): number;
  /** Whether an item has a value. O(the item's values). */
  has(column: GroupColumn, item: Ordinal, code: number): boolean;
  /**
   * Whether at least one of the item's values in a column passes a test. O(the item's values).
   *
   * The test gets the value's code and score: `label_score` for labels, otherwise 1. With it, a filter need not
   * compare each item with each entry of a long list.
   */
  any_value(column: GroupColumn, item: Ordinal, test: (code: number, score: number) => boolean): boolean;
  /** The item's score for a label, in [0, 1]. NaN if the item does not have the label. */
  label_score(item: Ordinal, label_code: number): number;
  /** The latitude of the item or else of its author, in degrees. NaN if unknown. */
  latitude(item: Ordinal): number;
  longitude(item: Ordinal): number;
  /** The numbers of each embedding. 0 if no item has one. */
  readonly embedding_length: number;

  // The next three methods throw for a field that is not in the extension's `reads`.
  /** The item's text without HTML markup. '' if unknown. Decoded per call: 0.1 to 0.4 µs for 140 characters. */
  text(item: Ordinal): string;
  /**
   * A field of the item, for example `item_field(item, 'metadata.price')`. Undefined if unknown.
   *
   * Numbers and booleans cost a lookup. Each call decodes strings and parses lists and objects.
   */
  item_field(item: Ordinal, name: ItemField): unknown;
  /** A field of a user: `user_field(request.author(item), 'username')`. Undefined if unknown, and for NONE. */
  user_field(user: Ordinal, name: UserField): unknown;

  /**
   * Whether the item counts as seen: the viewer viewed it or received it on a recorded page, in the feed's
   * `seen.after_hours`. False without a viewer.
   */
  has_seen(item: Ordinal): boolean;
  /** Whether the viewer liked, commented, shared or bookmarked the item. False without a viewer. */
  has_interacted(item: Ordinal): boolean;
  /** Whether the viewer hid or reported the item. False without a viewer. */
  has_hidden(item: Ordinal): boolean;
  /** Whether the viewer hid or reported at least `count` items of the author since `since` (seconds). */
  has_hidden_author(author: Ordinal, count: number, since: number): boolean;
  /** Whether the viewer blocks the user or is blocked by the user. False without a viewer. */
  is_blocked(user: Ordinal): boolean;

  follows(user: Ordinal, target: Ordinal): boolean;
  /** The users that `user` follows, in ascending order. Empty for NONE. O(follows). */
  following(user: Ordinal): Ordinal[];

  // The next three methods list items for candidate sources: only items that pass the feed's filters and visibility
  // rules for this viewer. If a filter or rule calls them, they cover all eligible items: live items that are neither
  // too old nor dated ahead. The same holds for `greatest`, `share` and signals. So a filter on a signal compares an
  // item with all eligible items, independent of the feed's other filters.

  /** Up to `limit` items of one value, newest first: `items_by('author', user, 20)`. */
  items_by(column: GroupColumn, value: number, limit: number): Ordinal[];
  /** Up to `limit` items, newest first. */
  newest(limit: number): Ordinal[];
  /**
   * Up to `limit` items with the highest values of a signal, best first.
   *
   * The signal must be ranked globally (`item`, `time`) or have `reaches`; throws for others. Of a ranking, the first
   * 512 or 2 × `limit` items are examined. A fractional limit is rounded up. Empty if the limit is not above 0.
   */
  best(signal: string, limit: number): Ordinal[];
  /**
   * The greatest value among the page's visible candidates so far. 0 if none is above 0, and for filters and rules.
   *
   * For signals of the viewer: call it once, when the first item is scored. Earlier, the sources have not finished.
   * O(candidates).
   */
  greatest_of_candidates(value: (item: Ordinal) => number): number;

  /**
   * A signal by name: `request.signal('popular')` returns `(item) => number` in [0, 1].
   *
   * Computed on demand, once per request. Throws if no plugin registered the name.
   */
  signal(name: string): (item: Ordinal) => number;

  /**
   * A random walk of three steps: from the viewer to their latest items, to the latest users of each, to the latest
   * items of each.
   *
   * The items that it starts from are left out. Computed once per request and options. Cost: some thousand additions,
   * for any length of history.
   */
  walk(options: WalkOptions): Reached;
  /**
   * Items that users followed by the viewer posted or interacted with. Computed once per request.
   *
   * Each user counts once per item, and once more for their own post. Older activity counts less.
   */
  affinity(options: AffinityOptions): Reached;
  /**
   * The newest items of the authors, channels, labels, apps and languages that the viewer interacts with most.
   *
   * It includes items without interactions. Rare values have more weight. Computed once per request.
   */
  profile(options: ProfileOptions): Reached;
  /**
   * Items whose embedding is similar to those of the viewer's latest items, including items without interactions.
   *
   * Each latest item leads to up to 48 similar ones, the most similar earlier and the latest later ones, without
   * itself. Computed once per request and options. Empty, at no cost, if no item has an embedding.
   */
  meaning(options: MeaningOptions): Reached;
  /** How many of the viewer's latest 200 interactions were on the author's items. Mostly 0. O(200). */
  acts_on_author(author: Ordinal): number;
  /**
   * How much the viewer dislikes similar items, in [0, 1). Call this once per request.
   *
   * It counts hides and reports of the item's author, channel and labels. 0, at no cost, for a viewer without any.
   */
  dislikes(): (item: Ordinal) => number;
  /**
   * The greatest weight among reached items that the feed may show, or for filters and rules among all eligible
   * items.
   *
   * Signals divide by it to be in [0, 1]. 0 if there is no such item.
   */
  greatest(reached: Reached): number;
  /** Weights divided by `greatest`, at most 1: a signal in [0, 1]. */
  share(reached: Reached): (item: Ordinal) => number;
  /**
   * All items that users followed by the viewer liked, commented or shared, weighted by the number of these users.
   *
   * Users in a block with the viewer do not count. O(all their interactions), once per request.
   */
  social_proof(): Reached;
}
