import type { CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';
import { tieBreak } from '../signals/order.ts';
import { Candidates } from './candidates.ts';
import { countedItems, countedScores } from './counted-items.ts';
import { diversify } from './diversity.ts';
import { explore } from './exploration.ts';
import type { FilterPool } from './filter-pool.ts';
import type { ItemBits } from './item-bits.ts';
import { type Listing, listingOf } from './listing.ts';
import type { PageItem, ScoredItem } from './page-item.ts';
import { createDecay, rank } from './ranking.ts';
import type { Request } from './request.ts';
import { NO_TRACE, type Trace } from './trace.ts';
import { allOf, type Scorer, takeVisible } from './visibility.ts';

/** Sources use the pool if it contains less than this share of all items. */
const POOL_SHARE_MAX = 0.5;
/** Otherwise they use a listing of at most this length, which costs 2 to 3 ns per item. */
const MARKED_ITEMS_MAX = 8_192;

/** The number of tail items that are scored per missing item, if the tail has another order than the page. */
const TAIL_OF_OTHERS = 2;
/** The same if the tail has the page's order. Scores may have changed since the tail was ranked. */
const TAIL_IN_ORDER = 1.25;

/** Options for building a page as a part of a longer list. */
export interface PageOptions {
  /** The items before the page. They are not repeated, and count for diversity. Default: empty. */
  list?: readonly PageItem[];
  /** The request whose signals make the scores, so that scores of a whole list are comparable. Default: this one. */
  scored_for?: Request;
  /** The number of slots that are certainly shown, and that exploration may use. 0: no exploration. Default: all. */
  explorable?: number;
}

/**
 * Builds the first `request.page_length` items of a feed: candidates → ranking → visibility → diversity. Spec 1.
 *
 * Synchronous, so it sees one state. Ordered by adjusted score (ties: newer, then `item_id`), except where diversity
 * moves items apart. For-you pages contain some new items of small authors. A page is shorter only if no eligible
 * item is left or diversity allows no more.
 */
export function buildPage(
  feed: CompiledFeed,
  request: Request,
  trace: Trace = NO_TRACE,
  { list = [], scored_for = request, explorable = request.page_length }: PageOptions = {},
): PageItem[] {
  trace.enter('candidates');
  const length = request.page_length;
  const { state, scratch, pools, trend_rates } = request.engine;
  const pool = pools.of(feed, request.engine);
  const admits = notAmong(list, filtering(feed, request, pool));
  const listing = listingOf(feed, request, pool);
  const visible = allOf(feed.rules.map((rule) => rule.bind(request.for_admission)));
  const within = withinOf(request, listing, pool);
  const admission = request.restrictTo((item) => admits(item) && visible(item), within);

  const decay = createDecay(request, feed.half_life_hours);
  const { scorer, most } = scoringOf(feed, scored_for, decay);
  // Without sources the tail is the feed's own ranking, which may be slightly out of date.
  const in_order = feed.sources.length === 0;
  // Items of the tail and of sources have passed already.
  let shows: Test = (item) => admission.has(item) || visible(item);
  const candidates = new Candidates(feed, request, admission, admits, decay, trace, listing, pool, list);
  const queue = scratch.queues.take();
  const ranked: PageItem[] = [];
  const first = candidates.first();
  if (first.length > 0) {
    trace.enter('ranking');
    trend_rates.readAhead(first);
    rank(first, most, queue);
  }
  let explored: PageItem[] | undefined;
  for (let wanted = length; ; wanted *= 2) {
    if (queue.size > 0) {
      trace.enter('visibility');
      takeVisible(ranked, queue, shows, scorer, wanted);
    }
    let more = true;
    while (ranked.length < wanted && more) {
      trace.enter('candidates');
      const missing = wanted - ranked.length;
      const batch = candidates.more(Math.ceil(missing * (in_order ? TAIL_IN_ORDER : TAIL_OF_OTHERS)));
      more = batch.length > 0;
      trace.enter('ranking');
      rank(batch, most, queue);
      trace.enter('visibility');
      const before = ranked.length;
      takeVisible(ranked, queue, shows, scorer, wanted);
      // With an empty list, items are in order already.
      if (before > 0) ranked.sort((one, other) => comparePageItems(request, one, other));
    }
    if (feed.feed_type === 'for-you' && explored === undefined) {
      explored = explore(request, ranked, explorable, (item) => admits(item) && visible(item), decay);
      for (const { item } of explored) candidates.take(item);
      // Explored items may also be in the queue.
      shows = notAmong(explored, shows);
      trace.offered?.(
        'exploration',
        explored.map(({ item }) => item),
        explored.length,
      );
      ranked.push(...explored);
      ranked.sort((one, other) => comparePageItems(request, one, other));
    }
    trace.enter('mixing');
    const page = diversify(ranked, length, feed.diversity, (item) => state.items.author(item), list);
    trace.diversified?.(ranked.length, page.length);
    if (page.length === length || !more) return page;
  }
}

/** Combines the scoring function with an upper bound of the adjusted score. Counts each scored item. */
function scoringOf(
  { scoring, half_life_hours }: CompiledFeed,
  request: Request,
  decay: Scorer['decay'],
): { scorer: Scorer; most: Scorer['score'] } {
  const score = scoring.bind(request);
  const ceiling = scoring.ceiling?.(request) ?? score;
  const queued = ceiling === score && half_life_hours === undefined;
  const count = countedScores(request, scoring);
  const most = (item: Ordinal): number => {
    count();
    return ceiling(item) * decay(item);
  };
  return { scorer: { id: scoring.id, score, decay, queued }, most };
}

/** Eligibility and filters. The pool decides for the filters that it covers. */
function filtering(feed: CompiledFeed, request: Request, pool: FilterPool | undefined): Test {
  const { for_admission } = request;
  const filters = feed.filters.filter((filter) => pool?.filters.includes(filter) !== true);
  const filtered = allOf(filters.map((filter) => filter.bind(for_admission)));
  const count = countedItems(request, filters, feed.rules);
  return (item) => {
    count();
    return pool?.has(item) !== false && request.eligible(item) && filtered(item);
  };
}

/** The set that sources and shares are restricted to, if it is small: the pool, or else the listing. */
function withinOf(
  { engine: { state, pools } }: Request,
  listing: Listing | undefined,
  pool: FilterPool | undefined,
): ItemBits | undefined {
  if (pool !== undefined && pool.size < POOL_SHARE_MAX * state.items.names.count) return pool;
  if (listing === undefined || listing.length > MARKED_ITEMS_MAX) return undefined;
  return pools.marked(listing.items());
}

/** A test that also rejects the given items. */
function notAmong(items: readonly PageItem[], passes: Test): Test {
  if (items.length === 0) return passes;
  const among = new Set(items.map(({ item }) => item));
  return (item) => !among.has(item) && passes(item);
}

/** Compares items by the order of a page. */
export function comparePageItems(request: Request, one: ScoredItem, other: ScoredItem): number {
  return other.adjusted_score - one.adjusted_score || tieBreak(request.engine.state, one.item, other.item);
}
