import { LIMITS } from '../limits.ts';
import type { FeedStore } from '../store/feeds.ts';
import type { FeedObject } from './feed-object.ts';

/** A feed that was deleted and can be restored. Times are in seconds. */
export interface DeletedFeedEntry {
  feed_id: string;
  /** The last revision before the deletion. */
  revision: number;
  deleted_at: number;
  restorable_until: number;
  object: FeedObject;
}

/**
 * The account's deleted feeds that can be restored, the latest deletion first.
 * @throws ServiceError `store_unavailable`
 */
export async function deletedFeedsOf(
  store: FeedStore,
  account: string,
  now: number,
): Promise<DeletedFeedEntry[]> {
  const deleted = await store.allDeleted(account, now - LIMITS.feed_restore_seconds);
  return deleted.map(({ feed_id, revision, deleted_at, content }) => ({
    ...{ feed_id, revision, deleted_at, restorable_until: deleted_at + LIMITS.feed_restore_seconds },
    object: JSON.parse(content) as FeedObject,
  }));
}
