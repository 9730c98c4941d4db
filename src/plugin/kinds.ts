import type { Static, TSchema } from '@sinclair/typebox';
import type { DependsOn, DependsOnOptions } from './depends-on.ts';
import type { GroupColumn } from './group-column.ts';
import type { PluginHost } from './host.ts';
import type { Integration } from './integration.ts';
import type { Ordinal } from './ordinal.ts';
import type { Read } from './reads.ts';
import type { SignalReason } from './reason.ts';
import type { Reached, RequestContext } from './request-context.ts';

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
   * The fields that the extension reads with `request.item.field` and `request.user.field`.
   *
   * The host loads exactly these fields into memory before it serves. Memory: a text takes its UTF-8 bytes plus 14, a
   * number 9 bytes, a string its bytes plus 15. Reading any other field throws. With `words`, the words of items are held
   * for `request.item.words`.
   * @example reads: ['item.text', 'user.metadata.verified']
   */
  reads?: readonly Read[];
}

export const FEED_TYPES = ['for-you', 'trending', 'popular'] as const;

export type FeedType = (typeof FEED_TYPES)[number];

/** Where to find the items that a filter may keep: values of a group column, the items, or a time bound in seconds. */
export type Postings =
  | { column: GroupColumn; values: number[] }
  | { items: readonly Ordinal[] }
  | { created_since: number }
  | { created_until: number };

/** A value that appears in the options of a filter. */
export interface NamedValue {
  /** `list_id`: a list of users. */
  column: GroupColumn | 'list_id';
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
   * A narrow feed then starts from these items instead of testing all items. Undefined if these options, or they for
   * this request, have no index. The predicate is always applied as well.
   * @example postings: ({ since }) => () => ({ created_since: since })
   */
  postings?(options: Static<O>): ((request: RequestContext) => Postings | undefined) | undefined;
  /**
   * The values of group columns that the options name.
   *
   * Answers contain a warning for values that no item ever had, since these are mostly misspelt. Only the first
   * thousand are checked.
   * @example named_values: (channels) => valuesNamed('channel', channels)
   */
  named_values?(options: Static<O>): readonly NamedValue[];
  /**
   * The inputs of the filter besides its options. Default `viewer`.
   *
   * Which items a filter of `content` or `item` keeps is cached.
   * @example depends_on: 'content'
   */
  depends_on?: DependsOn | DependsOnOptions<Static<O>>;
}

