import { LRUCache } from 'lru-cache';
import { type Fault, invalidValue, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { compileFeed } from './compile-feed.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import { COMPILED, SWITCHES } from './compiled-parameters.ts';
import type { FeedParameters } from './parameters.ts';
import { type CompiledPromotion, compilePromotion, promotionWarnings } from './promotion.ts';
import type { SavedFeed } from './saved-feed.ts';
import type { SavedFeeds } from './saved-feeds.ts';

/**
 * A feed that another feed takes items from.
 *
 * It has its own filters, type, scoring and decay, and the other's switches.
 */
export interface SubFeed {
  /** Undefined for feeds that are not saved. */
  feed_id: string | undefined;
  source_feed: string;
  /** Compiled on demand. */
  compiled(): CompiledFeed;
}

export interface PromotionPlan extends CompiledPromotion {
  /** The source of promoted items, unless they are hand-picked. */
  feed: SubFeed | undefined;
}

/** The other one of two interleaved feeds. Everything but the order of the main list is that of the first. */
export interface RivalPlan {
  compiled: CompiledFeed;
  source_feed: string;
  /** The names of both. */
  teams: readonly [string, string];
}

/** A feed with all feeds that it takes items from. Spec 1.4. */
export interface FeedPlan {
  feed_id: string | undefined;
  source_feed: string;
  compiled: CompiledFeed;
  /** In the order in which they are tried. */
  fallbacks: SubFeed[];
  promotion: PromotionPlan | undefined;
  /** A feed whose list is interleaved with that of this one. */
  rival?: RivalPlan;
  /** Whether warnings and explanations may show a parameter, or one of its filters. */
  shows(parameter: keyof FeedParameters, filter?: string): boolean;
}

/** Where a feed's parameters come from. It determines permissions and the effect of missing references. */
export interface Origin {
  /** The account of the saved feed's owner. */
  saved_account: string | undefined;
  /** The account of the request. */
  request_account: string | undefined;
  /** See `FeedRequest`. */
  shown_account: string | undefined;
  /** Parameters of the request. A missing feed is an error if the request names it, and skipped if it was saved. */
  given: FeedParameters;
  /** The feed was checked in this request, and its warnings are already reported. */
  is_reported: boolean;
}

/** A revision of a saved feed, and whose right to read it counts: that of the request, or of a feed that names it. */
export interface UsedFeed {
  feed_id: string;
  account: string | undefined;
  /** Undefined: the feed was deleted. */
  revision: number | undefined;
}

/**
 * Whether an answer may show a parameter, or one of its filters: one that the request itself gives, or that is of a feed
 * of the caller's account. Other feeds may be private, such as the variant of an experiment.
 */
export function isShown(
  { saved_account, shown_account, given }: Origin,
  parameter: keyof FeedParameters,
  filter?: string,
): boolean {
  if (saved_account === shown_account) return true;
  const { [parameter]: value } = given;
  if (filter === undefined) return Object.hasOwn(given, parameter);
  return typeof value === 'object' && (value as Record<string, unknown> | null)?.[filter] !== undefined;
}

/** Makes the plan of a feed: resolves references and checks what was not saved. */
export class Planner {
  readonly warnings: string[] = [];
  /** Saved feeds that were found. */
  readonly used: UsedFeed[] = [];

  /** @param paged for plain pages, which show seen items again, from any feed */
  constructor(
    private readonly compiler: FeedCompiler,
    private readonly saved_feeds: SavedFeeds,
    readonly paged: boolean,
  ) {}

  /**
   * @param parameters the feed's parameters, overridden by those of the request
   * @throws ServiceError `not_found` if the request names a missing feed; `invalid_value` for an invalid promotion
   */
  plan(
    feed_id: string | undefined,
    source_feed: string,
    compiled: CompiledFeed,
    parameters: FeedParameters,
    origin: Origin,
  ): FeedPlan {
    const { fallback_feeds, return_global_fallback, promotion_filters } = parameters;
    const fallbacks: SubFeed[] = [];
    const shows: FeedPlan['shows'] = (parameter, filter) => isShown(origin, parameter, filter);
    // A shortcut, since most feeds take items from no other feed.
    if (fallback_feeds === undefined && !return_global_fallback && promotion_filters === undefined)
      return { feed_id, source_feed, compiled, fallbacks, promotion: undefined, shows };
    const switches = pickSwitches(parameters);
    for (const [index, { feed_id: id }] of (fallback_feeds ?? []).entries()) {
      const feed = this.find(id, 'fallback_feeds', origin);
      if (feed !== undefined)
        fallbacks.push(this.subFeed(feed, `fallback_main_${index + 1}:${id}`, switches));
    }
    if (return_global_fallback) fallbacks.push(this.globalFallback(switches));
    const promotion = this.planPromotion(compiled.feed_type, parameters, switches, origin);
    return { feed_id, source_feed, compiled, fallbacks, promotion, shows };
  }

  /**
   * Finds a feed that another feed names. It must be readable for the account that named it, active, and buildable.
   *
   * If the reference was saved, a feed that fails this is skipped with a warning.
   * @throws ServiceError `not_found`, `plugin_not_loaded`, `feed_outdated` if the request named it
   */
  find(feed_id: string, parameter: keyof FeedParameters, origin: Origin): SavedFeed | undefined {
    const in_request = Object.hasOwn(origin.given, parameter);
    const account = in_request ? origin.request_account : origin.saved_account;
    try {
      const feed = this.saved_feeds.referable(feed_id, account, origin.shown_account);
      this.used.push({ feed_id, account, revision: feed.revision });
      return feed;
    } catch (error) {
      if (in_request || !(error instanceof ServiceError)) throw error;
      if (isShown(origin, parameter)) this.warnings.push(`${parameter}: ${error.detail}; it was skipped`);
      return undefined;
    }
  }

  private subFeed(feed: SavedFeed, source_feed: string, switches: FeedParameters): SubFeed {
    const { filters, scoring, time_decay } = feed.parameters;
    const compiled = () => this.compile(feed.feed_type, { filters, scoring, time_decay, ...switches });
    return { feed_id: feed.feed_id, source_feed, compiled };
  }

  private globalFallback(switches: FeedParameters): SubFeed {
    const compiled = () => this.compile('popular', switches);
    return { feed_id: undefined, source_feed: 'fallback_global:popular', compiled };
  }

  private compile(feed_type: FeedType, parameters: FeedParameters): CompiledFeed {
    return this.compiler.compile(feed_type, parameters, this.paged);
  }

  private planPromotion(
    feed_type: FeedType,
    parameters: FeedParameters,
    switches: FeedParameters,
    origin: Origin,
  ): PromotionPlan | undefined {
    const [promotion] = parameters.promotion_filters ?? [];
    if (promotion === undefined) return undefined;
    const faults: Fault[] = [];
    const compiled = compilePromotion(this.compiler.registry, promotion, '/promotion_filters/0', faults);
    if (compiled === undefined) throw invalidValue(faults);
    if (!origin.is_reported && isShown(origin, 'promotion_filters'))
      this.warnings.push(...promotionWarnings(this.compiler.registry, promotion));
    if (compiled.items !== undefined) return { ...compiled, feed: undefined };
    if (compiled.feed_id === undefined) {
      const { scoring } = parameters;
      const build = () => this.compile(feed_type, { filters: promotion.filters, scoring, ...switches });
      const feed = { feed_id: undefined, source_feed: `promotion:${compiled.name}`, compiled: build };
      return { ...compiled, feed };
    }
    const found = this.find(compiled.feed_id, 'promotion_filters', origin);
    if (found === undefined) return undefined;
    const feed = this.subFeed(found, `promotion:${compiled.feed_id}`, switches);
    const refined = () => {
      const whole = feed.compiled();
      return { ...whole, filters: [...whole.filters, ...(compiled.filters ?? [])] };
    };
    return { ...compiled, feed: { ...feed, compiled: refined } };
  }
}

/** The visibility switches of a feed, which apply to all feeds that it takes items from. */
export function pickSwitches(parameters: FeedParameters): FeedParameters {
  const given = Object.entries(parameters).filter(
    ([name, value]) => SWITCHES.has(name) && value !== undefined,
  );
  return Object.fromEntries(given);
}

/**
 * Compiles feeds from request parameters and caches the latest.
 *
 * Most requests repeat an earlier description, and compiling costs up to a tenth of a trending page. Caching is safe,
 * because plugins do not change after the start and compiled feeds are shared between requests anyway. Rejected feeds
 * are not cached.
 */
export class FeedCompiler {
  /** By description. The size of an entry is the length of its description. */
  private readonly kept: LRUCache<string, CompiledFeed>;

  constructor(
    readonly registry: Registry,
    kept_max: number = LIMITS.compiled_feeds_kept_max,
    length_max: number = LIMITS.compiled_feeds_length_max,
  ) {
    this.kept = new LRUCache({
      max: kept_max,
      maxSize: length_max,
      maxEntrySize: LIMITS.compiled_feed_key_length_max,
      sizeCalculation: (_, { length }) => length,
    });
  }

  /** The number of cached feeds. */
  get size(): number {
    return this.kept.size;
  }

  /**
   * @param paged for plain pages, which show seen items again
   * @throws ServiceError as `compileFeed`
   */
  compile(feed_type: FeedType, parameters: FeedParameters, paged: boolean): CompiledFeed {
    const text = textOf(parameters);
    if (text === undefined) return compileFeed(this.registry, feed_type, parameters, paged);
    const key = `${feed_type} ${paged} ${text}`;
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const compiled = compileFeed(this.registry, feed_type, parameters, paged);
    this.kept.set(key, compiled);
    return compiled;
  }
}

const IS_COMPILED: ReadonlySet<string> = new Set(COMPILED);

/**
 * The cache key of parameters. Undefined if they contain a number that JSON cannot represent.
 *
 * A very large number is parsed as Infinity, which JSON would write as null.
 */
function textOf(parameters: FeedParameters): string | undefined {
  // A shortcut, since most requests have no such parameters.
  if (!describes(parameters)) return '';
  const described = COMPILED.map((name) => parameters[name] ?? 0);
  const text = JSON.stringify(described);
  return text.includes('null') && !allFinite(described) ? undefined : text;
}

/** Whether a parameter is given that a compiled feed depends on. */
function describes(parameters: FeedParameters): boolean {
  for (const name in parameters) {
    if (IS_COMPILED.has(name) && parameters[name as keyof FeedParameters] !== undefined) return true;
  }
  return false;
}

/** Whether all numbers in a value are finite. */
function allFinite(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'number' || Number.isFinite(value);
  // A list may have millions of entries, which Object.values reads slowly.
  return (Array.isArray(value) ? value : Object.values(value)).every(allFinite);
}
