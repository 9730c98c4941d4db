import { LRUCache } from 'lru-cache';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { compileFeed } from './compile-feed.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import { COMPILED, type FeedParameters } from './parameters.ts';

/**
 * Compiles feeds from request parameters and caches the latest.
 *
 * Most requests repeat an earlier description, and compiling costs up to a tenth of a trending page. Caching is safe,
 * because plugins do not change after the start and compiled feeds are shared between requests anyway. Rejected feeds
 * are not cached.
 */
export class FeedCompiler {
  /** By description. The size of an entry is the length of its description. */
  private readonly kept: LRUCache<string, CompiledFeed>;

  constructor(
    readonly registry: Registry,
    kept_max: number = LIMITS.compiled_feeds_kept_max,
    length_max: number = LIMITS.compiled_feeds_length_max,
  ) {
    this.kept = new LRUCache({
      max: kept_max,
      maxSize: length_max,
      maxEntrySize: LIMITS.compiled_feed_key_length_max,
      sizeCalculation: (_, { length }) => length,
    });
  }

  /** The number of cached feeds. */
  get size(): number {
    return this.kept.size;
  }

  /**
   * @param paged for plain pages, which show seen items again
   * @throws ServiceError as `compileFeed`
   */
  compile(feed_type: FeedType, parameters: FeedParameters, paged: boolean): CompiledFeed {
    const text = textOf(parameters);
    if (text === undefined) return compileFeed(this.registry, feed_type, parameters, paged);
    const key = `${feed_type} ${paged} ${text}`;
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const compiled = compileFeed(this.registry, feed_type, parameters, paged);
    this.kept.set(key, compiled);
    return compiled;
  }
}

const IS_COMPILED: ReadonlySet<string> = new Set(COMPILED);

/**
 * The cache key of parameters. Undefined if they contain a number that JSON cannot represent.
 *
 * A very large number is parsed as Infinity, which JSON would write as null.
 */
function textOf(parameters: FeedParameters): string | undefined {
  // A shortcut, since most requests have no such parameters.
  if (!describes(parameters)) return '';
  const described = COMPILED.map((name) => parameters[name] ?? 0);
  const text = JSON.stringify(described);
  return text.includes('null') && !allFinite(described) ? undefined : text;
}

/** Whether a parameter is given that a compiled feed depends on. */
function describes(parameters: FeedParameters): boolean {
  for (const name in parameters) {
    if (IS_COMPILED.has(name) && parameters[name as keyof FeedParameters] !== undefined) return true;
  }
  return false;
}

/** Whether all numbers in a value are finite. */
function allFinite(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'number' || Number.isFinite(value);
  // A list may have millions of entries, which Object.values reads slowly.
  return (Array.isArray(value) ? value : Object.values(value)).every(allFinite);
}
