import { BitSet } from '../bit-set.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { NeighbourLists } from './neighbour-lists.ts';

/** Lists that are looked through in one go. */
const LISTS_AT_ONCE = 64;

/** Takes items out of all lists that led to them, a few lists at a time; what was built since is left alone. */
export class ListSweep {
  /** Those that are being taken out, and how many lists have been looked through for them. */
  private leaving: Ordinal[] = [];
  private readonly leaving_bits = new BitSet();
  private looked_at = 0;
  /** Lists that were built at this `seq` or later know of it. */
  private left_at = 0;
  /** Those whose turn is next: what comes in meanwhile does not begin the round anew. */
  private next: Ordinal[] = [];
  private next_left_at = 0;

  /**
   * @param builtAt the `seq` at which the list of a slot was built
   * @param onSwept is told which items no list leads to any more that was built before they left, at a `seq`
   */
  constructor(
    private readonly lists: NeighbourLists,
    private readonly builtAt: (slot: number) => number,
    private readonly onSwept: (items: readonly Ordinal[], left_at: number) => void,
  ) {}

  /** @param seq of the state, in which they are gone, or something else */
  leave(items: readonly Ordinal[], seq: number): void {
    for (const item of items) this.next.push(item);
    this.next_left_at = seq;
  }

  /** Looks through some of the first `slots` lists; false when there is nothing to take out. O(lists × their length). */
  step(slots: number, lists = LISTS_AT_ONCE): boolean {
    if (this.leaving.length === 0) {
      if (this.next.length === 0) return false;
      this.leaving = this.next;
      this.next = [];
      this.left_at = this.next_left_at;
      for (const item of this.leaving) this.leaving_bits.add(item);
      this.looked_at = 0;
    }
    const end = Math.min(slots, this.looked_at + lists);
    for (; this.looked_at < end; this.looked_at++) {
      if (this.builtAt(this.looked_at) >= this.left_at) continue;
      this.lists.forget(this.looked_at, (item) => this.leaving_bits.has(item));
    }
    if (this.looked_at < slots) return true;
    const swept = this.leaving;
    this.leaving = [];
    this.leaving_bits.clear();
    this.onSwept(swept, this.left_at);
    return true;
  }

  /** Takes out all of them at once. */
  finish(slots: number): void {
    while (this.step(slots, slots));
  }
}
