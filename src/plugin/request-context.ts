import type { Ordinal } from './ordinal.ts';
import type { ItemField, UserField } from './reads.ts';

/** Items that a computation arrived at, each with a weight above 0 (higher is stronger). */
export interface Reached {
  /** How many items were reached. */
  readonly size: number;
  /** The largest weight, 0 when nothing was reached. */
  readonly max: number;
  /** The weight of an item, 0 when it was not reached. O(1). */
  weight(item: Ordinal): number;
  /** Every reached item once, in no particular order, whenever it is asked. */
  forEach(visit: (item: Ordinal, weight: number) => void): void;
}

/** Where a walk over the graph of users and items starts; see `RequestContext.walk`. */
export interface WalkOptions {
  /** The viewer's latest interactions that the walk starts from. */
  history: number;
  /** One that came so long before the viewer's latest counts half. */
  half_life_hours: number;
  /** Only those of so many hours before the viewer's latest; default all. */
  within_hours?: number;
}

export interface AffinityOptions {
  /** Of each followed user so many count of the latest posts that can be shown, and of the latest items they approved of. */
  recent: number;
  /** Followed users that are looked at, those who posted or interacted last first. */
  users: number;
  /** An act that is so old counts half. */
  half_life_hours: number;
  /** Users count by how close they are to the viewer (`closeness`) instead of alike; default false. */
  closest?: boolean;
}

/** What of a viewer's taste is looked at; see `RequestContext.profile`. */
export interface ProfileOptions {
  /** The viewer's latest interactions that tell their taste. */
  history: number;
  /** The strongest values that are looked at. */
  values: number;
  /** The newest items of each. */
  newest: number;
}

/**
 * Columns that group items: `items_by` lists the items of one value. Values are compared in their normal
 * forms (`normaliseDomain` and its like); an item has every domain that its embeds lie in, parents included,
 * and the language that `primaryLanguage` gives for its tag.
 */
export type GroupColumn = 'author' | 'channel' | 'app' | 'language' | 'publication_type' | 'domain' | 'label';

/**
 * How much of the usual work a request is worth: less than 1 while the service has more to do than it can, so
 * that all of it is answered. A page is as long and as strict at any effort, only looked for less widely.
 */
export type Effort = 1 | 0.5 | 0.25;

export interface Defaults {
  /** A label counts when its score is above this and nothing else is said. Setting, default 0.6. */
  readonly ai_label_threshold: number;
  /** How near "located at" is. Setting, default 100. */
  readonly geo_radius_km: number;
}

/**
 * One feed request as a plugin sees it: who is looking, when, and every column of every item. Frozen,
 * synchronous, without I/O; it lives as long as the request: once the page is built, whatever would have to be found
 * for it throws. Methods named like a column read that column in O(1) without allocating, so they may be called once
 * per candidate.
 *
 * Columns and fields of NONE are those of an item or user of whom nothing is known: 0 (of counts and times), NONE,
 * NaN, '', undefined, false. Signals and expected rates are asked of items only.
 */
export interface RequestContext {
  /** The viewing user. NONE without one, and for a user that the service has never heard of. */
  readonly viewer: Ordinal;
  /** Seconds since the Unix epoch: the only clock. */
  readonly now: number;
  /** Uniform in [0, 1), repeatable with the request's `seed`: the only randomness. */
  random(): number;

  /** Settings of the service that filters fall back on. */
  readonly defaults: Defaults;
  /** Items that the page is to have: what a candidate source should think of. */
  readonly page_length: number;
  /** Where a source proposes several items for each of the page, so many times as many: but always a page full. */
  readonly effort: Effort;

  /** NONE when unknown. */
  author(item: Ordinal): Ordinal;
  /** Seconds since the Unix epoch. */
  created_at(item: Ordinal): number;
  /** The item replies to another one: it has a `parent_item_id`, whether that is known or not. */
  is_reply(item: Ordinal): boolean;
  likes_count(item: Ordinal): number;
  comments_count(item: Ordinal): number;
  shares_count(item: Ordinal): number;
  /**
   * Likes, comments and shares later than `since` (seconds), whether the service saw them or the item's
   * source counted them; everything for a time before all of them. Of what a source counts, the first count
   * is engagement at `created_at` and a rise when it was counted; exact for the last 31 days. O(the item's
   * interactions later than `since`) and O(log) of its counts: 0.05 to 0.5 µs for a day.
   */
  engagement_since(item: Ordinal, since: number): number;
  /**
   * How many likes, comments and shares of that are followed by another one of the same user: without them each user
   * counts once. Nothing is known of whom a source counted, so only acts since its last count are looked at, and of a
   * popular item only the latest, of some hundred users. O(these acts).
   */
  repeated_since(item: Ordinal, since: number): number;

  /**
   * Engagements per hour that an item can expect in the next hours, learnt from the stream itself (`Trend`);
   * all up to one factor, so they compare items and do not count. To be asked once per request.
   */
  expected_rates(): (item: Ordinal) => number;
  /**
   * Engagement has been watched for two hours. Before that, expected rates tell who has most of it, and not
   * how fast it comes.
   */
  readonly pace_known: boolean;

