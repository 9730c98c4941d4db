import { LIMITS } from '../limits.ts';
import type { FeedType, Ordinal } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { State } from '../state/state.ts';
import { coldStartReason } from './cold-start.ts';
import { COMPILED } from './compiled-parameters.ts';
import type { FeedParameters } from './parameters.ts';
import {
  FeedCompiler,
  type FeedPlan,
  isShown,
  type Origin,
  Planner,
  pickSwitches,
  type UsedFeed,
} from './plan.ts';
import type { SavedFeed, UnsavedFeed } from './saved-feed.ts';
import type { SavedFeeds } from './saved-feeds.ts';
import { unseenInPlan } from './unseen-values.ts';

/**
 * A feed request that the HTTP layer has checked. Absent parameters were not given. A feed's parameter with the value
 * `undefined` is switched off, whatever the saved feed contains.
 */
export interface FeedRequest extends FeedParameters {
  user_id?: string;
  wallet_address?: string;
  /** The saved feed to build. */
  feed_id?: string;
  /** The account of the key, which may build its own private feeds. */
  account?: string;
  /** The account whose feeds warnings and explanations may describe: that of the key, none for a viewer token. */
  shown_account?: string;
  impression_count: number;
  /** False: the client reports itself what was seen, so nothing is recorded. */
  mark_seen?: boolean;
  page_number?: number;
  /** Continues after the page whose answer had this cursor. */
  cursor?: string;
  seed?: number;
  /** Adds the parts of scores to items, and a trace to the answer. */
  explain?: boolean;
  /** Identifies the request, so that repeating it has no second effect. */
  request_id?: string;
  /** A feed that is built as if it were saved. `feed_id` is then ignored. */
  unsaved?: UnsavedFeed;
  /** What is built instead of `feed_id`: the variant of an experiment. */
  instead?: InsteadFeed;
}

/** A revision of a feed, with the rights of the account of an experiment. */
export interface InsteadFeed {
  feed: SavedFeed;
  account: string;
  /** Another feed whose list is drafted together with that of the feed, and the names of both teams. */
  rival?: { feed: SavedFeed; teams: readonly [string, string] };
}

/** A request with its saved feed and all feeds that these refer to. */
export interface ResolvedFeed {
  /** The plan of the page: of the feed, or of its cold start feed. */
  plan: FeedPlan;
  /** Why the viewer gets the cold start feed. Null if not. */
  cold_start_reason: string | null;
  top_k: number;
  /** For plain pages: the index of the first item. Impressions are neither read nor written. */
  offset?: number;
  return_metadata: boolean;
  reasons: boolean;
  /** The revision of the saved feed. Undefined without one. */
  revision: number | undefined;
  warnings: string[];
  /** Saved feeds that the page may contain items of. */
  feeds: readonly UsedFeed[];
}

export interface FeedResolverOptions {
  state: State;
  registry: Registry;
  saved_feeds: SavedFeeds;
  /** The conditions of a cold start, unless a feed has its own. */
  cold_start_min_interactions: number;
  cold_start_inactive_days: number;
}

/** Finds the saved feeds of requests, and makes the plans of their pages. */
export class FeedResolver {
  private readonly compiler: FeedCompiler;

  constructor(private readonly options: FeedResolverOptions) {
    this.compiler = new FeedCompiler(options.registry);
  }

  /**
   * Resolves the saved feed of a request and overrides its parameters with those of the request.
   *
   * Compiles a feed only if the request changes its definition.
   * @param viewer who may be a cold viewer
   * @throws ServiceError `not_found`, `invalid_value` with every fault and its path, `plugin_not_loaded`,
   * `feed_outdated`, `plugin_failed`
   */
  resolve(feed_type: FeedType, request: FeedRequest, viewer: Ordinal, now: number): ResolvedFeed {
    const { state, saved_feeds } = this.options;
    const { feed_id, account, page_number, shown_account, instead } = request;
    const asked =
      feed_id === undefined ? undefined : saved_feeds.buildable(feed_id, account, feed_type, shown_account);
    const saved = request.unsaved ?? instead?.feed ?? asked;
    const parameters = saved === undefined ? request : override(saved.parameters, request, feed_type);
    const page = paging(parameters, page_number, feed_type);
    const paged = page.offset !== undefined;
    const is_refined = COMPILED.some((name) => Object.hasOwn(request, name));
    const compiledOf = (feed: SavedFeed | UnsavedFeed | undefined, given: FeedParameters) =>
      feed === undefined || is_refined
        ? this.compiler.compile(feed_type, given, paged)
        : feed.compiled(paged);
    const compiled = compiledOf(saved, parameters);
    const planner = new Planner(this.compiler, saved_feeds, paged);
    if (asked !== undefined) planner.used.push({ feed_id: asked.feed_id, account, revision: asked.revision });
    // Of what is pinned the revision does not change, but the right to read the feed may.
    for (const feed of instead === undefined ? [] : [instead.feed, instead.rival?.feed])
      if (feed !== undefined)
        planner.used.push({
          ...{ feed_id: feed.feed_id, account: instead?.account },
          revision: saved_feeds.revisionOf(feed.feed_id),
        });
    const is_reported = request.unsaved !== undefined;
    const accounts = { saved_account: saved?.account, request_account: account, shown_account };
    const origin = { ...accounts, given: request, is_reported };
    const source_feed = `main:${saved?.feed_id ?? feed_type}`;
    const main = planner.plan(saved?.feed_id, source_feed, compiled, parameters, origin);
    const cold = this.coldStart(planner, parameters, main, origin, request, viewer, now);
    const plan = cold?.plan ?? main;
    const rival = paged || cold !== undefined ? undefined : instead?.rival;
    if (rival !== undefined)
      plan.rival = {
        compiled: compiledOf(rival.feed, override(rival.feed.parameters, request, feed_type)),
        source_feed: `main:${rival.feed.feed_id}`,
        teams: rival.teams,
      };
    const warnings = [...planner.warnings, ...unseenInPlan(plan, state), ...withoutDecay(main, parameters)];
    return {
      plan,
      cold_start_reason: cold?.reason ?? null,
      return_metadata: parameters.return_metadata ?? false,
      reasons: parameters.reasons ?? false,
      revision: saved?.revision,
      warnings,
      feeds: planner.used,
      ...page,
    };
  }

