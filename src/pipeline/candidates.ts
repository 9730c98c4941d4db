import type { Ordinal } from '../plugin/index.ts';
import type { Admission } from './admission.ts';
import type { CompiledFeed, Test } from './compiled-feed.ts';
import type { FilterPool } from './filter-pool.ts';
import type { Listing } from './listing.ts';
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
/** Diversity leaves some out: so many times as many are put there. */
const FILL_FOR_DIVERSITY = 2;

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
    let filled_by = this.feed.filled_by;
    for (const source of this.feed.sources) {
      if (!source.of_viewer && filled_by !== undefined) {
        this.fillUp(batch, filled_by);
        this.trace.enter('candidates');
        filled_by = undefined;
      }
      const known = batch.length;
      const items = source.bind(this.request);
      for (const item of items) this.offer(item, batch);
      this.trace.proposed(source.id, batch.length - known);
      this.trace.offered?.(source.id, items, batch.length - known);
    }
    return batch;
  }

  /** At least `wanted` further items, in the order of the tail; fewer only when there are no more. */
  more(wanted: number): Ordinal[] {
    const batch: Ordinal[] = [];
    if (!this.complete) this.tail.read(wanted, (item) => this.offer(item, batch));
    this.trace.offered?.('tail', batch, batch.length);
    return batch;
  }

  /** An item that stands on the page already: it is offered no more. */
  take(item: Ordinal): void {
    this.admission.offer(item, this.admits);
  }

  /**
   * What a page lacks of what the feed may show, in the order of a signal: sources look at its first few hundred only,
   * which may be of another language, say, or all seen.
   */
  private fillUp(batch: Ordinal[], by: string): void {
    const { admits, admission, feed, request } = this;
    const known = batch.length;
    let lacking = request.page_length * (feed.diversity === undefined ? 1 : FILL_FOR_DIVERSITY) - known;
    const tail = this.tailBy(by);
    const look = (item: Ordinal): boolean => {
      if (!admits(item)) return false;
      if (admission.admits(item) && this.offer(item, batch)) lacking--;
      return true;
    };
    for (let left = FILL_LOOKED_AT; left > 0 && lacking > 0 && !tail.complete; left--) tail.read(1, look);
    this.complete = tail.complete;
    this.trace.offered?.('tail', batch.slice(known), batch.length - known);
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
      const items = rule.allows?.(this.request);
      if (items !== undefined) return { origin: rule.id, items };
    }
    return undefined;
  }
}
