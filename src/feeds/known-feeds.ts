import { type FeedQuotas, FeedUsage } from './feed-usage.ts';
import { RecordKeys } from './record-keys.ts';
import type { SavedFeed } from './saved-feed.ts';

/** Saved feeds by id, with what is counted and looked up over all of them. */
export class KnownFeeds {
  readonly usage: FeedUsage;
  readonly record_keys = new RecordKeys();
  private readonly feeds = new Map<string, SavedFeed>();

  constructor(quotas: FeedQuotas) {
    this.usage = new FeedUsage(quotas);
  }

  get(feed_id: string): SavedFeed | undefined {
    return this.feeds.get(feed_id);
  }

  /** In no particular order. */
  all(): SavedFeed[] {
    return [...this.feeds.values()];
  }

  /** Adds a feed, or replaces its former revision. */
  put(feed: SavedFeed): void {
    this.remove(feed.feed_id);
    this.usage.add(feed);
    this.record_keys.add(feed);
    this.feeds.set(feed.feed_id, feed);
  }

  remove(feed_id: string): void {
    const feed = this.feeds.get(feed_id);
    if (feed === undefined) return;
    this.feeds.delete(feed_id);
    this.usage.remove(feed);
    this.record_keys.remove(feed);
  }
}
