import type { GroupColumn } from './group-column.ts';
import type { Ordinal } from './ordinal.ts';
import type { ItemField, UserField } from './reads.ts';
import type { WordEntry } from './word-entries.ts';

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

/** Where a computation from the viewer's latest interactions starts. */
export interface HistoryOptions {
  /** The number of the viewer's latest interactions to start from. */
  history: number;
  /** An interaction this long before the viewer's latest one counts half. */
  half_life_hours: number;
}

export interface WalkOptions extends HistoryOptions {
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

export interface ProfileOptions {
  /** The number of the viewer's latest interactions. */
  history: number;
  /** The number of strongest values. */
  values: number;
  /** The number of newest items per value. */
  newest: number;
}

export interface NewestOptions {
  column: GroupColumn;
  /** As `request.item.code` returns it. */
  code: number;
  limit: number;
}

export interface MoreOfOptions {
  /** The number of newest items per value. */
  newest: number;
}

/** The ways from the viewer to items, each with its options. See `viewer.reach`. */
export interface Ways {
  /**
   * A random walk of three steps: from the viewer to their latest items, to the latest users of each, to the latest
   * items of each.
   *
   * The items that it starts from are left out. Cost: some thousand additions, for any length of history.
   */
  walk: WalkOptions;
  /**
   * Items that users followed by the viewer posted or interacted with.
   *
   * Each user counts once per item, and once more for their own post. Older activity counts less.
   */
  affinity: AffinityOptions;
  /**
   * The newest items of the authors, channels, labels, apps and languages that the viewer interacts with most.
   *
   * It includes items without interactions. Rare values have more weight.
   */
  profile: ProfileOptions;
  /**
   * Items whose embedding is similar to those of the viewer's latest items, including items without interactions.
   *
   * Each latest item leads to up to 48 similar ones, the most similar earlier and the latest later ones, without
   * itself. Undefined if no item has an embedding.
   */
  meaning: HistoryOptions;
  /**
   * All items that users followed by the viewer liked, commented or shared, weighted by the number of these users.
   *
   * Users in a block with the viewer do not count. O(all their interactions).
   */
  social_proof: Record<never, never>;
  /** The newest items of one value of a group column, the newest with the greatest weight. Needs no viewer. */
  newest: NewestOptions;
  /**
   * The newest items of each author, channel and label that the viewer wants more of. Undefined if the viewer named none.
   */
  more_of: MoreOfOptions;
}

/**
 * Columns of items. Each is read in O(1) without allocation if nothing else is said, so it may be called for each
 * candidate.
 *
 * For NONE they have the values of an unknown item: 0 (counts and times), NONE, NaN, '', undefined or false.
 */
export interface ItemColumns {
  /** The item with this identifier. NONE if unknown. */
  find(item_id: string): Ordinal;
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
   * Likes, comments and shares later than `since` (seconds; `-Infinity`: ever), counted by the service or by the item's
   * source.
   *
   * The first count of a source is engagement at `created_at`, and a later increase is engagement at the time of the
   * new count. Exact for the last 31 days. Cost: O(the item's interactions later than `since`) and O(log) of its
   * counts, 0.05 to 0.5 µs for a day.
   * @param once_per_user counts each user once. A source's counts do not name users, so only interactions since the
   * last count are examined; of a popular item only the latest of some hundred users. Default false.
   */
  engagement_since(item: Ordinal, since: number, once_per_user?: boolean): number;
  /** The latitude of the item or else of its author, in degrees. NaN if unknown. */
  latitude(item: Ordinal): number;
  longitude(item: Ordinal): number;
  /** The code of a value of a group column (for an author: the ordinal). NONE if no item ever had the value. */
  code(column: GroupColumn, value: string): number;
  /**
   * Whether an item has a value: the one with a code, or one that passes a test. O(the item's values).
   *
   * A test gets the value's code and score: that of a label is in [0, 1], all others are 1. With a test, a filter need
   * not compare each item with each entry of a long list.
   */
  has(
    column: GroupColumn,
    item: Ordinal,
    wanted: number | ((code: number, score: number) => boolean),
  ): boolean;
  /**
   * Makes a test for items that have one of some labels at a time (seconds), or whose author has it. Call it once per
   * request. O(labels of the item and of its author).
   * @param labels each `<labeler>/<value>`, or with `*` as the labeler for any
   * @example request.item.labelled(['did:plc:1/spam'], request.now)
   */
  labelled(labels: readonly string[], now: number): (item: Ordinal) => boolean;
  /**
   * The items that the test of `labelled` may keep, and maybe some others. Undefined if there are many thousands.
   */
  labelled_items(labels: readonly string[]): readonly Ordinal[] | undefined;
  /**
   * A field of the item that is among the extension's `reads`; throws for others. `field(item, 'text')` is its text
   * without HTML markup, '' if unknown. Other fields are undefined if unknown.
   *
   * Numbers and booleans cost a lookup. Each call decodes texts (0.1 to 0.4 µs for 140 characters) and parses lists and
   * objects.
   */
  field(item: Ordinal, name: 'text'): string;
  field(item: Ordinal, name: ItemField): unknown;
  /**
   * A test whether the text, a tag, a link title or an alt text of an item matches: all entries of at least one list.
   *
   * For extensions with `reads: ['words']`. The words of all items are read at the first use, for which the request waits.
   * Call this once per request, with the list that `compile` made of the options: it is prepared once. 20 to 200 ns an
   * item. A prefix of more than 5,000 words fails the request with 400.
   * @example const lists = parseWordEntries(['jazz', ['vinyl', 'record*']]); // in `compile`
   */
  words(lists: readonly (readonly WordEntry[])[]): (item: Ordinal) => boolean;
}

/** A set of users, such as the members of a list. */
export interface UserList {
  readonly size: number;
  /** Whether a user is on it; false for NONE. O(1), without allocation. */
  has(user: Ordinal): boolean;
  /** In ascending order. O(size), so prefer `has`. */
  users(): Ordinal[];
}

/** Columns of users. */
export interface UserColumns {
  /** The user with this identifier. NONE if unknown. */
  find(user_id: string): Ordinal;
  /** A field of a user that is among the extension's `reads`; throws for others. Undefined if unknown, and for NONE. */
  field(user: Ordinal, name: UserField): unknown;
  /** The users that `user` follows, in ascending order. Empty for NONE. O(follows). */
  following(user: Ordinal): Ordinal[];
  /** A list of users, by the identifier that its sender gave it. Undefined if there is none. */
  list(list_id: string): UserList | undefined;
}

/** The viewing user. Without one, nothing was seen, hidden or liked, and nothing is blocked or muted. */
export interface Viewer {
  /** NONE if there is no viewer or the service does not know the user. */
  readonly user: Ordinal;
  /** Whether the item counts as seen: viewed, or received on a recorded page, in the feed's `seen.after_hours`. */
  has_seen(item: Ordinal): boolean;
  /** Whether the viewer liked, commented, shared or bookmarked the item. */
  has_interacted(item: Ordinal): boolean;
  /** Whether the viewer hid or reported the item. */
  has_hidden(item: Ordinal): boolean;
  /** Whether the viewer hid or reported at least `count` items of the author since `since` (seconds). */
  has_hidden_author(author: Ordinal, count: number, since: number): boolean;
  /** Whether the viewer mutes the item by their preferences. Own items never are. */
  is_muted(item: Ordinal): boolean;
  /** Whether the viewer blocks the user or is blocked by the user. */
  is_blocked(user: Ordinal): boolean;
  /** How many of the viewer's latest 200 interactions were on the author's items. Mostly 0. O(200). */
  acts_on_author(author: Ordinal): number;
  /**
   * How much the viewer dislikes similar items, in [0, 1). Call this once per request.
   *
   * It counts hides and reports of the item's author, channel and labels. 0, at no cost, for a viewer without any.
   */
  dislikes(): (item: Ordinal) => number;
  /**
   * How often the viewer was shown similar items lately without acting on them, in [0, 1). Call this once per request.
   *
   * It counts recorded pages of the last 48 hours, by the item's author, channel and labels. 0, at no cost, for a viewer
   * without any. O(100 shown items).
   */
  fatigue(): (item: Ordinal) => number;
  /**
   * The items that one of the `Ways` leads to. Computed once per request, way and options.
   *
   * @example request.viewer.reach('walk', { history: 100, half_life_hours: 24 })
   */
  reach<W extends keyof Ways>(
    way: W,
    options: Ways[W],
  ): W extends 'meaning' | 'more_of' ? Reached | undefined : Reached;
}

/** What can be expected of items, learnt from the stream of interactions. */
export interface Trend {
  /**
   * The engagements per hour that an item can expect in the next hours.
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
}

/** What logged pages tell of items. */
export interface Shown {
  /**
   * The acts of viewers on an item within a day of being shown it, for each time that it was shown, in [0, 1].
   *
   * For items that were shown seldom, it is near the rate of their author, channel, or all items. Call this once per
   * request.
   */
  click_rate(): (item: Ordinal) => number;
}

/** What was learnt from shown pages for a feed: a weight for each signal that its scoring function `learns`. */
export interface Learnt {
  /** The logarithm of the odds that a viewer who is shown the item acts on it: the sum of its terms. */
  logit(item: Ordinal): number;
  /** The terms by name: `intercept`, `default` for the score of the default scoring function, and each signal. */
  terms(item: Ordinal): Record<string, number>;
}

export interface Defaults {
  /** A label applies if its score is above this threshold. Setting, default 0.6. */
  readonly ai_label_threshold: number;
  /** The radius of filters on places. Setting, default 100. */
  readonly geo_radius_km: number;
}

/**
 * One feed request as plugins see it: the viewer, the time, the columns of all items and users, and signals.
 *
 * It is frozen and synchronous and does no I/O. It is valid until the page is built. After that, methods that would
 * have to compute something throw.
 */
export interface RequestContext {
  readonly viewer: Viewer;
  readonly item: ItemColumns;
  readonly user: UserColumns;
  readonly trend: Trend;
  readonly shown: Shown;
  /** Seconds since the Unix epoch. The only permitted clock. */
  readonly now: number;
  /** Uniform in [0, 1), repeatable with the request's `seed`. The only permitted source of randomness. */
  random(): number;
  /** Service settings that filters use as defaults. */
  readonly defaults: Defaults;
  /**
   * A signal by name: `request.signal('popular')` returns `(item) => number` in [0, 1]. Call the result for items only.
   *
   * Computed on demand, once per request. Throws if no plugin registered the name. A signal that `reaches` items is 1
   * for the best of those that the feed may show. For filters and rules it is 1 for the best of all eligible items (live,
   * neither too old nor dated ahead), so a filter on a signal does not depend on the feed's other filters.
   */
  signal(name: string): (item: Ordinal) => number;
  /**
   * A value of the best item by a signal that the feed may show, or else the greatest value among the page's visible
   * candidates so far. 0 if there are none. For filters and rules, which have no candidates: of all eligible items.
   *
   * Signals of the viewer divide by it to compare items with the best. Call it once, when the first item is scored: the
   * candidates are known then. The signal must be ranked globally or have `reaches`; of a ranking, the first 512 items
   * are examined. O(candidates) in the worst case.
   */
  greatest(signal: string, value: (item: Ordinal) => number): number;
  /** What was learnt for the feed. Call it once per request. Throws except for scoring functions with `learns`. */
  learnt(): Learnt;
}
