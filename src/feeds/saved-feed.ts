import { ServiceError } from '../errors.ts';
import type { FeedType } from '../plugin/index.ts';
import type { StoredFeed } from '../store/stored-feed.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import type { FeedObject } from './feed-object.ts';
import type { FeedParameters } from './parameters.ts';

/** One revision of a saved feed, ready to be built. */
export interface SavedFeed extends Omit<StoredFeed, 'content'> {
  /** Size of its object as JSON in UTF-8. */
  content_bytes: number;
  object: FeedObject;
  feed_type: FeedType;
  parameters: FeedParameters;
  /** @param paged for plain pages; compiled on first use and cached */
  compiled(paged: boolean): CompiledFeed;
  /** Why it cannot be built: it was saved with other plugins or by another version. */
  problem: ServiceError | undefined;
}

/** A valid feed that is built without being saved. */
export interface UnsavedFeed extends Pick<SavedFeed, 'feed_type' | 'parameters' | 'compiled'> {
  /** The account whose permissions apply to its references. */
  account: string;
  feed_id?: undefined;
  revision?: undefined;
}

/** A stored feed without its content. */
export function rowOf({ content: _, ...row }: StoredFeed): Omit<StoredFeed, 'content'> {
  return row;
}

/**
 * Why a feed cannot be built, as a caller may see it: parameters of the feed only with a key of its account.
 * @param shown_account see `FeedRequest`
 */
export function shownProblem(
  { feed_id, account, problem }: Pick<SavedFeed, 'feed_id' | 'account' | 'problem'>,
  shown_account: string | undefined,
): ServiceError | undefined {
  if (problem === undefined || account === shown_account) return problem;
  const detail = `the feed '${feed_id}' cannot be built any more; keys of its account see why`;
  return new ServiceError(problem.code, detail, undefined, undefined, { cause: problem.cause });
}

/** Adds the feed's id to a plugin's failure. */
export function failedFor(feed_id: string, error: ServiceError): ServiceError {
  if (error.code !== 'plugin_failed') return error;
  const detail = `the feed '${feed_id}' cannot be built, because a plugin failed; the log names it`;
  return new ServiceError(error.code, detail, undefined, undefined, { cause: error.cause });
}
