import type { Ordinal, Reached } from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';

/** Numbers of a slot of the table: an ordinal and its place. */
const SLOT = 2;

/** Ordinals and their weights, from `start` to before `end`. */
export interface Entries {
  ordinals: Int32Array;
  weights: Float64Array;
  /** The same bytes as `weights`: the lower and the upper half of each. */
  halves: Uint32Array;
  start: number;
  end: number;
}

/**
 * Sums by ordinal of which few are non-zero: a hash table whose size follows what was reached and not the
 * corpus, so a walk costs the same among a thousand items and among millions. The table leads from an
 * ordinal to its place in order of first arrival, where its sum is: whoever reads all of them reads two
 * plain arrays. Reused between requests.
 */
export class Accumulator implements Reached {
  /** Ordinal (NONE: an empty slot) and place, in turns. */
  private table = new Int32Array(1024 * SLOT).fill(NONE);
  /** By place. */
  private ordinals = new Int32Array(512);
  private sums = new Float64Array(512);
  private halves = new Uint32Array(this.sums.buffer);
  private slots = new Int32Array(512);
  /** Places given out; those of ordinals that are left out come first. */
  private end = 0;
  private first = 0;

  get size(): number {
    return this.end - this.first;
  }

  /** O(what was reached). */
  get max(): number {
    let largest = 0;
    for (let place = this.first; place < this.end; place++) largest = Math.max(largest, this.sums[place]);
    return largest;
  }

  /** Every entry in order of first arrival. */
  forEach(visit: (ordinal: Ordinal, weight: number) => void): void {
    for (let place = this.first; place < this.end; place++) visit(this.ordinals[place], this.sums[place]);
  }

  /** The same as arrays. Valid until something is added. */
  get entries(): Entries {
    const { ordinals, sums: weights, halves } = this;
    return { ordinals, weights, halves, start: this.first, end: this.end };
  }

  /** Adds `amount` > 0 to an ordinal. Amortised O(1). */
  add(ordinal: Ordinal, amount: number): void {
    // Making room replaces the array of sums: it must be looked up afterwards.
    const place = this.placeFor(ordinal);
    this.sums[place] += amount;
  }

  /**
   * Adds the weights, times `scale`, of the targets from `start` to `end`; the weight of a target lies `shift`
   * places after it.
   */
  addAll(
    targets: Int32Array,
    weights: Float32Array,
    start: number,
    end: number,
    scale: number,
    shift: number,
  ): void {
    this.reserve(end - start);
    const { table, ordinals, sums, slots } = this;
    const mask = table.length - 1;
    let next = this.end;
    for (let at = start; at < end; at++) {
      const target = targets[at];
      let slot = home(target) & mask;
      let known = table[slot];
      while (known !== target && known !== NONE) {
        slot = (slot + SLOT) & mask;
        known = table[slot];
      }
      let place = table[slot + 1];
      if (known === NONE) {
        place = next++;
        table[slot] = target;
        table[slot + 1] = place;
        slots[place] = slot;
        ordinals[place] = target;
      }
      sums[place] += scale * weights[at + shift];
    }
    this.end = next;
  }

  /** Adds them to `amounts` instead, at the places of those targets that have been reached. */
  addReached(
    targets: Int32Array,
    weights: Float32Array,
    start: number,
    end: number,
    scale: number,
    shift: number,
    amounts: Float64Array,
  ): void {
    const { table } = this;
    const mask = table.length - 1;
    for (let at = start; at < end; at++) {
      const target = targets[at];
      let slot = home(target) & mask;
      let known = table[slot];
      while (known !== target && known !== NONE) {
        slot = (slot + SLOT) & mask;
        known = table[slot];
      }
      if (known === target) amounts[table[slot + 1]] += scale * weights[at + shift];
    }
  }

  /** An ordinal that is never reached, whatever is added to it. To be said before anything is added. */
  leaveOut(ordinal: Ordinal): void {
    this.placeFor(ordinal);
    this.first = this.end;
  }

  /** Takes amounts, by place, away from the weights, down to the share `least` of each. */
  reduce(amounts: Float64Array, least: number): void {
    const { sums } = this;
    for (let place = this.first; place < this.end; place++) {
      sums[place] = Math.max(sums[place] - amounts[place], sums[place] * least);
    }
  }

  weight(ordinal: Ordinal): number {
    const slot = this.slot(ordinal);
    const place = this.table[slot + 1];
    return this.table[slot] === ordinal && place >= this.first ? this.sums[place] : 0;
  }

  /** Empties it for the next use. O(what was reached). */
  clear(): void {
    // A few are taken out one by one; clearing memory is cheaper than taking out many.
    if (this.end * 8 > this.ordinals.length) this.table.fill(NONE);
    else for (let place = 0; place < this.end; place++) this.table[this.slots[place]] = NONE;
    this.sums.fill(0, 0, this.end);
    this.end = 0;
    this.first = 0;
  }

  private placeFor(ordinal: Ordinal): number {
    let slot = this.slot(ordinal);
    if (this.table[slot] === NONE) {
      if (this.end === this.ordinals.length) {
        this.reserve(1);
        slot = this.slot(ordinal);
      }
      this.put(slot, ordinal, this.end++);
    }
    return this.table[slot + 1];
  }

  private put(slot: number, ordinal: Ordinal, place: number): void {
    this.table[slot] = ordinal;
    this.table[slot + 1] = place;
    this.slots[place] = slot;
    this.ordinals[place] = ordinal;
  }

  /** The slot of an ordinal, or the empty one where it belongs. */
  private slot(ordinal: Ordinal): number {
    const { table } = this;
    const mask = table.length - 1;
    let slot = home(ordinal) & mask;
    while (table[slot] !== ordinal && table[slot] !== NONE) slot = (slot + SLOT) & mask;
    return slot;
  }

  /** Makes room for so many new ones; the table is never more than half full. */
  private reserve(count: number): void {
    const wanted = this.end + count;
    if (wanted <= this.ordinals.length) return;
    this.ordinals = grown(this.ordinals, wanted);
    this.slots = grown(this.slots, this.ordinals.length);
    this.sums = grown(this.sums, this.ordinals.length);
    this.halves = new Uint32Array(this.sums.buffer);
    let capacity = this.table.length / SLOT;
    while (capacity < 2 * this.ordinals.length) capacity *= 2;
    this.table = new Int32Array(capacity * SLOT).fill(NONE);
    for (let place = 0; place < this.end; place++) {
      const ordinal = this.ordinals[place];
      this.put(this.slot(ordinal), ordinal, place);
    }
  }
}

/** Where the search for an ordinal begins, in a table of any length. */
function home(ordinal: Ordinal): number {
  return (Math.imul(ordinal, 0x9e3779b1) >>> 8) << 1;
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
