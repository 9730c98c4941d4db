import type { BoundSource, CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import { type Allowed, NARROW_ITEMS_MAX } from './allowed.ts';
import { freeSlots } from './diversity.ts';
import type { PageContext } from './page-context.ts';
import type { PageItem } from './page-item.ts';
import { Tail } from './tail.ts';

/** Maximum number of ranked items that are examined per missing candidate. The viewer may not see the rest. */
const EXAMINED_PER_MISSING = 8;

/** The candidates of one page, in batches. Each item comes once. */
export interface Candidates {
  /** The first batch. It may be empty even if more items follow. */
  first(): Ordinal[];
  /**
   * The next `count` items that pass the rules. Fewer if there are no more.
   * @param is_useless whether an item is left out, because the page has no room for it
   */
  more(count: number, is_useless: Test): Ordinal[];
  /** The items that `more` left out and that are not useless any more. */
  reconsidered(is_useless: Test): Ordinal[];
}

/**
 * Step 1: selects the items to score. Spec 1.1.
 *
 * The first batch is everything that a narrow filter allows, or the proposals of the sources. With few eligible items
 * it has all of them, and with a candidate limit it is filled up from a global ranking. The remaining eligible items
 * follow in the order of that ranking, so every eligible item is reachable.
 * @param list the items before this page
 */
export function candidates(
  feed: CompiledFeed,
  context: PageContext,
  allowed: Allowed,
  list: readonly PageItem[],
): Candidates {
  return new Supply(feed, context, allowed, list);
}

class Supply implements Candidates {
  private readonly tail: Tail;
  /** Proposals that sources made beyond their share of the candidate limit. */
  private readonly unread: { source: BoundSource; items: readonly Ordinal[] }[] = [];
  private left_out: Ordinal[] = [];
  private is_complete = false;

  constructor(
    private readonly feed: CompiledFeed,
    private readonly context: PageContext,
    private readonly allowed: Allowed,
    private readonly list: readonly PageItem[],
  ) {
    this.tail = new Tail(context, feed.tail, feed.half_life_hours, allowed.listing);
  }

  first(): Ordinal[] {
    const { feed, context, allowed, list } = this;
    const all = allItems(feed, context, allowed);
    const batch: Ordinal[] = [];
    if (all !== undefined) {
      this.addAll(all.items, batch, all.origin);
      context.trace.record?.limited(batch.length);
      return batch;
    }
    // Not before, since it computes what each signal of the viewer reaches.
    const sources = feed.sources.filter(({ signal }) => context.applies(signal));
    const breadth = breadthOf(sources, candidatesOf(feed, context), context);
    context.trace.record?.limited(breadth.limit);
    const few = fewEligible(context, allowed);
    for (const source of sources) if (source.of_viewer) this.ask(source, breadth, batch);
    this.is_complete = few === undefined && fillUp(batch, feed, context, allowed, list);
    for (const source of sources) if (!source.of_viewer) this.ask(source, breadth, batch);
    if (few !== undefined) this.addAll(few, batch, 'tail');
    else if (breadth.is_limited) this.fillToLimit(breadth.limit, batch);
    return batch;
  }

  /**
   * Rules are tested before scoring: returning viewers have seen most of the top items, and scoring these first
   * would cost several times as much.
   */
  more(count: number, is_useless: Test): Ordinal[] {
    const {
      tail,
      context: { trace },
    } = this;
    const { admission } = this.allowed;
    trace.enter('candidates');
    const batch: Ordinal[] = [];
    const proposed = trace.record && new Set<Ordinal>();
    const takes = (item: Ordinal): boolean => {
      if (proposed !== undefined && admission.filtered(item)) proposed.add(item);
      if (is_useless(item)) {
        this.left_out.push(item);
        return false;
      }
      if (!admission.offerAdmitted(item)) return false;
      batch.push(item);
      return true;
    };
    if (!this.is_complete) tail.read(count, takes);
    if (proposed !== undefined) trace.record?.offered('tail', [...proposed], proposed.size);
    return batch;
  }

  reconsidered(is_useless: Test): Ordinal[] {
    const { admission } = this.allowed;
    const again = this.left_out.filter((item) => !is_useless(item));
    this.left_out = this.left_out.filter(is_useless);
    return again.filter((item) => admission.offerAdmitted(item));
  }

  /** Takes the share of a source. Items beyond it wait until all sources were asked. */
  private ask(source: BoundSource, breadth: Breadth, batch: Ordinal[]): void {
    const { context } = this;
    const wanted = breadth.wanted(source);
    const items = context.best(source.signal, wanted);
    const before = batch.length;
    const end = breadth.is_limited ? Math.min(breadth.limit, before + wanted) : Number.POSITIVE_INFINITY;
    const read = this.propose(source, items, batch, end);
    context.trace.proposed(source.id, batch.length - before);
    if (read < items.length) this.unread.push({ source, items: items.slice(read) });
  }

  /** Adds proposals until the batch has `end` items. @returns how many proposals were read */
  private propose({ id }: BoundSource, items: readonly Ordinal[], batch: Ordinal[], end: number): number {
    const { admission } = this.allowed;
    const before = batch.length;
    let read = 0;
    for (; read < items.length && batch.length < end; read++) {
      if (admission.offer(items[read])) batch.push(items[read]);
    }
    this.context.trace.record?.offered(id, items.slice(0, read), batch.length - before);
    return read;
  }

  /** Adds all items that the feed may show. */
  private addAll(items: Iterable<Ordinal>, batch: Ordinal[], origin: string): void {
    const { admission } = this.allowed;
    const before = batch.length;
    for (const item of items) if (admission.offer(item)) batch.push(item);
    this.context.trace.record?.offered(origin, batch.slice(before), batch.length - before);
    this.is_complete = true;
  }

  /**
   * Adds further proposals, then items in the order of the feed's ranking, up to the candidate limit.
   *
   * Fewer if the viewer may not see most of the ranking.
   */
  private fillToLimit(limit: number, batch: Ordinal[]): void {
    const { tail, unread } = this;
    const { admission } = this.allowed;
    for (const { source, items } of unread) this.propose(source, items, batch, limit);
    if (this.is_complete) return;
    const before = batch.length;
    let left = EXAMINED_PER_MISSING * (limit - before);
    while (batch.length < limit && left > 0 && !tail.complete) {
      const count = Math.min(left, limit - batch.length);
      left -= count;
      tail.read(count, (item) => {
        if (admission.offerAdmitted(item)) batch.push(item);
        // Items that may not be shown count as well, so the cost is bounded.
        return true;
      });
    }
    this.context.trace.record?.offered('tail', batch.slice(before), batch.length - before);
  }
}

/** All visible items, if filters or else a rule can list few enough to score them all. */
function allItems(
  { rules }: CompiledFeed,
  { for_admission }: PageContext,
  { listing }: Allowed,
): { origin: string; items: Iterable<Ordinal> } | undefined {
  if (listing?.is_narrow) return { origin: 'postings', items: listing.items() };
  for (const rule of rules) {
    const items = rule.allows?.(for_admission);
    if (items !== undefined) return { origin: rule.id, items };
  }
  return undefined;
}

/**
 * The usual number of items that a source should propose.
 *
 * Under load the number is reduced, but not below one page. If `per_item` is less than 1, it is never reduced.
 */
function usuallyWanted(
  { per_item }: BoundSource,
  { page_length, effort }: Pick<PageContext, 'page_length' | 'effort'>,
): number {
  return Math.ceil(Math.max(Math.min(1, per_item), effort * per_item) * page_length);
}

/** The number of candidates of a feed. More for a viewer with `more` or `less`, as with `repeat_author_decay`. */
function candidatesOf(
  { candidates, scoring }: CompiledFeed,
  { boosts }: PageContext,
): CompiledFeed['candidates'] {
  if (candidates !== undefined || boosts === undefined || scoring.in_order) return candidates;
  return { limit: LIMITS.candidates_wider, is_default: true };
}

/** How many candidates a page scores. */
interface Breadth {
  /** The number of candidates. A page that is short of visible items scores more. */
  limit: number;
  /** Whether exactly as many are wanted: proposals beyond the limit are ignored, and missing ones filled up. */
  is_limited: boolean;
  /** The number of items that a source should propose. */
  wanted(source: BoundSource): number;
}

/**
 * The breadth of a feed for one page.
 * @param sources those that can propose anything
 *
 * Without a limit, sources propose what was measured to be enough for the built-in scoring functions. A default limit
 * of the scoring function only raises this number. The limit of a feed replaces it, but is at least the length of the
 * page. Under load both limits are reduced.
 */
function breadthOf(
  sources: readonly BoundSource[],
  candidates: CompiledFeed['candidates'],
  context: PageContext,
): Breadth {
  const { page_length, effort } = context;
  const usual = (source: BoundSource) => usuallyWanted(source, context);
  const usual_sum = sources.reduce((sum, source) => sum + usual(source), 0);
  const least = candidates?.is_default === false ? page_length : Math.max(page_length, usual_sum);
  if (candidates === undefined) return { limit: least, is_limited: false, wanted: usual };
  const limit = Math.max(least, Math.ceil(effort * candidates.limit));
  const shares = sources.reduce((sum, { per_item }) => sum + per_item, 0);
  const wanted = ({ per_item }: BoundSource) => Math.max(1, Math.floor((limit * per_item) / shares));
  return { limit, is_limited: true, wanted };
}

/** Maximum number of items that pass the filters and are examined to fill a page. The viewer may not see the rest. */
const EXAMINED_MAX = 2_048;

/**
 * Fills a batch up to a page of visible items, in the order of the feed's signal for it.
 *
 * Sources only examine the first few hundred items, which may have another language or may all be seen.
 * @param list the items before this page
 * @returns whether the batch then has all items that the feed may show
 */
export function fillUp(
  batch: Ordinal[],
  feed: CompiledFeed,
  context: PageContext,
  { admission, listing }: Allowed,
  list: readonly PageItem[],
): boolean {
  if (feed.filled_by === undefined) return false;
  const before = batch.length;
  const has_slot = freeSlots(feed.diversity, context.page_length, context.grouping, list);
  let missing = context.page_length;
  for (const item of batch) {
    if (missing === 0) return false;
    if (admission.admits(item) && has_slot(item)) missing--;
  }
  const tail = new Tail(context, feed.filled_by, feed.half_life_hours, listing);
  // The tail may restart, so items can occur twice.
  const examined = new Set<Ordinal>();
  const examine = (item: Ordinal): boolean => {
    if (examined.has(item) || !admission.filtered(item)) return false;
    examined.add(item);
    if (admission.admits(item) && admission.offer(item)) {
      batch.push(item);
      if (has_slot(item)) missing--;
    }
    return true;
  };
  while (examined.size < EXAMINED_MAX && missing > 0 && !tail.complete) tail.read(1, examine);
  context.trace.record?.offered('tail', batch.slice(before), batch.length - before);
  context.trace.enter('candidates');
  return tail.complete;
}

/** Maximum number of items that are tested to find out whether few are eligible: less than a millisecond. */
const TESTED_MAX = 4 * NARROW_ITEMS_MAX;

/**
 * All items that a feed may show, if they are few enough to score them all.
 *
 * Tests items only if the community, or a listing of the feed, is small.
 * @returns undefined if there are too many, or possibly too many
 */
function fewEligible(
  { engine, newest }: PageContext,
  { admission, listing }: Allowed,
): readonly Ordinal[] | undefined {
  const { by_time } = engine.state;
  const all_count = by_time.end(0) - by_time.start(0);
  if (listing !== undefined && listing.length <= Math.min(all_count, TESTED_MAX)) {
    const eligible = new Set<Ordinal>();
    for (const item of listing.items()) {
      if (admission.admits(item) && eligible.add(item).size > NARROW_ITEMS_MAX) return undefined;
    }
    return [...eligible];
  }
  if (all_count > TESTED_MAX) return undefined;
  const eligible = newest(NARROW_ITEMS_MAX + 1);
  return eligible.length > NARROW_ITEMS_MAX ? undefined : eligible;
}
