import { LIMITS } from '../limits.ts';
import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { compileFeed } from './compile-feed.ts';
import { COMPILED, type FeedParameters } from './parameters.ts';
import type { SavedFeeds } from './saved-feeds.ts';

/**
 * A feed request, checked by the HTTP layer. What is absent was not given; a feed's parameter that is there
 * and `undefined` is switched off, whatever the saved feed says.
 */
export interface FeedRequest extends FeedParameters {
  user_id?: string;
  wallet_address?: string;
  /** The saved feed to build. */
  feed_id?: string;
  /** Who asks: may build their own private feeds. */
  account?: string;
  impression_count: number;
  page_number?: number;
  seed?: number;
}

/** A request together with the saved feed that it names. */
export interface ResolvedFeed {
  compiled: CompiledFeed;
  /** Which feed this is, for `source_feed`: the saved feed's id, or the feed type. */
  name: string;
  top_k: number;
  /** Plain pages: the first item of the page, from 0. Impressions are then neither read nor written. */
  offset?: number;
  return_metadata: boolean;
}

/**
 * Finds the saved feed of a request and lets the request's own parameters win. Compiles only when the
 * request changes what the feed is.
 * @throws ServiceError `not_found`, `invalid_value` listing every fault with its path, `plugin_not_loaded`,
 * `feed_outdated`, `plugin_failed`
 */
export function resolveFeed(
  registry: Registry,
  saved_feeds: SavedFeeds,
  feed_type: FeedType,
  request: FeedRequest,
): ResolvedFeed {
  const { feed_id, account, page_number } = request;
  const saved = feed_id === undefined ? undefined : saved_feeds.buildable(feed_id, account, feed_type);
  const parameters = saved === undefined ? request : override(saved.parameters, request, feed_type);
  const page = paging(parameters, page_number, feed_type);
  const paged = page.offset !== undefined;
  const compiled =
    saved !== undefined && !COMPILED.some((name) => Object.hasOwn(request, name))
      ? saved.compiled(paged)
      : compileFeed(registry, feed_type, parameters, paged);
  return {
    compiled,
    name: saved?.feed_id ?? feed_type,
    return_metadata: parameters.return_metadata ?? false,
    ...page,
  };
}

/** A saved feed's parameters with those of a request over them. */
function override(saved: FeedParameters, request: FeedRequest, feed_type: FeedType): FeedParameters {
  const parameters = { ...saved, ...request, filters: overrideFilters(saved, request) };
  const asks_for_pages = request.page_size !== undefined || request.page_number !== undefined;
  // Plain pages of the request win over a saved `top_k`, as its own would over plain pages.
  if (asks_for_pages && feed_type !== 'for-you') parameters.top_k = request.top_k;
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

/** `top_k` wins over plain pages, which for-you feeds do not have. */
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
