import type { Static, TSchema } from '@sinclair/typebox';
import type { PluginHost } from './host.ts';
import type { MetadataProvider } from './metadata.ts';
import type { Ordinal } from './ordinal.ts';
import type { Read } from './reads.ts';
import type { GroupColumn, Reached, RequestContext } from './request-context.ts';

/**
 * The kinds of extension. All share one shape, three closures: `compile(options)` runs once per feed
 * configuration, what it returns runs once per request, and what that returns runs once per item. So
 * options are parsed early, the viewer is looked up once, and the inner function is a few instructions.
 *
 * The return types are the rules: scoring cannot drop, filters cannot reorder, visibility cannot rescore.
 * A throw or a non-finite number fails the request with 500 and a log line that names the plugin.
 */
interface Extension<O extends TSchema> {
  /** One sentence for the list of plugins. */
  summary: string;
  /** TypeBox schema of the options: checks a configuration when it is saved, and types `compile`. */
  options: O;
}

/** An extension that looks at items through a `RequestContext`. */
interface Looking<O extends TSchema> extends Extension<O> {
  /**
   * What `request.text`, `item_field` and `user_field` are asked for. The host holds exactly these fields in
   * memory, all of them before it serves: a text takes its bytes in UTF-8 and 14 more, a number 9 bytes,
   * a string 15 beside its own. What nobody names here costs nothing and cannot be asked for.
   */
  reads?: readonly Read[];
}

export const FEED_TYPES = ['for-you', 'trending', 'popular'] as const;

export type FeedType = (typeof FEED_TYPES)[number];

/** Where the items that a filter may keep are listed: values of a group column, or all since or until then (seconds). */
export type Postings =
  | { column: GroupColumn; values: number[] }
  | { created_since: number }
  | { created_until: number };

/** A value that the options of a filter name. */
export interface NamedValue {
  column: GroupColumn;
  /** As the options have it. */
  given: string;
  /** Values of the column, in normal form, of which the filter looks for any. */
  values: readonly string[];
}

/** Defines the pool of content: keeps an item or drops it, knowing nothing of scores. Spec 1.1. */
export interface Filter<O extends TSchema = TSchema> extends Looking<O> {
  kind: 'inclusion' | 'exclusion';
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => boolean;
  /**
   * For inclusion filters that keep only items of some values of one column, or only items since or until a moment:
   * which. Lets a narrow feed start from the items that may match instead of testing all. `undefined`: not
   * for these options. The predicate is applied all the same.
   */
  postings?(options: Static<O>): ((request: RequestContext) => Postings) | undefined;
  /**
   * The values that the options name, of group columns. Answers warn of those that nothing in the network ever had, since
   * they are mostly misspelt; of many, the first thousand are looked up.
   */
  named_values?(options: Static<O>): readonly NamedValue[];
  /**
   * What the verdicts follow from beside the options, if from nothing else: `content`, what items say of themselves
   * (where their author is included); `item`, the counters `likes_count`, `comments_count` and `shares_count`, too.
   * Lets the service remember which items a feed keeps, and test again only those that changed. Absent or
   * `undefined`: anything else, such as the viewer, the time, fields of users or refreshed data.
   */
  depends_on?(options: Static<O>): 'content' | 'item' | undefined;
}

