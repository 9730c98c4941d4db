import type { Ordinal } from '../plugin/index.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import type { Listing } from './allowed.ts';
import { createDecay } from './decay.ts';
import { type PageContext, ranked as rankedItems } from './page-context.ts';

/** The number of items that are read first. Each further read covers four times as many. */
const FIRST = 512;

/** All items that a feed may show, in the order of a signal, read on demand. Every eligible item is reachable. */
export class Tail {
  complete = false;
  private limit = FIRST;
  private ranked: readonly Ordinal[] = [];
  private at = 0;
  /**
   * Items of the ranking that are dated ahead.
   *
   * They come too early there (`createFading`), so they wait for their place.
   */
  private ahead: ScoredQueue | undefined;
  private scored: ((item: Ordinal) => number) | undefined;
  /** The rest of the listing, once it is sorted instead of reading the ranking. */
  private listed: ScoredQueue | undefined;

  /** The age factor of an item. Items are ordered by adjusted score. */
  private readonly decay: (item: Ordinal) => number;

  /**
   * @param by the signal that orders the items; it is the same for all viewers
   * @param listing a superset of the wanted items
   */
  constructor(
    private readonly context: PageContext,
    private readonly by: string,
    private readonly half_life_hours: number | undefined,
    private readonly listing: Listing | undefined,
  ) {
    this.decay = createDecay(context, half_life_hours);
  }

  /** Reads until `wanted` items were taken. @param takes whether an item is taken */
  read(wanted: number, takes: (item: Ordinal) => boolean): void {
    const { listing, by, half_life_hours } = this;
    let left = wanted;
    while (!this.complete && left > 0) {
      if (listing !== undefined && this.limit > listing.read_of_ranking_max) {
        this.readListed(listing, left, takes);
        return;
      }
      const ranked = rankedItems(this.context, by, this.limit, half_life_hours);
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

  /** @returns how many of `wanted` items are missing at `end` */
  private readRanked(end: number, wanted: number, takes: (item: Ordinal) => boolean): number {
    const { context, ranked } = this;
    const { now, eligible_until } = context;
    const fades = this.half_life_hours !== undefined;
    let left = wanted;
    while (this.at < end && left > 0) {
      const item = ranked[this.at];
      const created_at = fades ? context.item.created_at(item) : now;
      // Items that are planned for later are first in the ranking but must not be shown yet.
      if (created_at <= now) {
        // Among equal scores newer items come first.
        if (this.ahead?.size) left = this.readAhead(this.score(item), left, takes);
        if (left === 0) break;
        if (takes(item)) left--;
      } else if (created_at <= eligible_until) this.setAside(item);
      this.at++;
    }
    return left;
  }

  /** Reads waiting items with a score of at least `least`. @returns how many of `wanted` items are missing */
  private readAhead(least: number, wanted: number, takes: (item: Ordinal) => boolean): number {
    const { ahead } = this;
    let left = wanted;
    while (left > 0 && ahead !== undefined && ahead.best_score >= least) if (takes(ahead.pop())) left--;
    return left;
  }

  private setAside(item: Ordinal): void {
    this.ahead ??= this.context.engine.scratch.queues.take();
    this.ahead.add(item, this.score(item));
  }

  private score(item: Ordinal): number {
    this.scored ??= this.context.signal(this.by);
    return this.scored(item) * this.decay(item);
  }

  private readListed(listing: Listing, wanted: number, takes: (item: Ordinal) => boolean): void {
    this.listed ??= this.inOrder(listing);
    for (let left = wanted; left > 0 && this.listed.size > 0; ) if (takes(this.listed.pop())) left--;
    this.complete = this.listed.size === 0;
  }

  private inOrder(listing: Listing): ScoredQueue {
    const { state, scratch } = this.context.engine;
    const queue = scratch.queues.take();
    for (const item of listing.items()) {
      if (state.items.visible(item)) queue.add(item, this.score(item));
    }
    return queue;
  }
}
