import type { Ordinal, Reached } from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';

/**
 * Sums by ordinal of which few are non-zero: a hash table whose size follows what was reached and not the
 * corpus, so a walk costs the same among a thousand items and among millions. Reused between requests.
 */
export class Accumulator implements Reached {
  private keys = new Int32Array(4096).fill(NONE);
  private sums = new Float64Array(4096);
  /** Slots in use, in order of first arrival. */
  private used = new Int32Array(2048);
  private count = 0;
  private largest = 0;

  get size(): number {
    return this.count;
  }

  get max(): number {
    return this.largest;
  }

  /** Every entry in order of first arrival. */
  forEach(visit: (ordinal: Ordinal, weight: number) => void): void {
    for (let index = 0; index < this.count; index++) {
      const slot = this.used[index];
      visit(this.keys[slot], this.sums[slot]);
    }
  }

  /** Adds `amount` > 0 to an ordinal. Amortised O(1). */
  add(ordinal: Ordinal, amount: number): void {
    let slot = this.slot(ordinal);
    if (this.keys[slot] === NONE) {
      if (this.count * 2 >= this.keys.length) {
        this.enlarge();
        slot = this.slot(ordinal);
      }
      this.keys[slot] = ordinal;
      this.used[this.count++] = slot;
    }
    const sum = this.sums[slot] + amount;
    this.sums[slot] = sum;
    if (sum > this.largest) this.largest = sum;
  }

  weight(ordinal: Ordinal): number {
    const slot = this.slot(ordinal);
    return this.keys[slot] === ordinal ? this.sums[slot] : 0;
  }

  /** Empties it for the next use. O(what was reached). */
  clear(): void {
    for (let index = 0; index < this.count; index++) {
      this.keys[this.used[index]] = NONE;
      this.sums[this.used[index]] = 0;
    }
    this.count = 0;
    this.largest = 0;
  }

  private slot(ordinal: Ordinal): number {
    const mask = this.keys.length - 1;
    let slot = (Math.imul(ordinal, 0x9e3779b1) >>> 8) & mask;
    while (this.keys[slot] !== ordinal && this.keys[slot] !== NONE) slot = (slot + 1) & mask;
    return slot;
  }

  private enlarge(): void {
    const items = new Int32Array(this.count);
    const sums = new Float64Array(this.count);
    for (let index = 0; index < this.count; index++) {
      items[index] = this.keys[this.used[index]];
      sums[index] = this.sums[this.used[index]];
    }
    this.keys = new Int32Array(this.keys.length * 2).fill(NONE);
    this.sums = new Float64Array(this.keys.length);
    this.used = new Int32Array(this.keys.length / 2);
    for (let index = 0; index < items.length; index++) {
      const slot = this.slot(items[index]);
      this.keys[slot] = items[index];
      this.sums[slot] = sums[index];
      this.used[index] = slot;
    }
  }
}

/** Lends accumulators to a request and takes them all back at its end. One per service. */
export class AccumulatorPool {
  private readonly idle: Accumulator[] = [];
  private readonly lent: Accumulator[] = [];

  take(): Accumulator {
    const accumulator = this.idle.pop() ?? new Accumulator();
    this.lent.push(accumulator);
    return accumulator;
  }

  /** Ends a request: what it was lent is cleared and may be lent again. */
  takeBack(): void {
    for (let lent = this.lent.pop(); lent !== undefined; lent = this.lent.pop()) {
      lent.clear();
      this.idle.push(lent);
    }
  }
}
