import type { Ordinal } from '../plugin/index.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import type { Listing } from './listing.ts';
import type { Request } from './request.ts';

/** Items looked at first; four times as many each time that was not enough. */
const FIRST = 512;

export interface TailOptions {
  /** The signal, the same for everybody, in whose order the items come. */
  by: string;
  half_life_hours: number | undefined;
  /** The factor of an item's age: the order is that of the adjusted score. */
  decay(item: Ordinal): number;
  /** Everything that is wanted, and more. */
  listing: Listing | undefined;
  /** The ranking is read so many times as far as the listing has items, then these are put into its order. */
  over_listing: number;
}

/** Everything that a feed may show in the order of a signal, as far as anybody reads: nothing eligible is out of reach. */
export class Tail {
  /** There is no more. */
  complete = false;
  private limit = FIRST;
  private ranked: readonly Ordinal[] = [];
  private at = 0;
  /** What was read of the ranking and is dated ahead: there it comes too early (`createFading`), so it waits until it is due. */
  private ahead: ScoredQueue | undefined;
  private scored: ((item: Ordinal) => number) | undefined;
  /** What is left of the listing, when the ranking was read far enough. */
  private listed: ScoredQueue | undefined;

  constructor(
    private readonly request: Request,
    private readonly options: TailOptions,
  ) {}

  /** Reads on until `wanted` items were taken. @param takes whether it takes an item */
  read(wanted: number, takes: (item: Ordinal) => boolean): void {
    const { listing, over_listing, by, half_life_hours } = this.options;
    let left = wanted;
    while (!this.complete && left > 0) {
      if (listing !== undefined && this.limit > listing.length * over_listing) {
        this.readListed(listing, left, takes);
        return;
      }
      const ranked = this.request.ranked(by, this.limit, half_life_hours);
      if (ranked !== this.ranked) this.begin(ranked);
      left = this.readRanked(Math.min(ranked.length, this.limit), left, takes);
      if (left === 0) return;
      if (ranked.length < this.limit) {
        left = this.readAhead(Number.NEGATIVE_INFINITY, left, takes);
        this.complete = !this.ahead?.size;
      }
      this.limit *= 4;
    }
  }

  private begin(ranked: readonly Ordinal[]): void {
    this.ranked = ranked;
    this.at = 0;
    this.ahead?.clear();
  }

  /** @returns what is left of `wanted` when it has come to the `end` */
  private readRanked(end: number, wanted: number, takes: (item: Ordinal) => boolean): number {
    const { request, ranked } = this;
    const { now, eligible_until } = request;
    const fades = this.options.half_life_hours !== undefined;
    let left = wanted;
    while (this.at < end && left > 0) {
      const item = ranked[this.at];
      const created_at = fades ? request.created_at(item) : now;
      // All that is planned for later stands at the beginning, and is not to be shown before.
      if (created_at <= now) {
        // Of equals the newer come first.
        if (this.ahead?.size) left = this.readAhead(this.score(item), left, takes);
        if (left === 0) break;
        if (takes(item)) left--;
      } else if (created_at <= eligible_until) this.setAside(item);
      this.at++;
    }
    return left;
  }

  /** Reads what is dated ahead and has a score of `least` or more. @returns what is left of `wanted` */
  private readAhead(least: number, wanted: number, takes: (item: Ordinal) => boolean): number {
    const { ahead } = this;
    let left = wanted;
    while (left > 0 && ahead !== undefined && ahead.best_score >= least) if (takes(ahead.pop())) left--;
    return left;
  }

  private setAside(item: Ordinal): void {
    this.ahead ??= this.request.engine.scratch.queues.take();
    this.ahead.add(item, this.score(item));
  }

  private score(item: Ordinal): number {
    this.scored ??= this.request.signal(this.options.by);
    return this.scored(item) * this.options.decay(item);
  }

  private readListed(listing: Listing, wanted: number, takes: (item: Ordinal) => boolean): void {
    this.listed ??= this.inOrder(listing);
    for (let left = wanted; left > 0 && this.listed.size > 0; ) if (takes(this.listed.pop())) left--;
    this.complete = this.listed.size === 0;
  }

  private inOrder(listing: Listing): ScoredQueue {
    const { state, scratch } = this.request.engine;
    const queue = scratch.queues.take();
    for (const item of listing.items()) {
      if (state.items.visible(item)) queue.add(item, this.score(item));
    }
    return queue;
  }
}
