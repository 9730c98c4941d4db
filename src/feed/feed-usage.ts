import { ServiceError } from '../errors.ts';

/** What the saved feeds of one account may take up. */
export interface FeedQuotas {
  quota_feeds: number;
  quota_feed_bytes: number;
}

/** A saved feed, as far as it takes up room. */
export interface CountedFeed {
  account: string;
  /** Of its object as JSON in UTF-8. */
  content_bytes: number;
}

interface Usage {
  feeds: number;
  bytes: number;
}

/** How many feeds each account has saved, and how large they are. */
export class FeedUsage {
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
   * @param former the feed that it replaces; undefined for a further one
   * @throws ServiceError `quota_exceeded`, unless nothing becomes more by it
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