  /**
   * Plans the feed for a cold viewer, with its own filters, scoring, promotion and fallbacks. Undefined if the viewer is
   * not cold, or if there is no such feed.
   *
   * It has the visibility switches of the feed that it replaces. It has no cold start feed itself.
   */
  private coldStart(
    planner: Planner,
    parameters: FeedParameters,
    main: FeedPlan,
    origin: Origin,
    { user_id, wallet_address }: FeedRequest,
    viewer: Ordinal,
    now: number,
  ): { plan: FeedPlan; reason: string } | undefined {
    const { cold_start, cold_start_feed } = parameters;
    const feed_id = cold_start?.feed_id ?? cold_start_feed;
    if (feed_id === undefined || feed_id === main.feed_id) return undefined;
    const feed = planner.find(feed_id, cold_start === undefined ? 'cold_start_feed' : 'cold_start', origin);
    if (feed === undefined || (user_id === undefined && wallet_address === undefined)) return undefined;
    const { state, cold_start_min_interactions, cold_start_inactive_days } = this.options;
    const rules = {
      min_interactions: cold_start?.min_interactions ?? cold_start_min_interactions,
      inactive_days: cold_start?.inactive_days ?? cold_start_inactive_days,
    };
    const shows_rules = isShown(origin, 'cold_start') || isShown(origin, 'cold_start_feed');
    const reason = coldStartReason(state, viewer, now, rules, shows_rules);
    if (reason === undefined) return undefined;
    const own = underSwitches(feed.parameters, parameters);
    const own_origin = {
      saved_account: feed.account,
      request_account: undefined,
      shown_account: origin.shown_account,
      given: {},
      is_reported: false,
    };
    const compiled = this.compiler.compile(feed.feed_type, own, planner.paged);
    return { plan: planner.plan(feed_id, `cold_start:${feed_id}`, compiled, own, own_origin), reason };
  }
}

/** A warning if a feed has a time decay that its scoring function does not use. */
function withoutDecay({ compiled, shows }: FeedPlan, { time_decay }: FeedParameters): string[] {
  if (!compiled.scoring.in_order || time_decay === undefined || !shows('time_decay')) return [];
  return [`time_decay has no effect with ${compiled.scoring.id}, which orders by its own ranking alone`];
}

/**
 * Combines a feed's parameters with another feed's visibility switches.
 *
 * Items that either feed drops stay dropped. Only the other feed can show items again that the viewer interacted
 * with or has seen.
 */
function underSwitches(own: FeedParameters, other: FeedParameters): FeedParameters {
  const { show_interacted_items, seen } = other;
  const rules = Object.entries(other.visibility_rules ?? {}).filter(([, options]) => options !== null);
  const either = (name: 'remove_user_posts_from_feed' | 'return_only_posts_with_social_proof') =>
    own[name] === true ? true : other[name];
  return {
    ...own,
    ...pickSwitches(other),
    show_interacted_items,
    seen,
    remove_user_posts_from_feed: either('remove_user_posts_from_feed'),
    return_only_posts_with_social_proof: either('return_only_posts_with_social_proof'),
    visibility_rules: { ...own.visibility_rules, ...Object.fromEntries(rules) },
  };
}

/** The parameters of a saved feed, overridden by those of a request. */
function override(saved: FeedParameters, request: FeedRequest, feed_type: FeedType): FeedParameters {
  const parameters = { ...saved, ...request, filters: overrideFilters(saved, request) };
  // Two forms of one parameter: either of the request's replaces both of the saved ones.
  if (Object.hasOwn(request, 'cold_start') || Object.hasOwn(request, 'cold_start_feed')) {
    parameters.cold_start = request.cold_start;
    parameters.cold_start_feed = request.cold_start_feed;
  }
  const has_pages = parameters.page_size !== undefined || request.page_number !== undefined;
  // Plain pages win over a saved `top_k`, also saved ones: the pages that follow the first must go on where it ends.
  if (has_pages && feed_type !== 'for-you') parameters.top_k = request.top_k;
  return parameters;
}

/** Key by key: one that the request gives replaces the saved one, and `null` leaves it as it is. */
function overrideFilters(saved: FeedParameters, request: FeedRequest): FeedParameters['filters'] {
  if (!Object.hasOwn(request, 'filters')) return saved.filters;
  if (request.filters === undefined || saved.filters === undefined) return request.filters;
  const filters = new Map(Object.entries(saved.filters));
  for (const [key, value] of Object.entries(request.filters)) {
    if (value !== null || !filters.has(key)) filters.set(key, value);
  }
  return Object.fromEntries(filters);
}

/** `top_k` takes precedence over plain pages, which for-you feeds do not have. */
function paging(
  { top_k, page_size }: FeedParameters,
  page_number: number | undefined,
  feed_type: FeedType,
): { top_k: number; offset?: number } {
  if (top_k !== undefined) return { top_k };
  const plain = page_size !== undefined || page_number !== undefined;
  const size = page_size ?? LIMITS.top_k_default;
  if (!plain || feed_type === 'for-you') return { top_k: LIMITS.top_k_default };
  return { top_k: size, offset: ((page_number ?? 1) - 1) * size };
}
