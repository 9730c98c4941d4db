import { type Fault, invalidValue, pointerSegment } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { dependsOn, isOfViewer } from '../plugin/depends-on.ts';
import type {
  FeedType,
  Filter,
  Ordinal,
  RequestContext,
  ScoringFunction,
  VisibilityRule,
} from '../plugin/index.ts';
import { isOff } from '../registry/off-values.ts';
import { blaming, pluginFailed } from '../registry/plugin-failed.ts';
import { isInRankingOrder, rankingProblem } from '../registry/rankings.ts';
import { isThirdParty, type Registry } from '../registry/registry.ts';
import { compileOptions } from './compile-options.ts';
import type {
  BoundFilter,
  BoundRule,
  BoundScoring,
  BoundSource,
  CompiledFeed,
  Diversity,
  FeedLearning,
  SeenMode,
  Test,
} from './compiled-feed.ts';
import type { COMPILED } from './compiled-parameters.ts';
import {
  guardAllows,
  guardNamedValues,
  guardParts,
  guardPostings,
  guardScore,
  guardSignals,
  guardTest,
} from './guard.ts';
import { learningOf, learningProblem, usualSignals, withLearning } from './learning.ts';
import type { FeedParameters } from './parameters.ts';

type BindTest = (request: RequestContext) => Test;
type BindScore = (request: RequestContext) => (item: Ordinal) => number;

/** The parameters that define a feed. Options of plugins are not checked yet. */
export type FeedSettings = Pick<FeedParameters, (typeof COMPILED)[number]>;

export type TimeDecay = NonNullable<FeedSettings['time_decay']>;

/** The visibility rule that drops seen items. */
const SEEN_RULE = 'seen';
const SECONDS_PER_HOUR = 3600;

/** The named time decays. */
export const HALF_LIFE_HOURS = { low: 168, medium: 48, high: 12 } as const;

/** Per feed type: the default scoring function, and the signal of the tail if the scoring function has no ranking. */
const DEFAULTS: Record<FeedType, { scoring: string; tail: string }> = {
  'for-you': { scoring: 'balanced_feed_v0.0.1', tail: 'popular' },
  trending: { scoring: 'trending_v0.0.1', tail: 'trending' },
  popular: { scoring: 'popular_v0.0.1', tail: 'popular' },
};

/** The signal that fills up for-you pages of viewers with little or no history, before `popular`. */
const FILLED_BY = 'trending';

/** The defaults of semantic diversity. */
const SEMANTIC_DIVERSITY = { lambda: 0.7, horizon: 10 };

/** The signals whose rankings the default feeds use. */
export const DEFAULT_RANKINGS: readonly string[] = [
  ...new Set(Object.values(DEFAULTS).map(({ tail }) => tail)),
];

/** The default scoring function of a feed type. */
export function defaultScoring(feed_type: FeedType): string {
  return DEFAULTS[feed_type].scoring;
}

/** An alias of the default scoring function of every feed type. */
export const DEFAULT_SCORING = 'all';

/**
 * Checks a feed completely and binds it to its plugins.
 * @param paged for plain pages, which show seen items again
 * @throws ServiceError `invalid_value` with every fault and its path
 */
