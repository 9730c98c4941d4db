import type { Postings as PostingLists } from '../columns/postings.ts';
import type { Bound, BoundFilter, BoundRule, CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import type { Ordinal, Postings } from '../plugin/index.ts';
import { isThirdParty } from '../registry/registry.ts';
import { postingsOf } from '../signals/tastes.ts';
import type { Admission } from './admission.ts';
import { allOf } from './all-of.ts';
import type { FilterPool } from './filter-pools.ts';
import type { ItemBits } from './item-bits.ts';
import type { PageContext } from './page-context.ts';

/** Lists of a request use the pool if it contains less than this share of all items. */
const POOL_SHARE_MAX = 0.5;
/** Otherwise they use a listing of at most this length, which costs 2 to 3 ns per item. */
const MARKED_ITEMS_MAX = 8_192;

export interface Allowed {
  admission: Admission;
  /** A superset of these items, if the filters name one. */
  listing: Listing | undefined;
  /** The same as a set, if it is small. */
  within: ItemBits | undefined;
}

/**
 * Binds the filters and rules of a feed, and restricts the lists of the request to what they allow.
 * @param rules default: those of the feed
 */
export function allowedItems(
  feed: CompiledFeed,
  context: PageContext,
  excluded: ReadonlySet<Ordinal>,
  rules: readonly BoundRule[] = feed.rules,
): Allowed {
  const { engine } = context;
  // A pool runs no filter, so nothing could be counted.
  const pool = context.trace.record ? undefined : engine.pools.of(feed, engine);
  const filtered = filtering(feed, context, pool, excluded);
  const visible = testOf(rules, context);
  const listing = listingOf(feed, context, pool);
  const within = withinOf(context, listing, pool);
  const admission = context.restrictTo({ filtered, visible, pool }, within);
  return { admission, listing, within };
}

/** Whether an item passes all filters or rules. */
function testOf(bounds: readonly Bound<Test>[], { for_admission, trace: { record } }: PageContext): Test {
  const tests = bounds.map((bound) => {
    const test = bound.bind(for_admission);
    return record?.tested(bound, test) ?? test;
  });
  return allOf(tests);
}

/** Whether an item is eligible, passes the filters and is not excluded. The pool decides for the filters it covers. */
function filtering(
  feed: CompiledFeed,
  context: PageContext,
  pool: FilterPool | undefined,
  excluded: ReadonlySet<Ordinal>,
): Test {
  const filters = feed.filters.filter((filter) => pool?.filters.includes(filter) !== true);
  const filtered = testOf(filters, context);
  const { eligible } = context;
  const count = countedItems(context, filters, feed.rules);
  const passes: Test = (item) => {
    count();
    return pool?.has(item) !== false && eligible(item) && filtered(item);
  };
  return excluded.size === 0 ? passes : (item) => !excluded.has(item) && passes(item);
}

/** The set that the lists of the request are restricted to, if it is small: the pool, or else the listing. */
function withinOf(
  { engine: { state, pools } }: PageContext,
  listing: Listing | undefined,
  pool: FilterPool | undefined,
): ItemBits | undefined {
  if (pool !== undefined && pool.size < POOL_SHARE_MAX * state.items.names.count) return pool;
  if (listing === undefined || listing.length > MARKED_ITEMS_MAX) return undefined;
  return pools.marked(listing.items());
}

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

interface Range {
  list: Pick<PostingLists, 'item'>;
  start: number;
  end: number;
}

/** The shortest known listing of a feed: from the postings of its filters, or from its pool. */
function listingOf(
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
  if ('items' in named) {
    const { items } = named;
    return [{ list: { item: (at) => items[at] }, start: 0, end: items.length }];
  }
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

/** Counts each item that filters and rules test. @throws ServiceError `request_too_costly` */
export function countedItems(
  { page: { budget } }: PageContext,
  filters: readonly BoundFilter[],
  rules: readonly BoundRule[],
): () => void {
  const calls = [...filters, ...rules].filter(({ id }) => isThirdParty(id)).length;
  const on = (): string => {
    const named = filters.length === 0 ? rules : filters;
    const kind = filters.length === 0 ? 'rules' : 'filters';
    return `too many items were looked at for its ${kind} (${named.map(({ id }) => id).join(', ')})`;
  };
  return () => budget.spendOnPlugins(1 + filters.length, calls, on);
}
