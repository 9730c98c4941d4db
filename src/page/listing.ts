import type { Postings as PostingLists } from '../columns/postings.ts';
import type { BoundFilter, CompiledFeed } from '../feeds/compiled-feed.ts';
import type { Ordinal, Postings } from '../plugin/index.ts';
import { postingsOf } from '../signals/tastes.ts';
import type { FilterPool } from './filter-pool.ts';
import type { PageContext } from './page-context.ts';

/** Maximum number of items for scoring all of them. */
export const NARROW_ITEMS_MAX = 1_000;
/**
 * The tail reads at most this multiple of a listing from a ranking.
 *
 * New items are mostly at the end of a popularity ranking. With a pool, skipping foreign items is cheap.
 */
const READ_OF_RANKING = 1;
const READ_OF_RANKING_WITH_POOL = 4;
/** The length if no filter has postings. */
const NOT_LISTED = Number.POSITIVE_INFINITY;

/** A superset of the items that a feed may show. */
export interface Listing {
  length: number;
  items(): Iterable<Ordinal>;
  /** Whether it is short enough to score all items. Independent of whether there is a pool. */
  is_narrow: boolean;
  /** The number of items that are read from a ranking to find these. To find more, sorting the listing is cheaper. */
  read_of_ranking_max: number;
}

/** A range of one list. */
interface Range {
  list: PostingLists;
  start: number;
  end: number;
}

/** The shortest known listing of a feed: from the postings of its filters, or from its pool. */
export function listingOf(
  feed: CompiledFeed,
  context: PageContext,
  pool: FilterPool | undefined,
): Listing | undefined {
  if (feed.filters.length === 0) return undefined;
  const others =
    pool === undefined ? feed.filters : feed.filters.filter((filter) => !pool.filters.includes(filter));
  const { ranges, length } = shortest(others, context);
  const { version } = context.engine.state.rewritten;
  const pooled = pool?.shortestPostings(version, () => shortest(pool.filters, context).length);
  const is_narrow = Math.min(length, pooled ?? NOT_LISTED) <= NARROW_ITEMS_MAX;
  const multiple = pool === undefined ? READ_OF_RANKING : READ_OF_RANKING_WITH_POOL;
  if (pool !== undefined && pool.size <= length) {
    const items = () => pool.items();
    return { length: pool.size, items, is_narrow, read_of_ranking_max: multiple * pool.size };
  }
  if (length === NOT_LISTED) return undefined;
  return { length, items: () => itemsOf(ranges), is_narrow, read_of_ranking_max: multiple * length };
}

/** The shortest postings among the filters. */
function shortest(
  filters: readonly BoundFilter[],
  context: PageContext,
): { ranges: Range[]; length: number } {
  let found: { ranges: Range[]; length: number } = { ranges: [], length: NOT_LISTED };
  for (const filter of filters) {
    const named = filter.postings?.(context.for_admission);
    if (named === undefined) continue;
    const ranges = rangesOf(named, context);
    const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    if (length < found.length) found = { ranges, length };
  }
  return found;
}

function rangesOf(named: Postings, context: PageContext): Range[] {
  const { state } = context.engine;
  const { by_time } = state;
  if ('created_since' in named)
    return [{ list: by_time, start: by_time.since(0, named.created_since), end: by_time.end(0) }];
  if ('created_until' in named)
    return [{ list: by_time, start: by_time.start(0), end: by_time.until(0, named.created_until) }];
  const list = postingsOf(state, named.column);
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
