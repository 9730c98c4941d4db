import { grown } from '../columns/growable.ts';
import { FIXED_INTEGER_HASH, type IntegerHash, spread } from '../columns/keyed-hash.ts';
import type { Ordinal, Reached } from '../plugin/index.ts';

/** The initial capacity in places. */
const LEAST_ROOM = 64;
/** The growth factor. Growing inserts all entries again. */
const GROWTH = 4;

/** Ordinals and their weights, from `start` to before `end`. */
export interface Entries {
  ordinals: Int32Array;
  weights: Float64Array;
  /** The same memory as `weights`: the lower and the upper half of each. */
  halves: Int32Array;
  start: number;
  end: number;
}

/**
 * Sparse sums by ordinal.
 *
 * The size of its hash table depends on the number of entries and not on the corpus. So a walk costs the same among a
 * thousand items and among millions. The table maps an ordinal to its place in order of first arrival, where its sum
 * is. Reading all entries therefore reads two plain arrays. It is reused between requests and shrinks each time.
 */
export class Accumulator implements Reached {
  /** The place of each slot's ordinal; 0 for an empty slot. */
  private table = new Int32Array(tableLength(LEAST_ROOM));
  /** The current capacity in places. It defines the used part of the table. The rest of the table is empty. */
  private room = LEAST_ROOM;
  private mask = tableLength(LEAST_ROOM) - 1;
  private hash_shift = shiftFor(LEAST_ROOM);
  /** By place. Place 0 is unused. */
  private ordinals = new Int32Array(LEAST_ROOM);
  private sums = new Float64Array(LEAST_ROOM);
  private halves = new Int32Array(this.sums.buffer);
  /** Assigned places end here. Places of excluded ordinals come first. */
  private end = 1;
  private first = 1;

  private readonly salt: number;
  private readonly multiplier: number;

  constructor({ salt, multiplier }: IntegerHash = FIXED_INTEGER_HASH) {
    this.salt = salt;
    this.multiplier = multiplier;
  }

  get size(): number {
    return this.end - this.first;
  }

  /** O(entries). */
  get max(): number {
    let largest = 0;
    for (let place = this.first; place < this.end; place++) largest = Math.max(largest, this.sums[place]);
    return largest;
  }

  forEach(visit: (ordinal: Ordinal, weight: number) => void): void {
    for (let place = this.first; place < this.end; place++) visit(this.ordinals[place], this.sums[place]);
  }

  /** All entries as arrays. Valid until something is added. */
  get entries(): Entries {
    const { ordinals, sums: weights, halves } = this;
    return { ordinals, weights, halves, start: this.first, end: this.end };
  }

  add(ordinal: Ordinal, amount: number): void {
    const place = this.placeOf(ordinal) || this.newPlace(ordinal);
    this.sums[place] += amount;
  }

  /**
   * Adds the weights, times `scale`, of the targets from `start` to `end`.
   *
   * The weight of a target is `shift` places after it.
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
    const { table, ordinals, sums, mask, salt, multiplier, hash_shift } = this;
    let next = this.end;
    for (let at = start; at < end; at++) {
      const target = targets[at];
      let slot = spread(target, salt, multiplier) >>> hash_shift;
      let place = table[slot];
      while (isOther(place, ordinals[place], target) !== 0) {
        slot = (slot + 1) & mask;
        place = table[slot];
      }
      const fresh = 1 + (-place >> 31);
      place += Math.imul(fresh, next);
      next += fresh;
      table[slot] = place;
      ordinals[place] = target;
      sums[place] += scale * weights[at + shift];
    }
    this.end = next;
  }

  addEach(targets: Int32Array, amounts: Float64Array, count: number): void {
    this.reserve(count);
    const { table, ordinals, sums, mask, salt, multiplier, hash_shift } = this;
    let next = this.end;
    for (let at = 0; at < count; at++) {
      const target = targets[at];
      let slot = spread(target, salt, multiplier) >>> hash_shift;
      let place = table[slot];
      while (isOther(place, ordinals[place], target) !== 0) {
        slot = (slot + 1) & mask;
        place = table[slot];
      }
      const fresh = 1 + (-place >> 31);
      place += Math.imul(fresh, next);
      next += fresh;
      table[slot] = place;
      ordinals[place] = target;
      sums[place] += amounts[at];
    }
    this.end = next;
  }

  /** Like `addAll`, but adds to `amounts`, at the places of those targets that have an entry. */
  addReached(
    targets: Int32Array,
    weights: Float32Array,
    start: number,
    end: number,
    scale: number,
    shift: number,
    amounts: Float64Array,
  ): void {
    const { table, ordinals, mask, salt, multiplier, hash_shift } = this;
    for (let at = start; at < end; at++) {
      const target = targets[at];
      let slot = spread(target, salt, multiplier) >>> hash_shift;
      let place = table[slot];
      while (isOther(place, ordinals[place], target) !== 0) {
        slot = (slot + 1) & mask;
        place = table[slot];
      }
      // Targets without an entry go to place 0, which is unused.
      amounts[place] += scale * weights[at + shift];
    }
  }

