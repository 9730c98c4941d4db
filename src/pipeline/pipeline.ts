import type { Ordinal } from '../plugin/index.ts';
import { tieBreak } from '../signals/order.ts';
import { Candidates } from './candidates.ts';
import type { CompiledFeed, Test } from './compiled-feed.ts';
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

/** Sources look for items of a pool that holds less than this share of all items … */
const POOL_SHARE_MAX = 0.5;
/** … or else of a listing of so many, which takes 2 to 3 ns each. */
const MARKED_ITEMS_MAX = 8_192;

/** So many items of the tail are scored for each that is missing, … */
const TAIL_OF_OTHERS = 2;
/** … and when their order is the page's, but for what has changed with time since the tail was put into it. */
const TAIL_IN_ORDER = 1.25;

/** How a page is to be built, where it is not all that there is. */
export interface PageOptions {
  /** The list that the page goes on with: nothing of it comes again, and diversity counts it. Default: empty. */
  list?: readonly PageItem[];
  /** Whose signals the scores are made of, so that those of a whole list can be compared. Default: the page's own. */
  scored_for?: Request;
  /**
   * Of the page's slots, the first so many are shown for sure: new items get theirs among these. With 0 nothing is
   * explored. Default: all.
   */
  explorable?: number;
}

/**
 * Builds the first `request.page_length` items of a feed: candidates → ranking → visibility → diversity,
 * spec 1. Synchronous, so it sees one state. Ordered by adjusted score (ties: newer, then `item_id`) unless
 * diversity moves items apart; for-you pages have some new items of small authors among them; shorter only when no eligible item is left, or diversity allows no more.
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
  const listing = listingOf(feed, request.for_admission, pool);
  const visible = allOf(feed.rules.map((rule) => rule.bind(request.for_admission)));
  const within = withinOf(request, listing, pool);
  const admission = request.restrictTo((item) => admits(item) && visible(item), within);

  const decay = createDecay(request, feed.half_life_hours);
  const { scorer, most } = scoringOf(feed, scored_for, decay);
  // Without sources the tail is what the feed is ranked by, as of a moment ago.
  const in_order = feed.sources.length === 0;
  // What passed already, as the tail and what sources list have, need not be tested again.
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
      // Best first already when nothing was there before.
      if (before > 0) ranked.sort((one, other) => comparePageItems(request, one, other));
    }
    if (feed.feed_type === 'for-you' && explored === undefined) {
      explored = explore(request, ranked, explorable, (item) => admits(item) && visible(item), decay);
      for (const { item } of explored) candidates.take(item);
      // What stands on the page already may still wait in the queue.
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

/** The scoring function, and what an item's adjusted score never exceeds: each item that is ranked by that counts. */
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

/** Eligible now and kept by every filter: the pool answers for those that it holds the items of. */
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

/** What sources and shares look at nothing but, when it is few of all items: the pool, else what is listed. */
function withinOf(
  { engine: { state, pools } }: Request,
  listing: Listing | undefined,
  pool: FilterPool | undefined,
): ItemBits | undefined {
  if (pool !== undefined && pool.size < POOL_SHARE_MAX * state.items.names.count) return pool;
  if (listing === undefined || listing.length > MARKED_ITEMS_MAX) return undefined;
  return pools.marked(listing.items());
}

/** What passes a test and is none of some items. */
function notAmong(items: readonly PageItem[], passes: Test): Test {
  if (items.length === 0) return passes;
  const among = new Set(items.map(({ item }) => item));
  return (item) => !among.has(item) && passes(item);
}

/** The order of a page: negative when `one` comes first. */
export function comparePageItems(request: Request, one: ScoredItem, other: ScoredItem): number {
  return other.adjusted_score - one.adjusted_score || tieBreak(request.engine.state, one.item, other.item);
}
