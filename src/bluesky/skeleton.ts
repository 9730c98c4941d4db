import type { SavedFeed } from '../feeds/saved-feed.ts';
import type { FeedService } from '../serve/serve-feed.ts';
import { isPostUri } from './generator.ts';

/** The answer of `app.bsky.feed.getFeedSkeleton`. */
export interface Skeleton {
  feed: { post: string; feedContext: string }[];
  cursor?: string;
}

export interface SkeletonRequest {
  feed: SavedFeed;
  /** Undefined: nobody is signed in. */
  viewer: string | undefined;
  limit: number;
  cursor: string | undefined;
}

/** Maximum number of pages that are built for one answer, if items on them are not posts of Bluesky. */
const PAGES_MAX = 4;

/**
 * Builds one page of a feed. Nothing is recorded: clients report what they have shown.
 *
 * Items that are not posts of Bluesky are left out, and further pages fill the gap.
 * @throws ServiceError as `FeedService.serve`
 */
export async function skeletonOf(
  feeds: Pick<FeedService, 'serve'>,
  { feed: { feed_id, feed_type }, viewer, limit, cursor }: SkeletonRequest,
  given_up: AbortSignal,
): Promise<Skeleton> {
  const feed: Skeleton['feed'] = [];
  let next = cursor;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const top_k = limit - feed.length;
    const request = {
      feed_id,
      user_id: viewer,
      cursor: next,
      top_k,
      impression_count: 0,
      return_metadata: false,
      reasons: false,
    };
    const page = await feeds.serve(feed_type, request, given_up);
    const posts = page.items.filter(({ item_id }) => isPostUri(item_id));
    for (const { item_id } of posts) feed.push({ post: item_id, feedContext: feed_id });
    next = page.cursor;
    // A page of posts alone may be short because of the feed's limits per page.
    if (next === undefined || feed.length >= limit || posts.length === page.items.length) break;
  }
  return next === undefined ? { feed } : { feed, cursor: next };
}
