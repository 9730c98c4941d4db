import type {
  DependsOn,
  FeedType,
  Learnt,
  MixInput,
  NamedValue,
  Ordinal,
  Postings,
  RequestContext,
  Slot,
} from '../plugin/index.ts';

/** A function of a plugin. `id` names the plugin in errors, logs and traces. */
export interface Bound<Fn> {
  id: string;
  bind(request: RequestContext): Fn;
}

export type Test = (item: Ordinal) => boolean;

export interface BoundFilter extends Bound<Test> {
  /** Index entries that contain every item the filter keeps, if it declares them. */
  postings?(request: RequestContext): Postings | undefined;
  depends_on: DependsOn;
  /** The values that the options name, up to the limit. */
  named_values: readonly NamedValue[];
}

export interface BoundRule extends Bound<Test> {
  /** Every item that the rule may allow, if it can list them. */
  allows?(request: RequestContext): Iterable<Ordinal> | undefined;
}

/** A signal that proposes its best items as candidates. */
export interface BoundSource {
  /** The name of the source in explanations, traces and metrics. */
  id: string;
  signal: string;
  /** The number of proposals per item of the page. */
  per_item: number;
  /** It proposes what fits the viewer. If it proposes nothing, the viewer is unknown to that signal. */
  of_viewer: boolean;
}

/** The request that scoring functions get. */
export interface ScoringRequest extends RequestContext {
  /** What was learnt for a feed, of the items of a request. */
  learntFor(learning: FeedLearning, request: ScoringRequest): Learnt;
}

/** What is logged with the pages of a feed, so that it can be learnt from. */
export interface FeedLearning {
  feed_type: FeedType;
  signals: readonly string[];
  /** The keys under which they are logged, after that of the default's score. */
  keys: Uint32Array;
  /** The default scoring function of the feed type. */
  by_default: Omit<BoundScoring, 'learning'>;
}

export interface BoundScoring {
  id: string;
  bind(request: ScoringRequest): (item: Ordinal) => number;
  /** A cheap upper bound of an item's score. */
  ceiling?(request: ScoringRequest): (item: Ordinal) => number;
  /** The parts of an item's score, or of its logit if it is learnt, if the scoring function declares them. */
  parts?(request: ScoringRequest): (item: Ordinal) => Record<string, number>;
  /** What the scoring function learns from, if it does. */
  learning?: FeedLearning;
  /** The signals that it uses, if it declares them. */
  signals?: readonly string[];
  /** The feed is in the exact order of its ranking. See `ScoringFunction.ranked_by`. */
  in_order: boolean;
}

/** How often, and how far apart, items of one author or channel may be on a page. */
export interface Diversity {
  /** Maximum number of items of one channel on a page. */
  max_posts_per_channel?: number;
  /** Maximum number of items of one author on a page. */
  max_posts_per_author?: number;
  /** Minimum number of items between two items of one author. */
  min_distance_between_posts_from_same_author?: number;
  /** The score of an author's items is multiplied by it for each of them that the viewer was shown in 24 hours. */
  repeat_author_decay?: number;
  /** Moves items with similar embeddings apart. */
  semantic?: SemanticDiversity;
}

/** How much dissimilarity counts, and compared with how many items before. */
export interface SemanticDiversity {
  /** The weight of the score, from 0 to 1. The rest is the weight of dissimilarity. */
  lambda: number;
  horizon: number;
}

/** A promotion strategy with its options. */
export interface Promotion {
  id: string;
  mix(input: MixInput): Slot[];
}

/** What a feed does with items that the viewer has seen. */
export interface SeenMode {
  /** `drop`: left out. `last`: after all others, if the page is short. `show`: as any other item. */
  mode: 'drop' | 'last' | 'show';
  /** An item counts as seen for so long after it was last seen; infinite: for ever. */
  after_seconds: number;
  /** With `last`, an item returns so long after it was last seen at the earliest. */
  rest_seconds: number;
  /** The rules of the feed without the rule `seen`. */
  other_rules: BoundRule[];
}

/** A feed with checked options and resolved plugins, as the pipeline runs it. */
export interface CompiledFeed {
  feed_type: FeedType;
  filters: BoundFilter[];
  scoring: BoundScoring;
  rules: BoundRule[];
  seen: SeenMode;
  sources: BoundSource[];
  /**
   * How many candidates are scored: by the feed's `candidate_limit`, or by default for its scoring function.
   *
   * Undefined: as many as the sources usually propose.
   */
  candidates?: { limit: number; is_default: boolean };
  /** The signal whose ranking orders the remaining eligible items. It does not depend on the viewer. */
  tail: string;
  /** The signal whose ranking fills up a page if sources of the viewer propose less. Undefined: none. */
  filled_by?: string;
  /** Time decay: the age at which the score is halved. Undefined: no decay. */
  half_life_hours?: number;
  diversity?: Diversity;
  /** What is logged with its pages. Undefined: nothing. */
  learning?: FeedLearning;
  /** The same feed with the default scoring function, if its own one learns. */
  by_default?(): CompiledFeed;
}
