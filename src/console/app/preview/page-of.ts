import type { FeedAnswer, FeedType, Preview } from '../../../../openapi/client/src/index.ts';
import { api } from '../session.ts';
import { NEWCOMER } from '../ui/pickers.tsx';

/** A feed as it is, or as it would be saved. */
export interface FeedChoice {
  endpoint: string;
  config: object;
  /** Only for a saved feed that is active, as it stands. */
  feed_id?: string;
}

/** Pages are not longer than this here, even if the feed says so. */
const ITEMS_MAX = 25;
/** The same random choices for each page, so that a change of the feed is all that changes the page. */
const SEED = 1;

export function feedTypeOf(endpoint: string): FeedType {
  if (endpoint.endsWith('trending')) return 'trending';
  return endpoint.endsWith('popular') ? 'popular' : 'for-you';
}

/** Whether a newcomer stands in for the viewer who is missing. */
export function needsViewer(endpoint: string, user_id: string): boolean {
  return user_id === '' && feedTypeOf(endpoint) === 'for-you';
}

function circumstances({ endpoint, config }: FeedChoice, user_id: string) {
  const top_k = 'top_k' in config && typeof config.top_k === 'number' ? config.top_k : ITEMS_MAX;
  const asked_for = needsViewer(endpoint, user_id) ? NEWCOMER : user_id;
  return {
    ...(asked_for === '' ? {} : { user_id: asked_for }),
    top_k: top_k >= 1 && top_k <= ITEMS_MAX ? top_k : ITEMS_MAX,
    seed: SEED,
  };
}

/** The page of a feed for a viewer. Nothing is recorded. @param user_id empty: no viewer */
export function pageOf(feed: FeedChoice, user_id: string, signal: AbortSignal): Promise<FeedAnswer> {
  const body = {
    endpoint: feed.endpoint as Preview['endpoint'],
    config: { ...feed.config, return_metadata: true, reasons: true },
    ...circumstances(feed, user_id),
    explain: true,
  };
  return api().preview(body, { signal });
}

/** Why an item is on this page, or why not. */
export async function explained(feed: FeedChoice, user_id: string, item_id: string, signal: AbortSignal) {
  const described = feed.feed_id === undefined ? feed.config : { feed_id: feed.feed_id };
  const body = { ...described, ...circumstances(feed, user_id), item_id, reasons: true };
  return api().explain(feedTypeOf(feed.endpoint), body, { signal });
}
