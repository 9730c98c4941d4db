import { invalidValue, ServiceError } from '../errors.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { StoredFeed } from '../store/stored-feed.ts';
import { compileFeed } from './compile-feed.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import {
  type CheckedFeed,
  type FeedObject,
  FeedObjectChecker,
  feedTypeOf,
  filtersByWords,
  missingPlugins,
} from './feed-object.ts';
import type { FeedParameters } from './parameters.ts';
import { failedFor, rowOf, type SavedFeed, type UnsavedFeed } from './saved-feed.ts';

/** Why a stored feed cannot be built with the plugins that are loaded now. Undefined if it can. */
function outdated(
  registry: Registry,
  feed_id: string,
  { parameters, faults }: CheckedFeed,
): ServiceError | undefined {
  if (faults.length === 0) return undefined;
  const missing = missingPlugins(registry, parameters);
  if (missing.length === 0) {
    const detail = `the feed '${feed_id}' is not valid any more: ${invalidValue(faults).detail}`;
    return new ServiceError('feed_outdated', detail);
  }
  const are = missing.length === 1 ? 'is' : 'are';
  const detail = `the feed '${feed_id}' uses ${missing.join(', ')}, which ${are} not loaded`;
  return new ServiceError('plugin_not_loaded', detail);
}

type Opened = Pick<CheckedFeed, 'object' | 'feed_type' | 'parameters' | 'compiled'>;

/** Makes feeds that can be built, with the plugins that are loaded. */
export class FeedOpener {
  readonly checker: FeedObjectChecker;

  /** @param onWords called for each saved feed that filters by words */
  constructor(
    private readonly registry: Registry,
    private readonly onWords = (): void => {},
  ) {
    this.checker = new FeedObjectChecker(registry);
  }

  /** Checks a stored feed with the plugins that are loaded now. One that cannot be built has a `problem`. */
  reopen(stored: StoredFeed): SavedFeed {
    const object = JSON.parse(stored.content) as FeedObject;
    try {
      // References to missing feeds are skipped when a page is built.
      const checked = this.checker.check({}, object, () => true);
      return this.saved(stored, checked, outdated(this.registry, stored.feed_id, checked));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const feed_type = feedTypeOf(object.endpoint) ?? 'for-you';
      const problem = failedFor(stored.feed_id, error);
      return this.saved(stored, { object, feed_type, parameters: {}, compiled: undefined }, problem);
    }
  }

  saved(
    stored: StoredFeed,
    { object, feed_type, parameters, compiled }: Opened,
    problem?: ServiceError,
  ): SavedFeed {
    const build = this.compiler(feed_type, parameters, compiled);
    const content_bytes = Buffer.byteLength(stored.content);
    if (filtersByWords(this.registry, parameters)) this.onWords();
    return { ...rowOf(stored), content_bytes, object, feed_type, parameters, problem, compiled: build };
  }

  unsaved(account: string, { feed_type, parameters, compiled }: Opened): UnsavedFeed {
    return { account, feed_type, parameters, compiled: this.compiler(feed_type, parameters, compiled) };
  }

  /** Compiles a feed on first use, separately for plain pages, and caches it. */
  private compiler(
    feed_type: FeedType,
    parameters: FeedParameters,
    compiled: CompiledFeed | undefined,
  ): SavedFeed['compiled'] {
    const { registry } = this;
    let whole = compiled;
    let pages: CompiledFeed | undefined;
    return (paged) => {
      if (paged) pages ??= compileFeed(registry, feed_type, parameters, true);
      else whole ??= compileFeed(registry, feed_type, parameters);
      return (paged ? pages : whole) as CompiledFeed;
    };
  }
}
