import type { Static, TSchema } from '@sinclair/typebox';
import type { Connector } from './connector.ts';
import type { PluginHost } from './host.ts';
import type { MetadataProvider } from './metadata.ts';
import type { Ordinal } from './ordinal.ts';
import type { Read } from './reads.ts';
import type { GroupColumn, Reached, RequestContext } from './request-context.ts';
import type { Webhook } from './webhook.ts';

/**
 * Base of all kinds of extension. All have the same shape, which is three nested functions.
 *
 * `compile(options)` runs once per feed configuration. Its result runs once per request, and the result of that runs
 * once per item. So options are parsed early, the viewer is looked up once, and the inner function is small.
 *
 * The return types limit each kind: a scoring function cannot drop items, a filter cannot reorder them, and a
 * visibility rule cannot change scores. A throw or a non-finite number fails the request with 500 and a log line that
 * names the plugin.
 */
interface Extension<O extends TSchema> {
  /** One sentence, shown in the list of plugins. */
  summary: string;
  /** TypeBox schema of the options. Configurations are checked against it when they are saved. It types `compile`. */
  options: O;
}

interface ItemReader<O extends TSchema> extends Extension<O> {
  /**
   * The fields that the extension reads with `request.text`, `item_field` and `user_field`.
   *
   * The host loads exactly these fields into memory before it serves. Memory: a text takes its UTF-8 bytes plus 14, a
   * number 9 bytes, a string its bytes plus 15. Reading any other field throws.
   */
  reads?: readonly Read[];
}

export const FEED_TYPES = ['for-you', 'trending', 'popular'] as const;

export type FeedType = (typeof FEED_TYPES)[number];

/** Where to find the items that a filter may keep: values of a group column, or a time bound in seconds. */
export type Postings =
  | { column: GroupColumn; values: number[] }
  | { created_since: number }
  | { created_until: number };

/** A value that appears in the options of a filter. */
export interface NamedValue {
  column: GroupColumn;
  /** The value as it is written in the options. */
  given: string;
  /** The values of the column, in normal form, that the option matches. */
  values: readonly string[];
}

/** Defines the pool of content: keeps or drops each item, independent of scores. Spec 1.1. */
export interface Filter<O extends TSchema = TSchema> extends ItemReader<O> {
  kind: 'inclusion' | 'exclusion';
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => boolean;
  /**
   * Index entries for the items that an inclusion filter may keep: values of one column, or a time range.
   *
   * A narrow feed then starts from these items instead of testing all items. Undefined if these options have no
   * index. The predicate is always applied as well.
   */
  postings?(options: Static<O>): ((request: RequestContext) => Postings) | undefined;
  /**
   * The values of group columns that the options name.
   *
   * Answers contain a warning for values that no item ever had, since these are mostly misspelt. Only the first
   * thousand are checked.
   */
  named_values?(options: Static<O>): readonly NamedValue[];
  /**
   * The inputs of the filter besides its options. It allows the service to cache which items a feed keeps.
   *
   * `content`: data of the item itself, including its author. `item`: also the counters `likes_count`,
   * `comments_count` and `shares_count`. Absent or undefined: any other input, such as the viewer, the time, fields
   * of users or refreshed data; then nothing is cached.
   */
  depends_on?(options: Static<O>): 'content' | 'item' | undefined;
}