  /** The user with this identifier, NONE when the service has never heard of one. */
  user(user_id: string): Ordinal;
  /** The item with this identifier, NONE when the service has never heard of one. */
  item(item_id: string): Ordinal;
  /** The code of a value of a group column (of an author: their ordinal), NONE when no item ever had it. */
  code(column: GroupColumn, value: string): number;
  /** Whether an item has a value. O(the item's values). */
  has(column: GroupColumn, item: Ordinal, code: number): boolean;
  /**
   * Whether one of the values of an item in a column passes a test, which gets the value's code and its score: of labels as
   * `label_score`, else 1. O(the item's values): so a filter need not compare each item with each entry of a long list.
   */
  any_value(column: GroupColumn, item: Ordinal, test: (code: number, score: number) => boolean): boolean;
  /** The item's score for a label, in [0, 1]; NaN when it is not tagged with it. */
  label_score(item: Ordinal, label_code: number): number;
  /** Where the item is, else where its author is: degrees, NaN when unknown. */
  latitude(item: Ordinal): number;
  longitude(item: Ordinal): number;

  /**
   * The next three need their field in the extension's `reads`; they throw for one that is not there.
   */
  /** The item's text, without markup where it is HTML, '' when unknown. Decoded at each call: 0.1 to 0.4 µs for 140 characters. */
  text(item: Ordinal): string;
  /**
   * A field of the item, undefined when unknown: `item_field(item, 'metadata.price')`. Numbers and booleans
   * cost a lookup, strings are decoded at each call, lists and objects parsed.
   */
  item_field(item: Ordinal, name: ItemField): unknown;
  /** A field of a user: `user_field(request.author(item), 'username')`; undefined when unknown, and for NONE. */
  user_field(user: Ordinal, name: UserField): unknown;

  /** The viewer was shown this item, or viewed it. False without a viewer. */
  has_seen(item: Ordinal): boolean;
  /** The viewer liked, commented, shared or bookmarked this item. False without a viewer. */
  has_interacted(item: Ordinal): boolean;
  /** The viewer hid or reported this item. False without a viewer. */
  has_hidden(item: Ordinal): boolean;
  /** The viewer hid or reported `count` items or more of this author since `since` (seconds). */
  has_hidden_author(author: Ordinal, count: number, since: number): boolean;
  /** The viewer blocks this user, or is blocked by them. False without a viewer. */
  is_blocked(user: Ordinal): boolean;

  follows(user: Ordinal, target: Ordinal): boolean;
  /** Everybody that `user` follows, in ascending order; empty for NONE. O(follows). */
  following(user: Ordinal): Ordinal[];

  /**
   * The next three list items for candidate sources: only what this feed may show, that is what passes
   * its filters and visibility rules for this viewer. What that is, is for the filters and rules to say: asked by one of
   * them, these three, and `greatest`, `share` and signals, are about everything eligible: live items that are neither too
   * old nor dated ahead. So a filter on a signal asks for a share of all there is, whatever the feed's other filters leave.
   */
  /** Up to `limit` items of one value, newest first: `items_by('author', user, 20)`. */
  items_by(column: GroupColumn, value: number, limit: number): Ordinal[];
  /** Up to `limit` items, newest first. */
  newest(limit: number): Ordinal[];
  /**
   * Up to `limit` items for which a signal is highest, best first. For signals that depend on the item
   * alone (a cached ranking) and those that say what they reach; throws for others. Of a ranking the first 512 are
   * looked at, or 2 × `limit`. Empty for a limit that is not above 0; a part of one is one.
   */
  best(signal: string, limit: number): Ordinal[];
  /**
   * The greatest of a value among the page's candidates so far that may be shown; 0 when none is above, and for filters
   * and rules. For signals that depend on the viewer, to be asked once, when the first item is scored: before, sources are
   * not done. O(candidates).
   */
  greatest_of_candidates(value: (item: Ordinal) => number): number;

  /**
   * A signal by name: `request.signal('popular')` gives `(item) => number` in [0, 1]. Computed only when
   * asked for, once per request. Throws for a name that no plugin registered.
   */
  signal(name: string): (item: Ordinal) => number;

  /**
   * Random walk of three steps over the graph of users and items: viewer → their latest items → the
   * latest users of each → the latest items of each, without those that it starts from. Computed once per
   * request and options. Cost: some thousand additions, however much the viewer did.
   */
  walk(options: WalkOptions): Reached;
  /**
   * What the users followed by the viewer posted or interacted with: each counts once per item, and once
   * more for a post of their own, less the longer ago it was. Computed once per request.
   */
  affinity(options: AffinityOptions): Reached;
  /**
   * The newest items of the authors, channels, labels, apps and languages that the viewer interacts with most,
   * those that nobody has touched yet included; the rarer a value, the more it weighs. Once per request.
   */
  profile(options: ProfileOptions): Reached;
  /** How often the viewer interacted with each author's items lately: 0 for most. O(the viewer's latest 200). */
  acts_on_author(author: Ordinal): number;
  /**
   * How much the viewer dislikes what an item is like, in [0, 1), by what they hid or reported of its author,
   * channel and labels. 0 for a viewer who hid nothing, which costs nothing. To be asked once per request.
   */
  dislikes(): (item: Ordinal) => number;
  /**
   * The largest weight of what was reached among the items that this feed may show, and for a filter or rule among all
   * that are eligible: what a signal divides by to be in [0, 1]. 0 when there is none.
   */
  greatest(reached: Reached): number;
  /** Weights as shares of `greatest`, at most 1: a signal in [0, 1] of what was reached. */
  share(reached: Reached): (item: Ordinal) => number;
  /**
   * Every item that users followed by the viewer liked, commented or shared, weighted by how many of them
   * did; users in a block with the viewer do not count. O(all their interactions), once per request.
   */
  social_proof(): Reached;
}
