import { NONE, type Ordinal } from '../plugin/index.ts';

/** The `length` best of a stream: a min-heap whose root is the worst of them. */
export class BestItems {
  private readonly items: Ordinal[] = [];
  private readonly scores: number[] = [];

  constructor(
    private readonly length: number,
    private readonly tieBreak: (one: Ordinal, other: Ordinal) => number,
  ) {}

  offer(item: Ordinal, score: number): void {
    if (this.items.length < this.length) {
      this.items.push(item);
      this.scores.push(score);
      this.rise(this.items.length - 1);
    } else if (this.length > 0 && this.isWorse(this.items[0], this.scores[0], item, score)) {
      this.items[0] = item;
      this.scores[0] = score;
      this.sink();
    }
  }

  get size(): number {
    return this.items.length;
  }

  /** The score of the worst, as it was offered; NaN when there is none. */
  get worst_score(): number {
    return this.scores[0] ?? Number.NaN;
  }

  /** Takes the worst out; NONE when there is none left. O(log size). */
  takeWorst(): Ordinal {
    const worst = this.items[0] ?? NONE;
    const item = this.items.pop();
    const score = this.scores.pop();
    if (item === undefined || score === undefined || this.items.length === 0) return worst;
    this.items[0] = item;
    this.scores[0] = score;
    this.sink();
    return worst;
  }

  /** All of them, best first. O(size log size) at once. */
  sorted(): Ordinal[] {
    const indexes = this.items.map((_, index) => index);
    indexes.sort((a, b) => this.scores[b] - this.scores[a] || this.tieBreak(this.items[a], this.items[b]));
    return indexes.map((index) => this.items[index]);
  }

  private isWorse(item: Ordinal, score: number, than: Ordinal, than_score: number): boolean {
    return score !== than_score ? score < than_score : this.tieBreak(item, than) > 0;
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(this.items[at], this.scores[at], this.items[parent], this.scores[parent])) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (
          child < this.items.length &&
          this.isWorse(this.items[child], this.scores[child], this.items[worst], this.scores[worst])
        ) {
          worst = child;
        }
      }
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }

  private swap(one: number, other: number): void {
    [this.items[one], this.items[other]] = [this.items[other], this.items[one]];
    [this.scores[one], this.scores[other]] = [this.scores[other], this.scores[one]];
  }
}