/** Orders the candidates. A score is a finite number ≥ 0, and higher is better. Spec 1.2. */
export interface ScoringFunction<O extends TSchema = TSchema> extends ItemReader<O> {
  /**
   * The feed types that may use it. Absent: all.
   * @example feeds: ['trending', 'popular']
   */
  feeds?: readonly FeedType[];
  /**
   * A signal that orders items like this function and does not depend on the viewer.
   *
   * Trending and popular feeds then page through the signal's global ranking, so each page has the best items for any
   * filters. Without it, pages contain the candidate sources' proposals first, then items in the order of the feed
   * type's own signal. Items with equal scores may have any order in the ranking. The plugin is rejected if no such
   * signal exists once all plugins are loaded.
   *
   * If the signal depends on `content` alone, a feed of any type is in exactly that order: nothing is proposed or
   * explored, `time_decay` has no effect, and for-you pages need no viewer.
   * @example ranked_by: 'popular'
   */
  ranked_by?: string;
  /**
   * How many candidates are scored if the feed has no `candidate_limit`: an integer from 100 to 2,000. Default 500.
   *
   * Not used for trending and popular feeds with `ranked_by`, because the ranking already has the right order.
   * @example candidate_limit: 1_000
   */
  candidate_limit?: number;
  /**
   * The signals that the function uses, the most important first. Absent: unknown.
   *
   * Other signals then propose no candidates, unless they always do, and signal names from options are checked when a
   * configuration is saved. If none of the signals depends on the viewer and proposes, the first signal with a global
   * ranking fills up pages.
   * @example signals: ({ weights }) => Object.keys(weights)
   */
  signals?(options: Static<O>, feed_type: FeedType): readonly string[];
  /**
   * The signals whose weights are learnt from shown pages: at most 24. `request.learnt()` has what was learnt.
   *
   * Their values are logged with every page. A feed has the default scoring function of its type instead while nothing is
   * learnt, for the viewers of its control, and after it fell back. The function must not have `ranked_by`.
   * @example learns: () => ['click_rate', 'fatigue', 'popular']
   */
  learns?(options: Static<O>, feed_type: FeedType): readonly string[];
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * An upper bound of an item's score that is cheaper than the score.
   *
   * Candidates are ordered by the bound, and only those near the top are scored. The page does not change.
   * @example ceiling: () => (request) => request.signal('popular')
   */
  ceiling?(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * Named numbers that add up to an item's score; with `learns`, to the logarithm of its odds, log(score / (1 - score)).
   * Only called for answers with `explain`.
   * @example parts: () => (request) => (item) => ({ likes: request.item.likes_count(item) })
   */
  parts?(options: Static<O>): (request: RequestContext) => (item: Ordinal) => Record<string, number>;
}

/** Decides whether a viewer may see an item. Spec 1.3. */
export interface VisibilityRule<O extends TSchema = TSchema> extends ItemReader<O> {
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => boolean;
  /**
   * For rules that allow few items: all items that the rule may allow.
   *
   * A feed then starts from these items instead of testing all items. The rule is always applied as well.
   * @example allows: ({ item_id }) => (request) => [request.item.find(item_id)]
   */
  allows?(options: Static<O>): (request: RequestContext) => Iterable<Ordinal> | undefined;
}

/** Makes a signal a source of candidates: the items with its highest values are scored. */
export interface Proposes {
  /**
   * How many items it proposes per item of the page: a number above 0 and up to 100. Fewer under load.
   *
   * It is also the signal's share of a feed's `candidate_limit`, compared with the other signals that propose.
   */
  per_item: number;
  /**
   * Proposes also to feeds whose scoring function does not use the signal. Feeds in the order of a global ranking have no
   * proposals. Default: only to feeds whose scoring function uses the signal, or may use any.
   */
  always?: boolean;
  /** The name of the source in explanations and metrics. Default: the id of the signal. */
  name?: string;
}

interface AnySignal<O extends TSchema> extends ItemReader<O> {
  /**
   * The inputs of the signal. Default `viewer`. Others are equal for all viewers, so the best items are cached in a
   * global ranking.
   * @example depends_on: 'item'
   */
  depends_on?: DependsOn;
  /**
   * For `time`: maximum age in seconds of a global ranking without changes of its items. Default 5.
   *
   * Scores are always current. Only the choice of items in the ranking lags behind.
   * @example drift_seconds: 60
   */
  drift_seconds?: number;
  /**
   * Proposes the best items as candidates. Needs a global ranking or `reaches`.
   * @example proposes: { per_item: 1.5 }
   */
  proposes?: Proposes;
  /**
   * What the signal says to a viewer about an item that it lifts. Absent: nothing, as for signals that lower a score.
   * @example reason: 'similar_taste'
   */
  reason?: SignalReason;
}

/** A signal that measures each item. */
interface MeasuringSignal<O extends TSchema> extends AnySignal<O> {
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  reaches?: undefined;
}

/** A signal of the viewer that is 0 for most items. */
interface ReachingSignal<O extends TSchema> extends AnySignal<O> {
  /**
   * The items that the signal is above 0 for, with weights above 0.
   *
   * A value is the weight divided by the greatest of an item that the feed may show. NONE is ignored. Undefined if the
   * community lacks what the signal needs: its share of the candidates then goes to other signals.
   * @example reaches: () => (request) => new Map([[request.item.find('a'), 1]])
   */
  reaches(
    options: Static<O>,
  ): (request: RequestContext) => Reached | ReadonlyMap<Ordinal, number> | undefined;
  compile?: undefined;
}

/** A measurement of an item for a viewer, in [0, 1]. Its documentation should state the normalisation. */
export type Signal<O extends TSchema = TSchema> = MeasuringSignal<O> | ReachingSignal<O>;

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
   * @example within_page: true
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
  promotion_strategies?: Record<string, PromotionStrategy>;
  integrations?: Record<string, Integration>;
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
    /** The version of the contract that it was written for, as a number: this is 2. */
    api: number;
  };
}
