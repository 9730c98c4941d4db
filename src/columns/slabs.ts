import { arenaElementsMax, grown, type NumericArray } from './growable.ts';
import { classCapacity, classFor, RegionAllocator } from './regions.ts';

/** Indexes of a subject's two numbers in `places`. */
const START = 0;
const LENGTH = 1;

const NO_REGION = -1;

/**
 * The share of an arena that may be elements.
 *
 * Regions are up to 1.45 times as long as their lists, and a moving list needs its old and its new region.
 */
const ELEMENTS_SHARE = 0.5;

/** The maximum number of elements of all lists, for an arena of this size. */
export function listElementsFor(arena_elements: number): number {
  return Math.floor(arena_elements * ELEMENTS_SHARE);
}

export interface SlabLimits {
  elements_max?: number;
  arena_elements_max?: number;
}

/**
 * A list of numbers per subject (user, item, channel …), each contiguous in one arena.
 *
 * `columns` are parallel arenas: element `at` of the list is at the same position in each. Positions are valid until
 * the next change. Memory outside of the lists is 0, because checkpoints contain all of it and must not keep what was
 * removed.
 */
export class Slabs<Columns extends Record<string, NumericArray>> {
  static readonly transient = ['elements_max'];
  /** For each subject, its region's start and its list's length. They are adjacent, to save a cache miss. */
  private places = new Uint32Array(2 * 64);
  /** size class + 1; 0 without a region. */
  private size_class = new Uint8Array(64);
  private allocator: RegionAllocator;
  private readonly names: (keyof Columns)[];
  private elements = 0;
  private readonly elements_max: number;

  constructor(
    readonly columns: Columns,
    limits: SlabLimits = {},
  ) {
    this.names = Object.keys(columns);
    const { arena_elements_max = arenaElementsMax(Object.values(columns)) } = limits;
    this.allocator = new RegionAllocator(arena_elements_max);
    this.elements_max = limits.elements_max ?? listElementsFor(arena_elements_max);
  }

  get size(): number {
    return this.elements;
  }

  length(subject: number): number {
    const at = LENGTH + 2 * subject;
    return at < this.places.length ? this.places[at] : 0;
  }

  start(subject: number): number {
    const at = START + 2 * subject;
    return at < this.places.length ? this.places[at] : 0;
  }

  end(subject: number): number {
    return this.start(subject) + this.length(subject);
  }

  prefetch(subject: number): number {
    return subject < this.size_class.length ? this.end(subject) + this.size_class[subject] : 0;
  }

  /**
   * Opens a gap `back` elements before the end of the list and returns its position. O(back).
   * @throws RangeError above `elements_max`; nothing has changed then
   */
  insert(subject: number, back: number): number {
    const length = this.length(subject);
    this.requireRoom(1);
    this.reserve(subject, length + 1);
    const at = this.places[START + 2 * subject] + length - back;
    if (back > 0) {
      for (const name of this.names) this.columns[name].copyWithin(at + 1, at, at + back);
    }
    this.places[LENGTH + 2 * subject] = length + 1;
    this.elements++;
    return at;
  }

  /** Removes the element at a position, keeping the order of the others. O(elements after it). */
  remove(subject: number, at: number): void {
    const end = this.end(subject);
    for (const name of this.names) {
      this.columns[name].copyWithin(at, at + 1, end);
      this.columns[name][end - 1] = 0;
    }
    this.places[LENGTH + 2 * subject]--;
    this.elements--;
  }

  /** Sets the length of a list. The caller must write the new elements. @returns its position @throws as `insert` */
  rewrite(subject: number, length: number): number {
    const before = this.length(subject);
    this.requireRoom(length - before);
    this.reserve(subject, length);
    const start = this.places[START + 2 * subject];
    if (length < before) this.wipe(start + length, start + before);
    this.places[LENGTH + 2 * subject] = length;
    this.elements += length - before;
    return start;
  }

  /** Empties the list and releases its memory. */
  clear(subject: number): void {
    if (this.length(subject) === 0 && (this.size_class[subject] ?? 0) === 0) return;
    this.wipe(this.start(subject), this.end(subject));
    this.release(this.places[START + 2 * subject], this.size_class[subject] - 1);
    this.size_class[subject] = 0;
    this.elements -= this.places[LENGTH + 2 * subject];
    this.places[LENGTH + 2 * subject] = 0;
  }

  /** Removes the first `count` elements. O(elements after them). */
  removeFirst(subject: number, count: number): void {
    const start = this.start(subject);
    const end = this.end(subject);
    for (const name of this.names) this.columns[name].copyWithin(start, start + count, end);
    this.wipe(end - count, end);
    this.places[LENGTH + 2 * subject] -= count;
    this.elements -= count;
  }

