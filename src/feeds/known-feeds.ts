import { ServiceError } from '../errors.ts';
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

/** The limits of the saved feeds of one account. */
export interface FeedQuotas {
  quota_feeds: number;
  quota_feed_bytes: number;
}

/** The parts of a saved feed that count. */
export interface CountedFeed {
  account: string;
  /** Size of the feed's object as JSON in UTF-8. */
  content_bytes: number;
}

interface Usage {
  feeds: number;
  bytes: number;
}

/** Counts the saved feeds and their size per account. */
class FeedUsage {
  private readonly of_accounts = new Map<string, Usage>();

  constructor(private readonly quotas: FeedQuotas) {}

  add({ account, content_bytes }: CountedFeed): void {
    const { feeds, bytes } = this.of(account);
    this.of_accounts.set(account, { feeds: feeds + 1, bytes: bytes + content_bytes });
  }

  remove({ account, content_bytes }: CountedFeed): void {
    const { feeds, bytes } = this.of(account);
    if (feeds === 1) this.of_accounts.delete(account);
    else this.of_accounts.set(account, { feeds: feeds - 1, bytes: bytes - content_bytes });
  }

  /**
   * @param former the feed that is replaced, or undefined for a new feed
   * @throws ServiceError `quota_exceeded`, unless neither number nor size grows
   */
  ensureRoom({ account, content_bytes }: CountedFeed, former: CountedFeed | undefined): void {
    const { quota_feeds, quota_feed_bytes } = this.quotas;
    const { feeds, bytes } = this.of(account);
    if (former === undefined && feeds >= quota_feeds)
      throw exceeded(`this account has ${feeds} saved feeds and may have ${quota_feeds}; delete one first`);
    const growth = content_bytes - (former?.content_bytes ?? 0);
    if (growth <= 0 || bytes + growth <= quota_feed_bytes) return;
    const would = `the saved feeds of this account would take ${bytes + growth} bytes as JSON`;
    throw exceeded(`${would} and may take ${quota_feed_bytes}`);
  }

  private of(account: string): Usage {
    return this.of_accounts.get(account) ?? { feeds: 0, bytes: 0 };
  }
}

function exceeded(detail: string): ServiceError {
  return new ServiceError('quota_exceeded', detail);
}
