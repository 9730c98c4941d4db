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
      if (ranked !== this.ranked) this.at = 0;
      this.ranked = ranked;
      const end = Math.min(ranked.length, this.limit);
      while (this.at < end && left > 0) if (takes(ranked[this.at++])) left--;
      if (this.at < end) return;
      if (ranked.length < this.limit) this.complete = true;
      this.limit *= 4;
    }
  }

  private readListed(listing: Listing, wanted: number, takes: (item: Ordinal) => boolean): void {
    this.listed ??= this.inOrder(listing);
    for (let left = wanted; left > 0 && this.listed.size > 0; ) if (takes(this.listed.pop())) left--;
    this.complete = this.listed.size === 0;
  }

  private inOrder(listing: Listing): ScoredQueue {
    const { state, scratch } = this.request.engine;
    const score = this.request.signal(this.options.by);
    const queue = scratch.queues.take();
    for (const item of listing.items()) {
      if (state.items.visible(item)) queue.add(item, score(item) * this.options.decay(item));
    }
    return queue;
  }
}
