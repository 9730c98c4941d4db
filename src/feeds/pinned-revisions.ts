import { LRUCache } from 'lru-cache';
import { LIMITS } from '../limits.ts';
import type { FeedStore } from '../store/feeds.ts';
import type { FeedOpener } from './feed-opener.ts';
import type { SavedFeed } from './saved-feed.ts';

interface Pinned {
  feed_id: string;
  revision: number;
}

/** Former revisions of feeds that running experiments serve, read from the store when they are needed. */
export class PinnedRevisions {
  /** By feed and revision. A revision never changes. */
  private readonly cache: LRUCache<string, SavedFeed, Pinned>;

  constructor(store: Pick<FeedStore, 'revision'>, opener: FeedOpener) {
    this.cache = new LRUCache({
      max: LIMITS.pinned_feeds_kept_max,
      maxSize: LIMITS.pinned_feeds_bytes_max,
      sizeCalculation: ({ content_bytes }) => content_bytes,
      fetchMethod: async (_name, _stale, { context: { feed_id, revision } }) => {
        const stored = await store.revision(feed_id, revision);
        return stored && opener.reopen({ feed_id, ...stored });
      },
    });
  }

  /** Undefined if it is not kept. @throws ServiceError `store_unavailable` */
  read(feed_id: string, revision: number): Promise<SavedFeed | undefined> {
    return this.cache.fetch(`${feed_id} ${revision}`, { context: { feed_id, revision } });
  }

  /** Another store may have other contents under the same numbers. */
  forget(): void {
    this.cache.clear();
  }
}