export function compileFeed(
  registry: Registry,
  feed_type: FeedType,
  settings: FeedSettings,
  paged = false,
): CompiledFeed {
  const faults: Fault[] = [];
  const filters = compileFilters(registry, settings.filters ?? {}, '/filters', faults);
  const scoring_id = scoringId(feed_type, settings.scoring);
  const scoring = compileScoring(registry, feed_type, scoring_id, settings.scoring, faults);
  const rules = compileRules(registry, settings, paged, faults);
  if (faults.length > 0 || scoring === undefined) throw invalidValue(faults);
  const ranked_by = globalRanking(registry, scoring_id);
  const tail = ranked_by ?? DEFAULTS[feed_type].tail;
  // A trending or popular feed with a ranking needs no proposals, because its tail has the same order.
  const is_ranked = ranked_by !== undefined && (feed_type !== 'for-you' || scoring.in_order);
  const sources = is_ranked ? [] : sourcesOf(registry, scoring.signals);
  const half_life_hours = scoring.in_order ? undefined : halfLife(settings.time_decay);
  const diversity = diversityOf(settings.feed_diversity_config);
  const usual_candidates = usualCandidates(registry, scoring_id, ranked_by);
  return {
    feed_type,
    filters,
    scoring,
    rules,
    seen: seenMode(settings.seen, rules),
    sources,
    candidates: candidatesOf(
      settings.candidate_limit,
      diversity?.repeat_author_decay === undefined ? usual_candidates : LIMITS.candidates_wider,
    ),
    tail,
    filled_by:
      feed_type === 'for-you' && ranked_by === undefined ? filledBy(registry, scoring, sources) : undefined,
    half_life_hours,
    diversity,
    learning: scoring.learning ?? (settings.learn ? usualLearning(registry, feed_type) : undefined),
    by_default:
      scoring.learning &&
      once(() => compileFeed(registry, feed_type, { ...settings, scoring: undefined }, paged)),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function halfLife(decay: TimeDecay | undefined): number | undefined {
  if (decay === undefined) return undefined;
  return typeof decay === 'object' ? decay.half_life_hours : HALF_LIFE_HOURS[decay];
}

function seenMode(seen: FeedSettings['seen'], rules: readonly BoundRule[]): SeenMode {
  const { mode = 'drop', after_hours = Number.POSITIVE_INFINITY, rest_hours = 0 } = seen ?? {};
  return {
    mode,
    after_seconds: after_hours * SECONDS_PER_HOUR,
    rest_seconds: rest_hours * SECONDS_PER_HOUR,
    other_rules: rules.filter(({ id }) => id !== SEEN_RULE),
  };
}

function scoringId(feed_type: FeedType, scoring: FeedSettings['scoring']): string {
  const name = typeof scoring === 'object' ? scoring.name : scoring;
  return name === undefined || name === DEFAULT_SCORING ? defaultScoring(feed_type) : name;
}

/**
 * Checks filters and binds them to their plugins. Adds faults to `faults`.
 * @param place JSON pointer of the filters
 */
export function compileFilters(
  registry: Registry,
  filters: Record<string, unknown>,
  place: string,
  faults: Fault[],
): BoundFilter[] {
  const bound: BoundFilter[] = [];
  for (const [key, value] of Object.entries(filters)) {
    const path = `${place}/${pointerSegment(key)}`;
    const registered = registry.get('filters', key);
    if (registered === undefined) {
      faults.push({
        path,
        message: `is not a known filter; known are ${registry.ids('filters').join(', ')}`,
      });
      continue;
    }
    if (isOff(value)) continue;
    const compiled = compileOptions<BindTest, Filter>(registered, value, path, faults);
    if (compiled === undefined) continue;
    const postings = blaming(key, () => compiled.extension.postings?.(compiled.options));
    const depends_on = blaming(key, () => dependsOn(compiled.extension.depends_on, compiled.options));
    const attribution = registry.attribution('filters', key);
    const guarded = guardTest(attribution, compiled.run);
    const named_values = guardNamedValues(key, () => compiled.extension.named_values?.(compiled.options));
    bound.push({ ...guarded, postings: guardPostings(attribution, postings), depends_on, named_values });
  }
  return bound;
}

function compileScoring(
  registry: Registry,
  feed_type: FeedType,
  id: string,
  scoring: FeedSettings['scoring'],
  faults: Fault[],
): BoundScoring | undefined {
  const registered = registry.get('scoring_functions', id);
  const allowed = () =>
    registry
      .all('scoring_functions')
      .filter(({ extension }) => extension.feeds?.includes(feed_type) ?? true)
      .map((known) => known.id);
  const fits = registered?.extension.feeds?.includes(feed_type) ?? true;
  if (registered === undefined || !fits) {
    const reason =
      registered === undefined
        ? `'${id}' is not a known scoring function`
        : `'${id}' is not for ${feed_type} feeds`;
    faults.push({
      path: '/scoring',
      message: `${reason}; allowed are ${DEFAULT_SCORING}, ${allowed().join(', ')}`,
    });
    return undefined;
  }
  const options = typeof scoring === 'object' ? scoring.options : undefined;
  const compiled = compileOptions<BindScore, ScoringFunction>(
    registered,
    options,
    '/scoring/options',
    faults,
  );
  if (compiled === undefined) return undefined;
  const { extension, options: checked } = compiled;
  const parts = extension.parts && guardParts(id, (request) => extension.parts?.(checked)(request));
  const signals = guardSignals(id, () => extension.signals?.(checked, feed_type));
  const learns = guardSignals(id, () => extension.learns?.(checked, feed_type));
  const fault = (message: string) => faults.push({ path: '/scoring/options', message });
  for (const name of new Set([...(signals ?? []), ...(learns ?? [])])) {
    if (registry.get('signals', name) !== undefined) continue;
    fault(`'${name}' is not a known signal; known are ${registry.ids('signals').join(', ')}`);
  }
  const problem = learns && learningProblem(learns);
  if (problem !== undefined) fault(problem);
  const ceiling = blaming(id, () => extension.ceiling?.(checked));
  const attribution = registry.attribution('scoring_functions', id);
  const bound: BoundScoring = {
    ...guardScore(attribution, compiled.run),
    ceiling: ceiling && guardScore(attribution, ceiling).bind,
    parts,
    signals,
    in_order: isInRankingOrder(registry, id),
  };
  if (learns === undefined || problem !== undefined) return bound;
  return withLearning(bound, learningOf(feed_type, learns, scoringByDefault(registry, feed_type)));
}

function scoringByDefault(registry: Registry, feed_type: FeedType): BoundScoring {
  const faults: Fault[] = [];
  const scoring = compileScoring(registry, feed_type, defaultScoring(feed_type), undefined, faults);
  if (scoring === undefined) throw invalidValue(faults);
  return scoring;
}

function usualLearning(registry: Registry, feed_type: FeedType): FeedLearning | undefined {
  const signals = usualSignals(registry, feed_type);
  return signals && learningOf(feed_type, signals, scoringByDefault(registry, feed_type));
}

/** The signal whose global ranking has the order of a scoring function, if it declares one. */
function globalRanking(registry: Registry, scoring_id: string): string | undefined {
  const ranked_by = registry.get('scoring_functions', scoring_id)?.extension.ranked_by;
  if (ranked_by === undefined) return undefined;
  const problem = rankingProblem(registry, ranked_by);
  if (problem !== undefined) throw pluginFailed(scoring_id, new Error(problem));
  return ranked_by;
}

function compileRules(
  registry: Registry,
  settings: FeedSettings,
  paged: boolean,
  faults: Fault[],
): BoundRule[] {
  const wanted: [string, unknown, string][] = [
    ['blocked', {}, ''],
    ['hidden', {}, ''],
    ['muted', {}, ''],
  ];
  if (!paged) wanted.push([SEEN_RULE, {}, '']);
  if (!settings.show_interacted_items) wanted.push(['interacted', {}, '']);
  if (settings.remove_user_posts_from_feed) wanted.push(['own_posts', {}, '']);
  if (settings.return_only_posts_with_social_proof) wanted.push(['social_proof', {}, '']);
  for (const [id, options] of Object.entries(settings.visibility_rules ?? {})) {
    // As for filters, an unknown name is rejected even with the value null, since it is probably misspelt.
    if (options !== null || registry.get('visibility_rules', id) === undefined)
      wanted.push([id, options, `/visibility_rules/${pointerSegment(id)}`]);
  }
  const bound: BoundRule[] = [];
  const shows_seen = settings.seen?.mode === 'show';
  for (const [id, options, path] of wanted) {
    const registered = registry.get('visibility_rules', id);
    if (registered === undefined) {
      faults.push({
        path,
        message: `is not a known visibility rule; known are ${registry.ids('visibility_rules').join(', ')}`,
      });
      continue;
    }
    const compiled = compileOptions<BindTest, VisibilityRule>(registered, options, path, faults);
    if (compiled === undefined || (shows_seen && id === SEEN_RULE)) continue;
    const allows = blaming(id, () => compiled.extension.allows?.(compiled.options));
    const attribution = registry.attribution('visibility_rules', id);
    bound.push({ ...guardTest(attribution, compiled.run), allows: guardAllows(attribution, allows) });
  }
  return bound;
}

function candidatesOf(given: number | undefined, usual: number | undefined): CompiledFeed['candidates'] {
  if (given !== undefined) return { limit: given, is_default: false };
  return usual === undefined ? undefined : { limit: usual, is_default: true };
}

/** The number of candidates for a scoring function. Undefined: as many as sources usually propose. */
function usualCandidates(
  registry: Registry,
  scoring_id: string,
  ranked_by: string | undefined,
): number | undefined {
  if (ranked_by !== undefined) return undefined;
  const declared = registry.get('scoring_functions', scoring_id)?.extension.candidate_limit;
  return declared ?? (isThirdParty(scoring_id) ? LIMITS.candidates_wider : undefined);
}

/** Fills in defaults, and leaves out what changes nothing. */
function diversityOf(settings: FeedSettings['feed_diversity_config']): Diversity | undefined {
  if (settings === undefined) return undefined;
  const { repeat_author_decay = 1, semantic, ...limits } = settings;
  const diversity: Diversity = limits;
  if (repeat_author_decay !== 1) diversity.repeat_author_decay = repeat_author_decay;
  const { lambda, horizon } = { ...SEMANTIC_DIVERSITY, ...semantic };
  if (semantic !== undefined && lambda < 1) diversity.semantic = { lambda, horizon };
  return diversity;
}

/** @param used the signals that the scoring function uses, or undefined if unknown */
function sourcesOf(registry: Registry, used: readonly string[] | undefined): BoundSource[] {
  return registry.all('signals').flatMap(({ id, extension }) => {
    const { proposes } = extension;
    if (proposes === undefined || !(proposes.always || used?.includes(id) !== false)) return [];
    const { per_item, always = false, name = id } = proposes;
    return { id: name, signal: id, per_item, of_viewer: isOfViewer(extension) && !always };
  });
}

/** The first signal of the score with a global ranking, if none of its signals depends on the viewer. */
function filledBy(
  registry: Registry,
  { signals = [] }: BoundScoring,
  sources: readonly BoundSource[],
): string {
  if (sources.some(({ of_viewer }) => of_viewer)) return FILLED_BY;
  return signals.find((name) => rankingProblem(registry, name) === undefined) ?? FILLED_BY;
}
