import { LRUCache } from 'lru-cache';
import { LIMITS } from '../limits.ts';
import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { compileFeed } from './compile-feed.ts';
import { COMPILED, type FeedParameters } from './parameters.ts';

/**
 * Compiles feeds that requests describe and keeps the latest: most requests describe one that came before,
 * and compiling takes as long as a tenth of a trending page. Sound because plugins are fixed after the start
 * and what they compile is shared between the requests of a saved feed anyway. What is refused is not kept.
 */
export class FeedCompiler {
  /** By description; the size of each is the length of its description. */
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

  /** Feeds that need not be compiled again. */
  get size(): number {
    return this.kept.size;
  }

  /**
   * @param paged plain pages: what was seen before is shown again
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
 * What tells one compiled feed from another; undefined where JSON has no text for it: a number too large to be one
 * is read as Infinity and would be written as null.
 */
function textOf(parameters: FeedParameters): string | undefined {
  // Most requests describe nothing.
  if (!describes(parameters)) return '';
  const described = COMPILED.map((name) => parameters[name] ?? 0);
  const text = JSON.stringify(described);
  return text.includes('null') && !allFinite(described) ? undefined : text;
}

/** Whether a parameter is given on which a compiled feed depends. */
function describes(parameters: FeedParameters): boolean {
  for (const name in parameters) {
    if (IS_COMPILED.has(name) && parameters[name as keyof FeedParameters] !== undefined) return true;
  }
  return false;
}

/** Whether a value holds no number that is infinite. */
function allFinite(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'number' || Number.isFinite(value);
  return Object.values(value).every(allFinite);
}
