import { grown } from '../columns/growable.ts';
import { type Key, NONE } from '../model/key.ts';
import type { ItemCounters } from '../model/records/index.ts';

/** Represents a missing time, and sorts last. */
const UNDATED = Number.POSITIVE_INFINITY;

/**
 * Counters that came with items and wait for the end of the import.
 *
 * Their source counted later than the item was created, or gave no time, and no change may be dated ahead of the data.
 * 36 bytes each.
 */
export class LateCounts {
  size = 0;
  private item = new Int32Array(64);
  private time = new Float64Array(64);
  private likes = new Float64Array(64);
  private comments = new Float64Array(64);
  private shares = new Float64Array(64);

  add(item: Key, counters: ItemCounters): void {
    const at = this.size++;
    this.item = grown(this.item, this.size);
    this.time = grown(this.time, this.size);
    this.likes = grown(this.likes, this.size);
    this.comments = grown(this.comments, this.size);
    this.shares = grown(this.shares, this.size);
    this.item[at] = item;
    this.time[at] = counters.updated_at ?? UNDATED;
    this.likes[at] = counters.likes_count ?? NONE;
    this.comments[at] = counters.comments_count ?? NONE;
    this.shares[at] = counters.shares_count ?? NONE;
  }

  /** All counters in order of their times, and then of arrival. */
  *inOrder(): Generator<{ item: Key; counters: ItemCounters }> {
    const order = Uint32Array.from({ length: this.size }, (_, at) => at);
    order.sort((one, other) => compare(this.time[one], this.time[other]) || one - other);
    for (const at of order) yield { item: this.item[at], counters: this.countersAt(at) };
  }

  private countersAt(at: number): ItemCounters {
    const counters: ItemCounters = {};
    if (this.time[at] !== UNDATED) counters.updated_at = this.time[at];
    if (this.likes[at] !== NONE) counters.likes_count = this.likes[at];
    if (this.comments[at] !== NONE) counters.comments_count = this.comments[at];
    if (this.shares[at] !== NONE) counters.shares_count = this.shares[at];
    return counters;
  }
}

/** Unlike a subtraction, this is right for two infinities. */
function compare(one: number, other: number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
