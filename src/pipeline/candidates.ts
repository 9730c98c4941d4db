import { NONE, type Ordinal } from '../plugin/index.ts';
import type { Admission } from './admission.ts';
import type { BoundSource, CompiledFeed, Test } from './compiled-feed.ts';
import type { FilterPool } from './filter-pool.ts';
import type { Listing } from './listing.ts';
import type { PageItem } from './page-item.ts';
import type { Request } from './request.ts';
import { Tail } from './tail.ts';
import type { Trace } from './trace.ts';

/**
 * The tail is read so many times as far as the feed has items, then these are put into its order: what is new is
 * mostly at the end of what is popular. A pool drops the others in a moment.
 */
const TAIL_OVER_LISTING = 1;
const TAIL_OVER_POOL = 4;

/** A page is filled up from so many items at most that the feed's filters keep: the rest the viewer may not see. */
const FILL_LOOKED_AT = 2_048;

/**
 * Step 1, spec 1.1: which items are worth scoring. First either everything a narrow filter leaves, or what
 * the sources propose; then, as long as the page is short, the rest of the eligible items by a global
 * ranking, so nothing eligible is ever out of reach. Each item is a candidate once.
 */
export class Candidates {
  private readonly tail: Tail;
  /** All that may be shown was in the first batch. */
  private complete = false;

  /**
   * @param admission of this page
   * @param admits eligible now and kept by every filter
   * @param decay the factor of an item's age: the tail is in the order of the adjusted score
   * @param listing everything that is admitted, and more
   * @param pool the same, which `admits` asks first
   * @param list what the page goes on with
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

  /** The first batch; it may be empty although more follow. */
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
   * `wanted` further items that the rules let through, in the order of the tail; fewer only when there are no more. What
   * everybody is shown first the viewer has mostly seen: to score it before it is asked about would cost several times as much.
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

  /** An item that stands on the page already: it is offered no more. */
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
   * What a page lacks of what the feed may show, in the order of a signal: sources look at its first few hundred only,
   * which may be of another language, say, or all seen.
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
    // The tail may begin anew.
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

  /** Whether diversity leaves an item a place on the page, whoever is asked about one after another taking theirs. */
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

  /** Everything that may be shown, when that can be listed and scored as a whole: by filters, or else by a rule. */
  private whole(): { origin: string; items: Iterable<Ordinal> } | undefined {
    if (this.listing?.narrow) return { origin: 'postings', items: this.listing.items() };
    for (const rule of this.feed.rules) {
      const items = rule.allows?.(this.request.for_admission);
      if (items !== undefined) return { origin: rule.id, items };
    }
    return undefined;
  }
}
