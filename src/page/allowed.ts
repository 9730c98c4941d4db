import type { Bound, CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { Admission } from './admission.ts';
import { countedItems } from './counted-items.ts';
import type { FilterPool } from './filter-pool.ts';
import type { ItemBits } from './item-bits.ts';
import { type Listing, listingOf } from './listing.ts';
import type { PageContext } from './page-context.ts';
import { allOf } from './visibility.ts';

/** Lists of a request use the pool if it contains less than this share of all items. */
const POOL_SHARE_MAX = 0.5;
/** Otherwise they use a listing of at most this length, which costs 2 to 3 ns per item. */
const MARKED_ITEMS_MAX = 8_192;

/** What a feed may show to its viewer. */
export interface Allowed {
  /** Tests an item. */
  admission: Admission;
  /** A superset of these items, if the filters name one. */
  listing: Listing | undefined;
}

/** Binds the filters and rules of a feed, and restricts the lists of the request to what they allow. */
export function allowedItems(
  feed: CompiledFeed,
  context: PageContext,
  excluded: ReadonlySet<Ordinal>,
): Allowed {
  const { engine } = context;
  // A pool runs no filter, so nothing could be counted.
  const pool = context.trace.record ? undefined : engine.pools.of(feed, engine);
  const filtered = filtering(feed, context, pool, excluded);
  const visible = testOf(feed.rules, context);
  const listing = listingOf(feed, context, pool);
  const admission = context.restrictTo({ filtered, visible, pool }, withinOf(context, listing, pool));
  return { admission, listing };
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