  /** Excludes an ordinal, whatever is added to it. Must be called before anything is added. */
  exclude(ordinal: Ordinal): void {
    if (this.placeOf(ordinal) === 0) this.newPlace(ordinal);
    this.first = this.end;
  }

  /** Subtracts amounts, by place, from the weights. At least the share `least` of each weight remains. */
  reduce(amounts: Float64Array, least: number): void {
    const { sums } = this;
    for (let place = this.first; place < this.end; place++) {
      sums[place] = Math.max(sums[place] - amounts[place], sums[place] * least);
    }
  }

  weight(ordinal: Ordinal): number {
    const place = this.placeOf(ordinal);
    return place >= this.first ? this.sums[place] : 0;
  }

  /** Empties it for reuse. O(entries). */
  clear(): void {
    this.table.fill(0, 0, tableLength(this.room));
    this.sums.fill(0, 0, this.end);
    this.end = 1;
    this.first = 1;
    this.room = LEAST_ROOM;
    this.mask = tableLength(LEAST_ROOM) - 1;
    this.hash_shift = shiftFor(LEAST_ROOM);
  }

  /** The place of an ordinal. 0 without one. */
  private placeOf(ordinal: Ordinal): number {
    const { table, ordinals, mask, salt, multiplier, hash_shift } = this;
    let slot = spread(ordinal, salt, multiplier) >>> hash_shift;
    let place = table[slot];
    while (isOther(place, ordinals[place], ordinal) !== 0) {
      slot = (slot + 1) & mask;
      place = table[slot];
    }
    return place;
  }

  private newPlace(ordinal: Ordinal): number {
    if (this.end === this.room) this.reserve((GROWTH - 1) * this.room);
    const place = this.end++;
    this.put(ordinal, place);
    return place;
  }

  private put(ordinal: Ordinal, place: number): void {
    const { table, mask, salt, multiplier, hash_shift } = this;
    let slot = spread(ordinal, salt, multiplier) >>> hash_shift;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = place;
    this.ordinals[place] = ordinal;
  }

  reserve(count: number): void {
    const wanted = this.end + count;
    if (wanted <= this.room) return;
    const used = tableLength(this.room);
    while (this.room < wanted) this.room *= 2;
    this.ordinals = grown(this.ordinals, this.room);
    if (this.sums.length < this.room) {
      this.sums = grown(this.sums, this.room);
      this.halves = new Int32Array(this.sums.buffer);
    }
    const length = tableLength(this.room);
    if (this.table.length < length) this.table = new Int32Array(length);
    else this.table.fill(0, 0, used);
    this.mask = length - 1;
    this.hash_shift = shiftFor(this.room);
    for (let place = 1; place < this.end; place++) this.put(this.ordinals[place], place);
  }
}

/** The number of slots for a capacity: at most an eighth is used, so most searches end at the first slot. */
function tableLength(room: number): number {
  return 8 * room;
}

/** The number of bits to shift a hash by, so that its upper bits give the first slot. */
function shiftFor(room: number): number {
  return Math.clz32(tableLength(room)) + 1;
}

/**
 * Not 0 if a slot belongs to another ordinal, so that the search must continue. That is rare.
 *
 * A branch on empty slots (place 0) would be unpredictable. Without it, adding and reading takes half as long.
 */
function isOther(place: number, held: number, ordinal: number): number {
  return (-place >> 31) & (held ^ ordinal);
}
