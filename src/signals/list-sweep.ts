import { BitSet } from '../bit-set.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { NeighbourLists } from './neighbour-lists.ts';

/** The number of lists to scan per step. */
const LISTS_AT_ONCE = 64;

/** Removes items from all lists that contain them, a few lists per step. Lists that were built later are skipped. */
export class ListSweep {
  /** The items of the current sweep. `looked_at` counts its scanned lists. */
  private leaving: Ordinal[] = [];
  private readonly leaving_bits = new BitSet();
  private looked_at = 0;
  /** Lists that were built at this `seq` or later do not contain the items. */
  private left_at = 0;
  /** Items for the next sweep, so that new items do not restart the current one. */
  private next: Ordinal[] = [];
  private next_left_at = 0;

  /**
   * @param builtAt the `seq` at which the list of a slot was built
   * @param onSwept called with items that no list contains any more, except for lists built at `left_at` or later
   */
  constructor(
    private readonly lists: NeighbourLists,
    private readonly builtAt: (slot: number) => number,
    private readonly onSwept: (items: readonly Ordinal[], left_at: number) => void,
  ) {}

  leave(items: readonly Ordinal[], seq: number): void {
    for (const item of items) this.next.push(item);
    this.next_left_at = seq;
  }

  /** Scans some of the first `slots` lists. Returns false if there is nothing to remove. O(lists × their length). */
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

  finish(slots: number): void {
    while (this.step(slots, slots));
  }
}
