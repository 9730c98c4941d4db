import type { BoundSource, CompiledFeed, Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { Admission } from './admission.ts';
import type { FilterPool } from './filter-pool.ts';
import type { Listing } from './listing.ts';
import type { PageItem } from './page-item.ts';
import type { Request } from './request.ts';
import { Tail } from './tail.ts';
import type { Trace } from './trace.ts';

/**
 * The tail reads at most this multiple of the feed's items from the ranking, then sorts the feed's items itself.
 *
 * New items are mostly at the end of a popularity ranking. With a pool, skipping foreign items is cheap.
 */
const TAIL_OVER_LISTING = 1;
const TAIL_OVER_POOL = 4;

/** Maximum number of items that pass the filters and are examined to fill a page. The viewer may not see the rest. */
const FILL_LOOKED_AT = 2_048;

/**
 * Step 1: selects the items to score. Spec 1.1.
 *
 * The first batch is either everything that a narrow filter allows, or the proposals of the sources. While the page
 * is short, the remaining eligible items follow in the order of a global ranking, so every eligible item is
 * reachable. Each item is a candidate once.
 */
export class Candidates {
  private readonly tail: Tail;
  /** The first batch contained all visible items. */
  private complete = false;

  /**
   * @param admission the test results of this page
   * @param admits whether an item is eligible and passes every filter
   * @param decay the age factor of an item; the tail is ordered by adjusted score
   * @param listing a superset of the admitted items
   * @param pool the same as a set, which `admits` checks first
   * @param list the items before this page
   */
  constructor(
    private readonly feed: CompiledFeed,
    private readonly request: Request,
    private readonly admission: Admission,
    private readonly admits: Test,
    private readonly decay: (item: Ordinal) => number,
    private readonly trace: Trace,
    private readonly listing: Listing | undefined,
    private readonly pool: FilterPool | undefined,
    private readonly list: readonly PageItem[],
  ) {
    this.tail = this.tailBy(feed.tail);
  }

  /** The first batch. It may be empty even if more items follow. */
  first(): Ordinal[] {
    const whole = this.whole();
    const batch: Ordinal[] = [];
    if (whole !== undefined) {
      this.complete = true;
      for (const item of whole.items) this.offer(item, batch);
      this.trace.offered?.(whole.origin, batch, batch.length);
      return batch;
    }
    const { sources } = this.feed;
    for (const source of sources) if (source.of_viewer) this.ask(source, batch);
    this.fillUp(batch);
    for (const source of sources) if (!source.of_viewer) this.ask(source, batch);
    return batch;
  }

  /**
   * The next `wanted` items that pass the rules, in the order of the tail. Fewer if there are no more.
   *
   * Rules are tested before scoring: returning viewers have seen most of the top items, and scoring these first would
   * cost several times as much.
   */
  more(wanted: number): Ordinal[] {
    const batch: Ordinal[] = [];
    const proposed = this.trace.offered && new Set<Ordinal>();
    const takes = (item: Ordinal): boolean => {
      if (this.pool?.has(item) === false) return false;
      if (proposed !== undefined && this.admits(item)) proposed.add(item);
      if (!this.admission.offerAdmitted(item)) return false;
      batch.push(item);
      return true;
    };
    if (!this.complete) this.tail.read(wanted, takes);
    if (proposed !== undefined) this.trace.offered?.('tail', [...proposed], proposed.size);
    return batch;
  }

  /** Marks an item that is already on the page, so that it is not offered again. */
  take(item: Ordinal): void {
    this.admission.offer(item, this.admits);
  }

  private ask(source: BoundSource, batch: Ordinal[]): void {
    const known = batch.length;
    const items = source.bind(this.request);
    for (const item of items) this.offer(item, batch);
    this.trace.proposed(source.id, batch.length - known);
    this.trace.offered?.(source.id, items, batch.length - known);
  }

  /**
   * Fills up a short page with visible items in the order of a signal.
   *
   * Sources only examine the first few hundred items, which may have another language or may all be seen.
   */
  private fillUp(batch: Ordinal[]): void {
    const { filled_by } = this.feed;
    if (filled_by === undefined) return;
    const { admits, admission } = this;
    const known = batch.length;
    const has_place = this.places();
    let lacking = this.request.page_length;
    for (const item of batch) {
      if (lacking === 0) return;
      if (admission.admits(item) && has_place(item)) lacking--;
    }
    const tail = this.tailBy(filled_by);
    // The tail may restart, so items can occur twice.
    const looked_at = new Set<Ordinal>();
    const look = (item: Ordinal): boolean => {
      if (looked_at.has(item) || !admits(item)) return false;
      looked_at.add(item);
      if (admission.admits(item) && this.offer(item, batch) && has_place(item)) lacking--;
      return true;
    };
    while (looked_at.size < FILL_LOOKED_AT && lacking > 0 && !tail.complete) tail.read(1, look);
    this.complete = tail.complete;
    this.trace.offered?.('tail', batch.slice(known), batch.length - known);
    this.trace.enter('candidates');
  }

  /**
   * Makes a test for whether diversity leaves a slot for an item.
   *
   * Each accepted item uses up a slot of its author.
   */
  private places(): Test {
    const { feed, request } = this;
    if (feed.diversity === undefined) return () => true;
    const { max_posts_per_author: most = Number.POSITIVE_INFINITY } = feed.diversity;
    const { min_distance_between_posts_from_same_author: distance = 0 } = feed.diversity;
    const of_page = Math.ceil(request.page_length / (distance + 1));
    const [before, taken] = [new Map<Ordinal, number>(), new Map<Ordinal, number>()];
    const add = (counts: Map<Ordinal, number>, author: Ordinal): number => {
      const count = counts.get(author) ?? 0;
      counts.set(author, count + 1);
      return count;
    };
    for (const { item } of this.list) add(before, request.author(item));
    return (item) => {
      const author = request.author(item);
      return author === NONE || add(taken, author) < Math.min(of_page, most - (before.get(author) ?? 0));
    };
  }

  private tailBy(by: string): Tail {
    const { feed, request, decay, listing, pool } = this;
    const over_listing = pool === undefined ? TAIL_OVER_LISTING : TAIL_OVER_POOL;
    return new Tail(request, { by, half_life_hours: feed.half_life_hours, decay, listing, over_listing });
  }

  private offer(item: Ordinal, batch: Ordinal[]): boolean {
    if (this.pool?.has(item) === false || !this.admission.offer(item, this.admits)) return false;
    batch.push(item);
    return true;
  }

  /** All visible items, if filters or else a rule can list few enough to score them all. */
  private whole(): { origin: string; items: Iterable<Ordinal> } | undefined {
    if (this.listing?.narrow) return { origin: 'postings', items: this.listing.items() };
    for (const rule of this.feed.rules) {
      const items = rule.allows?.(this.request.for_admission);
      if (items !== undefined) return { origin: rule.id, items };
    }
    return undefined;
  }
}
