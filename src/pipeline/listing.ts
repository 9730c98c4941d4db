import type { Ordinal, Postings } from '../plugin/index.ts';
import type { Postings as PostingLists } from '../state/postings.ts';
import type { BoundFilter, CompiledFeed } from './compiled-feed.ts';
import type { FilterPool } from './filter-pool.ts';
import type { Request } from './request.ts';

/** A feed whose filters name postings of at most so many items starts from all of them. */
const NARROW_ITEMS_MAX = 1_000;
/** Length of what no filter lists. */
const NOT_LISTED = Number.POSITIVE_INFINITY;

/** Everything that a feed may show, and more. */
export interface Listing {
  length: number;
  items(): Iterable<Ordinal>;
  /** It is short enough to be scored as a whole. Whether there is a pool does not decide that. */
  narrow: boolean;
}

/** Some of the items of one list. */
interface Range {
  list: PostingLists;
  start: number;
  end: number;
}

/** The shortest listing that is known of a feed: from what its filters name, or its pool. */
export function listingOf(
  feed: CompiledFeed,
  request: Request,
  pool: FilterPool | undefined,
): Listing | undefined {
  if (feed.filters.length === 0) return undefined;
  const others =
    pool === undefined ? feed.filters : feed.filters.filter((filter) => !pool.filters.includes(filter));
  const { ranges, length } = shortest(others, request);
  const { version } = request.engine.state.rewritten;
  const pooled = pool?.shortestPostings(version, () => shortest(pool.filters, request).length);
  const narrow = Math.min(length, pooled ?? NOT_LISTED) <= NARROW_ITEMS_MAX;
  if (pool !== undefined && pool.size <= length)
    return { length: pool.size, items: () => pool.items(), narrow };
  return length === NOT_LISTED ? undefined : { length, items: () => itemsOf(ranges), narrow };
}

/** The shortest list of postings that some filters name. */
function shortest(filters: readonly BoundFilter[], request: Request): { ranges: Range[]; length: number } {
  let found: { ranges: Range[]; length: number } = { ranges: [], length: NOT_LISTED };
  for (const filter of filters) {
    const named = filter.postings?.(request);
    if (named === undefined) continue;
    const ranges = rangesOf(named, request);
    const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    if (length < found.length) found = { ranges, length };
  }
  return found;
}

function rangesOf(named: Postings, request: Request): Range[] {
  const { by_time } = request.engine.state;
  if ('created_since' in named)
    return [{ list: by_time, start: by_time.since(0, named.created_since), end: by_time.end(0) }];
  if ('created_until' in named)
    return [{ list: by_time, start: by_time.start(0), end: by_time.until(0, named.created_until) }];
  const list = request.postings(named.column);
  return [...new Set(named.values)].map((value) => ({
    list,
    start: list.start(value),
    end: list.end(value),
  }));
}

function itemsOf(ranges: readonly Range[]): Ordinal[] {
  const items: Ordinal[] = [];
  for (const { list, start, end } of ranges) for (let at = start; at < end; at++) items.push(list.item(at));
  return items;
}
