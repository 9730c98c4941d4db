import type { Ordinal } from '../plugin/index.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import type { Admission } from './admission.ts';
import type { CompiledFeed, Test } from './compiled-feed.ts';
import type { FilterPool } from './filter-pool.ts';
import type { Listing } from './listing.ts';
import type { Request } from './request.ts';
import type { Trace } from './trace.ts';

/** Items of the tail looked at first; four times as many each time that was not enough. */
const TAIL_FIRST = 512;
/**
 * The tail is read so many times as far as the feed has items, then these are put into its order: what is new is
 * mostly at the end of what is popular. A pool drops the others in a moment.
 */
const TAIL_OVER_LISTING = 1;
const TAIL_OVER_POOL = 4;

/**
 * Step 1, spec 1.1: which items are worth scoring. First either everything a narrow filter leaves, or what
 * the sources propose; then, as long as the page is short, the rest of the eligible items by a global
 * ranking, so nothing eligible is ever out of reach. Each item is a candidate once.
 */
export class Candidates {
  private readonly tail_over: number;
  private complete = false;
  private tail_limit = TAIL_FIRST;
  private tail: readonly Ordinal[] = [];
  private tail_at = 0;
  /** What is left of the listing, when the tail was read far enough. */
  private listed: ScoredQueue | undefined;

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
    this.tail_over = pool === undefined ? TAIL_OVER_LISTING : TAIL_OVER_POOL;
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
    for (const source of this.feed.sources) {
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
    const { tail, half_life_hours } = this.feed;
    const batch: Ordinal[] = [];
    while (!this.complete && batch.length < wanted) {
      if (this.listing !== undefined && this.tail_limit > this.listing.length * this.tail_over) {
        this.moreOf(this.listing, wanted, batch);
        break;
      }
      const ranked = this.request.ranked(tail, this.tail_limit, half_life_hours);
      if (ranked !== this.tail) this.tail_at = 0;
      this.tail = ranked;
      const end = Math.min(ranked.length, this.tail_limit);
      while (this.tail_at < end && batch.length < wanted) this.offer(ranked[this.tail_at++], batch);
      if (this.tail_at < end) break;
      if (ranked.length < this.tail_limit) this.complete = true;
      this.tail_limit *= 4;
    }
    this.trace.offered?.('tail', batch, batch.length);
    return batch;
  }

  /** An item that stands on the page already: it is offered no more. */
  take(item: Ordinal): void {
    this.admission.offer(item, this.admits);
  }

  /** The same from a listing. */
  private moreOf(listing: Listing, wanted: number, batch: Ordinal[]): void {
    this.listed ??= this.inOrderOfTail(listing);
    while (batch.length < wanted && this.listed.size > 0) this.offer(this.listed.pop(), batch);
    this.complete = this.listed.size === 0;
  }

  private inOrderOfTail(listing: Listing): ScoredQueue {
    const { state } = this.request.engine;
    const score = this.request.signal(this.feed.tail);
    const queue = this.request.engine.scratch.queues.take();
    for (const item of listing.items()) {
      if (state.items.visible(item)) queue.add(item, score(item) * this.decay(item));
    }
    return queue;
  }

  private offer(item: Ordinal, batch: Ordinal[]): void {
    if (this.pool?.has(item) === false) return;
    if (this.admission.offer(item, this.admits)) batch.push(item);
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
