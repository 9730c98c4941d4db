import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { tieBreak } from './order.ts';

/**
 * Items with scores, taken best first: a max-heap built at the first `pop`, so taking a page of 25 out of
 * a thousand costs O(n + 25 log n) and not a sort. Equal scores: newer first, then `item_id`.
 */
export class ScoredQueue {
  private readonly items: Ordinal[] = [];
  private readonly scores: number[] = [];
  private ordered = false;
  /** Score of the item popped last. */
  score = 0;

  constructor(private readonly state: State) {}

  get size(): number {
    return this.items.length;
  }

  add(item: Ordinal, score: number): void {
    this.items.push(item);
    this.scores.push(score);
    if (this.ordered) this.rise(this.items.length - 1);
  }

  /** The best item left, NONE when empty; its score is in `score`. */
  pop(): Ordinal {
    if (this.items.length === 0) return NONE;
    if (!this.ordered) this.order();
    const best = this.items[0];
    this.score = this.scores[0];
    const last = this.items.length - 1;
    this.swap(0, last);
    this.items.pop();
    this.scores.pop();
    if (last > 1) this.sink(0);
    return best;
  }

  private order(): void {
    for (let at = (this.items.length >> 1) - 1; at >= 0; at--) this.sink(at);
    this.ordered = true;
  }

  private precedes(one: number, other: number): boolean {
    const difference = this.scores[one] - this.scores[other];
    if (difference !== 0) return difference > 0;
    return tieBreak(this.state, this.items[one], this.items[other]) < 0;
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.precedes(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(from: number): void {
    let at = from;
    for (;;) {
      let best = at;
      const left = 2 * at + 1;
      if (left < this.items.length && this.precedes(left, best)) best = left;
      if (left + 1 < this.items.length && this.precedes(left + 1, best)) best = left + 1;
      if (best === at) return;
      this.swap(at, best);
      at = best;
    }
  }

  private swap(one: number, other: number): void {
    const item = this.items[one];
    const score = this.scores[one];
    this.items[one] = this.items[other];
    this.scores[one] = this.scores[other];
    this.items[other] = item;
    this.scores[other] = score;
  }
}
