import { NONE, type Ordinal } from '../plugin/index.ts';

/**
 * The `length` best items of a stream, ties by newest and then by identifier.
 *
 * It is a min-heap with the worst item at the root. It stores the sort keys as offered, so later changes of an item do
 * not break the order. Identifiers never change.
 */
export class BestItems {
  private readonly items: Ordinal[] = [];
  private readonly scores: number[] = [];
  private readonly moments: number[] = [];

  /** @param byIdentifier negative if the first of two different items comes first */
  constructor(
    private readonly length: number,
    private readonly byIdentifier: (one: Ordinal, other: Ordinal) => number,
  ) {}

  offer(item: Ordinal, score: number, created_at: number): void {
    if (this.items.length < this.length) {
      this.items.push(item);
      this.scores.push(score);
      this.moments.push(created_at);
      this.rise(this.items.length - 1);
    } else if (this.length > 0 && this.compare(0, item, score, created_at) > 0) {
      this.items[0] = item;
      this.scores[0] = score;
      this.moments[0] = created_at;
      this.sink();
    }
  }

  get size(): number {
    return this.items.length;
  }

  /** The score of the worst item as offered. NaN if empty. */
  get worst_score(): number {
    return this.scores[0] ?? Number.NaN;
  }

  /** The creation time of the worst item as offered. NaN if empty. */
  get worst_created_at(): number {
    return this.moments[0] ?? Number.NaN;
  }

  /** Removes the worst item. NONE if empty. O(log size). */
  takeWorst(): Ordinal {
    const worst = this.items[0] ?? NONE;
    const last = this.items.length - 1;
    if (last > 0) this.swap(0, last);
    this.items.pop();
    this.scores.pop();
    this.moments.pop();
    this.sink();
    return worst;
  }

  /** All items, best first. O(size log size). */
  sorted(): Ordinal[] {
    const indexes = this.items.map((_, index) => index);
    indexes.sort((a, b) => this.compare(a, this.items[b], this.scores[b], this.moments[b]));
    return indexes.map((index) => this.items[index]);
  }

  /** Negative if the item at `at` comes before the other. */
  private compare(at: number, item: Ordinal, score: number, created_at: number): number {
    return (
      score - this.scores[at] || created_at - this.moments[at] || this.byIdentifier(this.items[at], item)
    );
  }

  private isWorse(at: number, than: number): boolean {
    return this.compare(at, this.items[than], this.scores[than], this.moments[than]) > 0;
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** Allocates no arrays, since sorting long rankings left tens of megabytes of them. */
  private sink(): void {
    const { length } = this.items;
    for (let at = 0, worst = 0; ; at = worst) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left < length && this.isWorse(left, worst)) worst = left;
      if (right < length && this.isWorse(right, worst)) worst = right;
      if (worst === at) return;
      this.swap(at, worst);
    }
  }

  private swap(one: number, other: number): void {
    swap(this.items, one, other);
    swap(this.scores, one, other);
    swap(this.moments, one, other);
  }
}

function swap(list: number[], one: number, other: number): void {
  const value = list[one];
  list[one] = list[other];
  list[other] = value;
}
