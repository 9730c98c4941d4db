import { ServiceError } from '../errors.ts';
import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { FeedType } from '../plugin/index.ts';
import type { StoredFeed } from '../store/feeds.ts';
import type { FeedObject } from './feed-object.ts';
import type { FeedParameters } from './parameters.ts';

/** One revision of a saved feed, ready to be built. */
export interface SavedFeed extends Omit<StoredFeed, 'content'> {
  /** Of its object as JSON in UTF-8. */
  content_bytes: number;
  object: FeedObject;
  feed_type: FeedType;
  parameters: FeedParameters;
  /** @param paged plain pages; compiled when first asked for and kept */
  compiled(paged: boolean): CompiledFeed;
  /** Why it cannot be built: it was saved under other plugins, or another version. */
  problem: ServiceError | undefined;
}

/** A feed as an account might save it, sound and ready to be built. */
export interface UnsavedFeed extends Pick<SavedFeed, 'feed_type' | 'parameters' | 'compiled'> {
  /** With whose rights it refers to others. */
  account: string;
  feed_id?: undefined;
  revision?: undefined;
}

/** A stored feed without its content. */
export function rowOf({ content: _, ...row }: StoredFeed): Omit<StoredFeed, 'content'> {
  return row;
}

/** Of a plugin's failure, which feed cannot be built for it. */
export function failedFor(feed_id: string, error: ServiceError): ServiceError {
  if (error.code !== 'plugin_failed') return error;
  const detail = `the feed '${feed_id}' cannot be built, as a plugin failed; the log names it`;
  return new ServiceError(error.code, detail, undefined, undefined, { cause: error.cause });
}