/** Orders the candidates: a finite number ≥ 0, higher is better. Spec 1.2. */
export interface ScoringFunction<O extends TSchema = TSchema> extends Looking<O> {
  /** The feed types it may be used for; absent: all. */
  feeds?: readonly FeedType[];
  /**
   * A signal that puts items into the same order as this function, and does not depend on the viewer: a
   * trending or popular feed then reads on in its global ranking, so its pages are the ranking's best
   * whatever the filters. Absent: in what the candidate sources propose, then in the feed type's own signal.
   * Items that score alike may stand in the ranking in any order. A name that is no such signal once all plugins are
   * loaded refuses the plugin.
   */
  ranked_by?: string;
  /**
   * The signals that it asks for, when it knows, what decides most first. Then sources that propose for another signal
   * are not asked, and names that options bring in are checked when a configuration is saved. Where none of them depends
   * on the viewer and has sources, pages are filled up by the first that has a ranking.
   */
  signals?(options: Static<O>): readonly string[];
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * What the score of an item never exceeds, when that is cheaper to say than the score: candidates are put in order by
   * it, and scored only when they come to the top. The page is the same.
   */
  ceiling?(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * What the score of an item is made of: named numbers whose sum is the score. For answers that explain
   * themselves (`explain`); never called for others. Absent: nothing is said.
   */
  parts?(options: Static<O>): (request: RequestContext) => (item: Ordinal) => Record<string, number>;
}

/** Decides for one viewer whether an item may be shown. Spec 1.3. */
export interface VisibilityRule<O extends TSchema = TSchema> extends Looking<O> {
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => boolean;
  /**
   * For a rule that lets little through: every item that it might. Lets a feed start from those instead
   * of testing all. The rule is applied all the same.
   */
  allows?(options: Static<O>): (request: RequestContext) => Iterable<Ordinal> | undefined;
}

/** One measurement of an item for this viewer, in [0, 1]; its normalisation belongs into its docs. */
export interface Signal<O extends TSchema = TSchema> extends Looking<O> {
  /**
   * `item`: the same for every viewer, and changing only with the item's own columns. `time`: the same, and
   * changing with time, too. Both can be ranked globally (`request.best`). `viewer`: anything else, fields of users
   * and refreshed data included.
   */
  depends_on: 'item' | 'time' | 'viewer';
  /**
   * For `time`: seconds after which a global ranking is to be built anew although nothing happened to its
   * items; default 5. Scores are always those of the moment, what lags is which items are looked at.
   */
  drift_seconds?: number;
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * For a signal of the viewer that is 0 for most items: the items for which it is not, weighted in the
   * signal's own order. Lets `request.best` list them without asking every item. NONE is left out.
   */
  reaches?(options: Static<O>): (request: RequestContext) => Reached;
}

/** Proposes items worth scoring. Bounded; duplicates with other sources are fine. */
export interface CandidateSource<O extends TSchema = TSchema> extends Looking<O> {
  /** The signal whose best items it proposes: of no use to scoring functions that do not ask for it. */
  proposes_for?: string;
  compile(options: Static<O>): (request: RequestContext) => Iterable<Ordinal>;
}

/** An item to be promoted, in the order in which it should appear. */
export interface Promoted {
  item: Ordinal;
  /** 1-based slot that it is pinned to. */
  rank?: number;
}

export interface MixInput {
  /** The main list, best first; may be longer or shorter than the page. */
  main: readonly Ordinal[];
  /** May hold items of the main list, too. */
  promoted: readonly Promoted[];
  /** Items that the page is to have. */
  page: number;
  /** How many times the page's length is mixed before it is cut. Setting, default 2. */
  overfetch_factor: number;
  /** Uniform in [0, 1), repeatable with the request's `seed`: the only randomness. */
  random(): number;
}

export interface Slot {
  item: Ordinal;
  promoted: boolean;
}

/**
 * Puts promoted items between those of the main list, spec 8: `page` slots, fewer only when no item of the main list is
 * left; no item twice, only items that were handed in. Runs once per page.
 */
export interface PromotionStrategy<O extends TSchema = TSchema> extends Extension<O> {
  /**
   * Promoted items that the page has no slot for make no difference to it (of those without a rank all but the first `page`, and
   * those pinned beyond its end), and without promoted items the page is the beginning of the main list. Then a late plain page costs
   * no more than an early one, however many items are promoted. Default false.
   */
  within_page?: boolean;
  compile(options: Static<O>): (input: MixInput) => Slot[];
}

/** Everything that one module adds; ids are the keys. */
export interface Extensions {
  filters?: Record<string, Filter>;
  scoring_functions?: Record<string, ScoringFunction>;
  visibility_rules?: Record<string, VisibilityRule>;
  signals?: Record<string, Signal>;
  candidate_sources?: Record<string, CandidateSource>;
  promotion_strategies?: Record<string, PromotionStrategy>;
  metadata_providers?: Record<string, MetadataProvider>;
}

/** What a plugin file default-exports: plain data that the host checks before anything in it runs. */
export interface Plugin extends Extensions {
  /**
   * Runs once at start, before anything is compiled and before the service answers; may be async. A throw
   * refuses the plugin. What it makes is for the plugin to keep, in a variable of its module.
   */
  setup?(host: PluginHost): void | Promise<void>;
  /** Runs when the service stops, if `setup` succeeded; the host ends what `refresh` started by itself. */
  dispose?(): void | Promise<void>;
  meta: {
    /** Namespace of its ids: letters, digits and `-`, for example `acme`. */
    name: string;
    /** Its own version, for the list of plugins. */
    version: string;
    /** The contract it was written for: `PLUGIN_API`. */
    api: number;
  };
}