  /** Keeps the elements whose positions pass a test, in their order. O(elements). */
  filter(subject: number, keeps: (at: number) => boolean): void {
    const end = this.end(subject);
    let to = this.start(subject);
    for (let at = to; at < end; at++) {
      if (!keeps(at)) continue;
      if (to !== at) for (const name of this.names) this.columns[name][to] = this.columns[name][at];
      to++;
    }
    if (to === end) return;
    this.wipe(to, end);
    this.places[LENGTH + 2 * subject] -= end - to;
    this.elements -= end - to;
    this.trim(subject);
  }

  /** Moves a list that has shrunk to a quarter of its region into one that fits. Amortised O(1). */
  trim(subject: number): void {
    const length = this.length(subject);
    const current = (this.size_class[subject] ?? 0) - 1;
    if (current < 0 || length * 4 > classCapacity(current)) return;
    const next = classFor(length);
    if (length === 0) this.clear(subject);
    else if (next < current && this.allocator.fits(next)) this.resize(subject, next);
  }

  /** Makes room for a list of this length, so that it does not move until it is longer. */
  reserve(subject: number, length: number): void {
    this.places = grown(this.places, 2 * (subject + 1));
    this.size_class = grown(this.size_class, subject + 1);
    const current = this.size_class[subject] - 1;
    if (current >= 0 && classCapacity(current) >= length) return;
    this.resize(subject, classFor(length));
  }

  private requireRoom(more: number): void {
    if (this.elements + more > this.elements_max)
      throw new RangeError(`no room for ${more} more elements beside ${this.elements}`);
  }

  /** Moves a list into a region of another class, unless its region can be extended. */
  private resize(subject: number, next: number): void {
    const current = this.size_class[subject] - 1;
    const from = this.places[START + 2 * subject];
    const extended = current >= 0 && next > current && this.allocator.extend(from, current, next);
    if (!extended && !this.allocator.fits(next)) {
      this.compact(subject, next);
      return;
    }
    const to = extended ? from : this.allocator.take(next, subject);
    for (const name of this.names) {
      this.columns[name] = grown(this.columns[name], this.allocator.top);
      if (!extended) this.columns[name].copyWithin(to, from, from + this.length(subject));
    }
    if (current >= 0 && !extended) {
      this.wipe(from, from + this.length(subject));
      this.release(from, current);
    }
    this.places[START + 2 * subject] = to;
    this.size_class[subject] = next + 1;
  }

  /**
   * Lays out all lists again in the smallest regions, and the list of `growing` in one of class `next`.
   *
   * Needed when free memory is fragmented, which is rare because returned regions are reused. O(all elements), and
   * temporarily as much memory again for one column.
   */
  private compact(growing: number, next: number): void {
    const allocator = new RegionAllocator(this.allocator.top_max);
    const starts = new Uint32Array(this.size_class.length);
    for (let subject = 0; subject < starts.length; subject++) {
      const length = this.length(subject);
      const size_class = subject === growing ? next : length > 0 ? classFor(length) : NO_REGION;
      this.size_class[subject] = size_class + 1;
      if (size_class !== NO_REGION) starts[subject] = allocator.take(size_class, subject);
    }
    for (const name of this.names) {
      this.columns[name] = this.laidOut(this.columns[name], starts, allocator.top);
    }
    for (let subject = 0; subject < starts.length; subject++) {
      this.places[START + 2 * subject] = starts[subject];
    }
    this.allocator = allocator;
  }

  private laidOut<T extends NumericArray>(column: T, starts: Uint32Array, length: number): T {
    const make = column.constructor as new (length: number) => T;
    const next = new make(length);
    for (let subject = 0; subject < starts.length; subject++) {
      const from = this.start(subject);
      for (let at = this.length(subject) - 1; at >= 0; at--) next[starts[subject] + at] = column[from + at];
    }
    return next;
  }

  /** Returns a region. Another list may move into its place. */
  private release(start: number, size_class: number): void {
    const from = this.allocator.give(start, size_class);
    if (from === start) return;
    const { moved } = this.allocator;
    const end = from + this.length(moved);
    for (const name of this.names) this.columns[name].copyWithin(start, from, end);
    this.wipe(from, end);
    this.places[START + 2 * moved] = start;
  }

  /** Clears memory that no list uses any more. */
  private wipe(start: number, end: number): void {
    for (const name of this.names) this.columns[name].fill(0, start, end);
  }
}