/** Orders the candidates. A score is a finite number ≥ 0, and higher is better. Spec 1.2. */
export interface ScoringFunction<O extends TSchema = TSchema> extends ItemReader<O> {
  /** The feed types that may use it. Absent: all. */
  feeds?: readonly FeedType[];
  /**
   * A signal that orders items like this function and does not depend on the viewer.
   *
   * Trending and popular feeds then page through the signal's global ranking, so each page has the best items for any
   * filters. Without it, pages contain the candidate sources' proposals first, then items in the order of the feed
   * type's own signal. Items with equal scores may have any order in the ranking. The plugin is rejected if no such
   * signal exists once all plugins are loaded.
   */
  ranked_by?: string;
  /**
   * The feed is in the exact order of `ranked_by`, whose signal does not change with time. Default false.
   *
   * So nothing is proposed or explored, `time_decay` has no effect, and for-you pages need no viewer.
   */
  in_order?: boolean;
  /**
   * How many candidates are scored if the feed has no `candidate_limit`: an integer from 100 to 2,000. Default 500.
   *
   * Not used for trending and popular feeds with `ranked_by`, because the ranking already has the right order.
   */
  candidate_limit?: number;
  /**
   * The signals that the function uses, the most important first. Absent: unknown.
   *
   * Sources that propose for other signals are then skipped, and signal names from options are checked when a
   * configuration is saved. If none of the signals depends on the viewer and has sources, the first signal with a
   * global ranking fills up pages.
   */
  signals?(options: Static<O>): readonly string[];
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * An upper bound of an item's score that is cheaper than the score.
   *
   * Candidates are ordered by the bound, and only those near the top are scored. The page does not change.
   */
  ceiling?(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /** Named numbers that add up to an item's score. Only called for answers with `explain`. */
  parts?(options: Static<O>): (request: RequestContext) => (item: Ordinal) => Record<string, number>;
}

/** Decides whether a viewer may see an item. Spec 1.3. */
export interface VisibilityRule<O extends TSchema = TSchema> extends ItemReader<O> {
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => boolean;
  /**
   * For rules that allow few items: all items that the rule may allow.
   *
   * A feed then starts from these items instead of testing all items. The rule is always applied as well.
   */
  allows?(options: Static<O>): (request: RequestContext) => Iterable<Ordinal> | undefined;
}

/** A measurement of an item for a viewer, in [0, 1]. Its documentation should state the normalisation. */
export interface Signal<O extends TSchema = TSchema> extends ItemReader<O> {
  /**
   * `item`: equal for all viewers, and changes only with the item's own columns. `time`: equal for all viewers, and
   * also changes with time. Both can be ranked globally (`request.best`). `viewer`: any other input, including fields
   * of users and refreshed data.
   */
  depends_on: 'item' | 'time' | 'viewer';
  /**
   * For `time`: maximum age in seconds of a global ranking without changes of its items. Default 5.
   *
   * Scores are always current. Only the choice of items in the ranking lags behind.
   */
  drift_seconds?: number;
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * For a viewer's signal that is 0 for most items: the other items, with weights in the order of the signal.
   *
   * `request.best` then lists them without evaluating every item. NONE is ignored.
   */
  reaches?(options: Static<O>): (request: RequestContext) => Reached;
}

/** Proposes candidates for scoring. Several sources may propose the same item. */
export interface CandidateSource<O extends TSchema = TSchema> extends ItemReader<O> {
  /** The signal whose best items it proposes. Scoring functions that do not use the signal skip this source. */
  proposes_for?: string;
  /**
   * How many items it proposes per item of the page: a number above 0 and up to 100. Default 1.
   *
   * It is also the source's share of a feed's `candidate_limit`, compared with the other sources of the feed.
   */
  per_item?(options: Static<O>): number;
  /**
   * Whether it can propose anything. If not, it is not asked, and its share goes to the other sources. Default: yes.
   *
   * For a source that needs data which a community may lack. Called once per feed and page, so it must be cheap.
   */
  applies?(options: Static<O>): (request: RequestContext) => boolean;
  /**
   * `wanted` is how many items to propose, best first: `per_item` times the length of the page, fewer under load, or
   * the source's share of the feed's `candidate_limit`. Of a limited feed, further items are only used while the
   * proposals of all sources are fewer than the limit.
   */
  compile(options: Static<O>): (request: RequestContext, wanted: number) => Iterable<Ordinal>;
}

/** An item to promote. Lists are in the intended order. */
export interface Promoted {
  item: Ordinal;
  /** The 1-based slot that the item is pinned to. */
  rank?: number;
}

export interface MixInput {
  /** The main list, best first. It may be shorter or longer than the page. */
  main: readonly Ordinal[];
  /** May contain items of the main list. */
  promoted: readonly Promoted[];
  /** The requested number of items. */
  page: number;
  /** The mix is made for this multiple of the page's length and then cut. Setting, default 2. */
  overfetch_factor: number;
  /** Uniform in [0, 1), repeatable with the request's `seed`. The only permitted source of randomness. */
  random(): number;
}

export interface Slot {
  item: Ordinal;
  promoted: boolean;
}

/**
 * Places promoted items between those of the main list. Runs once per page. Spec 8.
 *
 * Returns `page` slots, or fewer if the main list has no more items. Contains only given items, and none twice.
 */
export interface PromotionStrategy<O extends TSchema = TSchema> extends Extension<O> {
  /**
   * Promoted items without a slot on the page do not change the page. Default false.
   *
   * These are all items without a rank after the first `page`, and all items pinned beyond the page. Also, without
   * promoted items the page is the beginning of the main list. Late plain pages then cost no more than early ones,
   * for any number of promoted items.
   */
  within_page?: boolean;
  compile(options: Static<O>): (input: MixInput) => Slot[];
}

/** All extensions of one module, by id. */
export interface Extensions {
  filters?: Record<string, Filter>;
  scoring_functions?: Record<string, ScoringFunction>;
  visibility_rules?: Record<string, VisibilityRule>;
  signals?: Record<string, Signal>;
  candidate_sources?: Record<string, CandidateSource>;
  promotion_strategies?: Record<string, PromotionStrategy>;
  metadata_providers?: Record<string, MetadataProvider>;
  connectors?: Record<string, Connector>;
  webhooks?: Record<string, Webhook>;
}

/** The default export of a plugin file. It is plain data that the host checks before it runs any of its code. */
export interface Plugin extends Extensions {
  /**
   * Runs once at start, before extensions are compiled and before the service answers. May be async.
   *
   * A throw rejects the plugin. The plugin keeps results in variables of its module.
   */
  setup?(host: PluginHost): void | Promise<void>;
  /** Runs when the service stops, if `setup` succeeded. The host itself stops the runs of `refresh`. */
  dispose?(): void | Promise<void>;
  meta: {
    /** Namespace of the plugin's ids: letters, digits and `-`, for example `acme`. */
    name: string;
    /** The plugin's own version, shown in the list of plugins. */
    version: string;
    /** The version of the contract that it was written for: `PLUGIN_API`. */
    api: number;
  };
}
