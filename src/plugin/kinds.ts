import type { Static, TSchema } from '@sinclair/typebox';
import type { Ordinal } from './ordinal.ts';
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

export type FeedType = 'for-you' | 'trending' | 'popular';

/** Defines the pool of content: keeps an item or drops it, knowing nothing of scores. Spec 1.1. */
export interface Filter<O extends TSchema = TSchema> extends Extension<O> {
  kind: 'inclusion' | 'exclusion';
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => boolean;
  /**
   * For inclusion filters that keep exactly the items of some values of one column: those values. Lets a
   * narrow feed start from the items that match instead of testing all. `undefined`: not for these
   * options. The predicate is applied all the same.
   */
  postings?(
    options: Static<O>,
  ): ((request: RequestContext) => { column: GroupColumn; values: number[] }) | undefined;
}

/** Orders the candidates: a finite number ≥ 0, higher is better. Spec 1.2. */
export interface ScoringFunction<O extends TSchema = TSchema> extends Extension<O> {
  /** The feed types it may be used for; absent: all. */
  feeds?: readonly FeedType[];
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
}

/** Decides for one viewer whether an item may be shown. Spec 1.3. */
export interface VisibilityRule<O extends TSchema = TSchema> extends Extension<O> {
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => boolean;
  /**
   * For a rule that lets little through: every item that it might. Lets a feed start from those instead
   * of testing all. The rule is applied all the same.
   */
  allows?(options: Static<O>): (request: RequestContext) => Iterable<Ordinal> | undefined;
}

/** One measurement of an item for this viewer, in [0, 1]; its normalisation belongs into its docs. */
export interface Signal<O extends TSchema = TSchema> extends Extension<O> {
  /**
   * `item`: the same for every viewer, and changing only with time and with the item's own columns; such
   * a signal can be ranked globally (`request.best`). `viewer`: anything else.
   */
  depends_on: 'item' | 'viewer';
  compile(options: Static<O>): (request: RequestContext) => (item: Ordinal) => number;
  /**
   * For a signal of the viewer that is 0 for most items: the items for which it is not, weighted in the
   * signal's own order. Lets `request.best` list them without asking every item.
   */
  reaches?(options: Static<O>): (request: RequestContext) => Reached;
}

/** Proposes items worth scoring. Bounded; duplicates with other sources are fine. */
export interface CandidateSource<O extends TSchema = TSchema> extends Extension<O> {
  compile(options: Static<O>): (request: RequestContext) => Iterable<Ordinal>;
}

/** Everything that one module adds; ids are the keys. */
export interface Extensions {
  filters?: Record<string, Filter>;
  scoring_functions?: Record<string, ScoringFunction>;
  visibility_rules?: Record<string, VisibilityRule>;
  signals?: Record<string, Signal>;
  candidate_sources?: Record<string, CandidateSource>;
}

/** What a plugin file default-exports: plain data that the host checks before anything in it runs. */
export interface Plugin extends Extensions {
  meta: {
    /** Namespace of its ids: letters, digits and `-`, for example `acme`. */
    name: string;
    /** Its own version, for the list of plugins. */
    version: string;
    /** The contract it was written for: `PLUGIN_API`. */
    api: number;
  };
}
