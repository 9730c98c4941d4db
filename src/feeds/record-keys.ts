import { ServiceError } from '../errors.ts';
import { isPlainObject } from '../model/values/refusal.ts';
import { byNumber } from '../store/feeds.ts';
import type { FeedObject } from './feed-object.ts';
import type { SavedFeed } from './saved-feed.ts';

type Keyed = Pick<SavedFeed, 'feed_id' | 'object'>;

/** The record key on Bluesky that a feed is saved with. It is read from `config`, so plugins need not be loaded. */
export function recordKeyOf({ config }: Pick<FeedObject, 'config'>): string | undefined {
  const { bluesky } = config;
  return isPlainObject(bluesky) && typeof bluesky.rkey === 'string' ? bluesky.rkey : undefined;
}

/**
 * The saved feeds that have a record key on Bluesky. Each key belongs to one feed.
 *
 * An imported feed may have the key of another. The oldest feed keeps it, on every node.
 */
export class RecordKeys {
  /** By key, the oldest first. */
  private readonly feed_ids = new Map<string, string[]>();

  add({ feed_id, object }: Keyed): void {
    const rkey = recordKeyOf(object);
    if (rkey === undefined) return;
    const feed_ids = [...(this.feed_ids.get(rkey) ?? []), feed_id];
    this.feed_ids.set(rkey, feed_ids.sort(byNumber));
  }

  remove({ feed_id, object }: Keyed): void {
    const rkey = recordKeyOf(object);
    if (rkey === undefined) return;
    const rest = (this.feed_ids.get(rkey) ?? []).filter((other) => other !== feed_id);
    if (rest.length === 0) this.feed_ids.delete(rkey);
    else this.feed_ids.set(rkey, rest);
  }

  /** The id of the feed with this key. */
  holder(rkey: string): string | undefined {
    return this.feed_ids.get(rkey)?.[0];
  }

  /** All keys. */
  list(): string[] {
    return [...this.feed_ids.keys()];
  }

  /**
   * @param feed_id the feed that is saved with this object; undefined for a new feed
   * @throws ServiceError `rkey_taken` if another feed has its key
   */
  ensureFree(object: FeedObject, feed_id: string | undefined): void {
    const rkey = recordKeyOf(object);
    const holder = rkey === undefined ? undefined : this.holder(rkey);
    if (holder === undefined || holder === feed_id) return;
    throw taken(`another saved feed has the record key '${rkey}'`);
  }

  /** The key that a feed has and gives up. @param object what replaces it; undefined if it is deleted */
  released(feed: Keyed, object?: FeedObject): string | undefined {
    const rkey = recordKeyOf(feed.object);
    if (rkey === undefined || this.holder(rkey) !== feed.feed_id) return undefined;
    return object !== undefined && recordKeyOf(object) === rkey ? undefined : rkey;
  }
}

/** The error for a record key that a feed cannot have. @param why begins a sentence */
export function taken(why: string): ServiceError {
  return new ServiceError('rkey_taken', `${why}; choose another for config.bluesky.rkey`);
}
