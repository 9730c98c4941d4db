import type { UsedFeed } from '../answer/page-answer.ts';
import { type Fault, invalidValue, ServiceError } from '../errors.ts';
import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { FeedType } from '../plugin/index.ts';
import type { FeedCompiler } from './feed-compiler.ts';
import { type FeedParameters, SWITCHES } from './parameters.ts';
import { type CompiledPromotion, compilePromotion, promotionWarnings } from './promotion.ts';
import type { SavedFeed } from './saved-feed.ts';
import type { SavedFeeds } from './saved-feeds.ts';

/** A feed that gives items to another: filters, type, scoring and decay are its own, the switches the other's. */
export interface SubFeed {
  /** Undefined for feeds that are not saved ones. */
  feed_id: string | undefined;
  source_feed: string;
  /** Compiled when it is needed. */
  compiled(): CompiledFeed;
}

export interface PromotionPlan extends CompiledPromotion {
  /** Where promoted items come from, unless they are hand-picked. */
  feed: SubFeed | undefined;
}

/** A feed with everything that it takes items from, spec 1.4. */
export interface FeedPlan {
  feed_id: string | undefined;
  source_feed: string;
  compiled: CompiledFeed;
  /** In the order in which they are tried. */
  fallbacks: SubFeed[];
  promotion: PromotionPlan | undefined;
}

/** Where a feed's parameters were said, which decides whose rights count and what a gone reference means. */
export interface Origin {
  /** Of the owner of the saved feed. */
  saved_account: string | undefined;
  /** Of the request. */
  request_account: string | undefined;
  /** Parameters that the request gave: a feed named there must be there; one that was saved is skipped. */
  given: object;
  /** The feed was checked for this request, and what that found is told already. */
  told: boolean;
}

/** Plans feeds: finds what they refer to and checks what was not saved. */
export class Planner {
  readonly warnings: string[] = [];
  /** Saved feeds that were found. */
  readonly used: UsedFeed[] = [];

  /** @param paged plain pages: what was seen before is shown again, whichever feed it comes from */
  constructor(
    private readonly compiler: FeedCompiler,
    private readonly saved_feeds: SavedFeeds,
    readonly paged: boolean,
  ) {}

  /**
   * @param parameters of the feed, the request's over the saved ones
   * @throws ServiceError `not_found` for a feed that the request names and that is not there,
   * `invalid_value` for a promotion that is wrong
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
    // Most feeds take items from no other.
    if (fallback_feeds === undefined && !return_global_fallback && promotion_filters === undefined)
      return { feed_id, source_feed, compiled, fallbacks, promotion: undefined };
    const switches = pickSwitches(parameters);
    for (const [index, { feed_id: id }] of (fallback_feeds ?? []).entries()) {
      const feed = this.find(id, 'fallback_feeds', origin);
      if (feed !== undefined)
        fallbacks.push(this.subFeed(feed, `fallback_main_${index + 1}:${id}`, switches));
    }
    if (return_global_fallback) fallbacks.push(this.globalFallback(switches));
    const promotion = this.planPromotion(compiled.feed_type, parameters, switches, origin);
    return { feed_id, source_feed, compiled, fallbacks, promotion };
  }

  /**
   * A feed that another names: readable with the rights of whoever named it, active, and buildable. One that
   * is not is skipped with a warning when it was saved.
   * @throws ServiceError `not_found`, `plugin_not_loaded`, `feed_outdated` when the request named it
   */
  find(feed_id: string, parameter: keyof FeedParameters, origin: Origin): SavedFeed | undefined {
    const in_request = Object.hasOwn(origin.given, parameter);
    const account = in_request ? origin.request_account : origin.saved_account;
    try {
      const feed = this.saved_feeds.referable(feed_id, account);
      this.used.push({ feed_id, account });
      return feed;
    } catch (error) {
      if (in_request || !(error instanceof ServiceError)) throw error;
      this.warnings.push(`${parameter}: ${error.detail}; it was skipped`);
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
    if (!origin.told) this.warnings.push(...promotionWarnings(this.compiler.registry, promotion));
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

/** The visibility switches of a feed, which reach every feed that it takes items from. */
export function pickSwitches(parameters: FeedParameters): FeedParameters {
  const given = Object.entries(parameters).filter(
    ([name, value]) => SWITCHES.has(name) && value !== undefined,
  );
  return Object.fromEntries(given);
}
