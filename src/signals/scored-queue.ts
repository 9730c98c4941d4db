import { grown } from '../columns/growable.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';

/**
 * Items with scores, best first: a max-heap that is built at the first `pop`.
 *
 * Taking a page of 25 out of a thousand costs O(n + 25 log n) instead of a sort. Items that are added in order, such as
 * those of a ranking, need no heap.
 */
export class ScoredQueue {
  private items: Int32Array;
  private scores: Float64Array;
  private count = 0;
  /** Items before this have been popped, while all are in order. Otherwise 0. */
  private start = 0;
  /** Whether the items from `start` on are in order. */
  private in_order = true;
  private ordered = false;
  score = 0;

  /**
   * @param tieBreak the order of items with equal scores: negative if the first one comes first
   * @param capacity the expected number of items
   */
  constructor(
    private readonly tieBreak: (one: Ordinal, other: Ordinal) => number,
    capacity = 512,
  ) {
    this.items = new Int32Array(capacity);
    this.scores = new Float64Array(capacity);
  }

  clear(): void {
    this.count = 0;
    this.start = 0;
    this.in_order = true;
    this.ordered = false;
  }

  get size(): number {
    return this.count - this.start;
  }

  /** The remaining items, in no particular order, from `start` to before `end`. Valid until the next call. */
  get left(): { items: Int32Array; scores: Float64Array; start: number; end: number } {
    return { items: this.items, scores: this.scores, start: this.start, end: this.count };
  }

  add(item: Ordinal, score: number): void {
    const at = this.count++;
    if (at === this.items.length) this.enlarge();
    this.items[at] = item;
    this.scores[at] = score;
    if (this.in_order) this.in_order = at === this.start || !this.precedes(at, at - 1);
    else if (this.ordered) this.rise(at);
  }

  get best_score(): number {
    if (this.size === 0) return Number.NaN;
    if (this.in_order) return this.scores[this.start];
    if (!this.ordered) this.order();
    return this.scores[0];
  }

  /** The best remaining item. NONE if empty. Its score is in `score`. */
  pop(): Ordinal {
    if (this.size === 0) return NONE;
    if (this.in_order) {
      this.score = this.scores[this.start];
      return this.items[this.start++];
    }
    if (!this.ordered) this.order();
    const best = this.items[0];
    this.score = this.scores[0];
    this.count--;
    this.swap(0, this.count);
    if (this.count > 1) this.sink(0);
    return best;
  }

  private enlarge(): void {
    this.items = grown(this.items, this.count);
    this.scores = grown(this.scores, this.count);
  }

  private bringForward(): void {
    if (this.start === 0) return;
    this.items.copyWithin(0, this.start, this.count);
    this.scores.copyWithin(0, this.start, this.count);
    this.count -= this.start;
    this.start = 0;
  }

  private order(): void {
    this.bringForward();
    for (let at = (this.count >> 1) - 1; at >= 0; at--) this.sink(at);
    this.ordered = true;
  }

  private precedes(one: number, other: number): boolean {
    const difference = this.scores[one] - this.scores[other];
    if (difference !== 0) return difference > 0;
    return this.tieBreak(this.items[one], this.items[other]) < 0;
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
      if (left < this.count && this.precedes(left, best)) best = left;
      if (left + 1 < this.count && this.precedes(left + 1, best)) best = left + 1;
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
