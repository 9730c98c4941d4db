import { grown } from '../columns/growable.ts';
import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { tieBreak } from './order.ts';

type Score = (item: Ordinal) => number;

/** Moves changed items of an order, best first, to their new places. */
export class OrderCorrections {
  /** By item: 1 while the item is being corrected. */
  private marks = new Uint8Array(1024);

  constructor(private readonly state: State) {}

  /** Removes items. Each item of the order is looked up, so it uses marks instead of the set. O(order). */
  takeOut(order: Ordinal[], changed: ReadonlySet<Ordinal>): void {
    this.marks = grown(this.marks, this.state.items.size);
    const { marks } = this;
    for (const item of changed) marks[item] = 1;
    let kept = 0;
    for (let at = 0; at < order.length; at++) {
      const item = order[at];
      if (marks[item] === 0) order[kept++] = item;
    }
    order.length = kept;
    for (const item of changed) marks[item] = 0;
  }

  /** Inserts items, best first, at their places. It works from the end, so each item of the order moves once. */
  putIn(order: Ordinal[], scored: readonly { item: Ordinal; score: number }[], score: Score): void {
    let end = order.length;
    for (const { item } of scored) order.push(item);
    for (let more = scored.length; more > 0; more--) {
      const { item, score: value } = scored[more - 1];
      const place = this.placeOf(order, end, item, value, score);
      for (let at = end - 1; at >= place; at--) order[at + more] = order[at];
      order[place + more - 1] = item;
      end = place;
    }
  }

  private placeOf(kept: Ordinal[], end: number, item: Ordinal, value: number, score: Score): number {
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      const difference = score(kept[middle]) - value || tieBreak(this.state, item, kept[middle]);
      if (difference > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
