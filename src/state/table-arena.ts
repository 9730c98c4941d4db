import { NONE } from './change.ts';
import { arenaElementsMax, grown, type NumericArray } from './growable.ts';
import { classCapacity, classFor, RegionAllocator } from './regions.ts';

/** A table is enlarged when it would be fuller than this: 7/8. */
const FULL_EIGHTHS = 7;
/** From this class on every other will do: to move a table is to put its keys into place anew. */
const COARSE_FROM = classFor(64);

/** Of each subject in `tables`: where its table begins, … */
const START = 0;
/** … and how many keys are in it (the upper 24 bits) and its size class + 1, 0 without a table (the lower 8). */
const FILL = 1;
const PLACE = 2;
const CLASS_BITS = 8;
const CLASS_MASK = (1 << CLASS_BITS) - 1;
const ONE_KEY = 1 << CLASS_BITS;
/** Slots of the largest table: the keys in it can still be counted. */
const CAPACITY_MAX = 2 ** 24;
/** Keys of one subject at most. */
export const TABLE_KEYS_MAX = (CAPACITY_MAX * FULL_EIGHTHS) / 8;

/**
 * Share of an arena's slots that may be keys. A table has at most twice as many slots as keys, but for those that grow to be
 * as large as the next; what is left over lets tables move.
 */
const KEYS_SHARE = 0.42;

/** Keys of all subjects at most, where an arena has so many slots. */
export function tableKeysFor(slots: number): number {
  return Math.floor(slots * KEYS_SHARE);
}

export interface TableLimits {
  /** Of all subjects; default as many as the memory of one arena allows. */
  keys_max?: number;
  /** Of one subject. */
  subject_keys_max?: number;
  /** Slots of the arena; default as many as one ArrayBuffer holds. */
  slots_max?: number;
}

/** The memory of one hash table per subject: all in one arena, each contiguous. What is in a table is for subclasses to say. */
export abstract class TableArena<Columns extends Record<string, NumericArray>> {
  static readonly transient: readonly string[] = ['keys_max', 'subject_keys_max'];
  /** 0 is an empty slot. */
  slots = new Uint32Array(1024);
  /** Keys of all subjects, … */
  keys = 0;
  /** … and those of the fullest table that there ever was. */
  fullest = 0;
  /** Of each subject two numbers side by side, so that finding its table is one miss of the cache. */
  private tables = new Uint32Array(PLACE * 64);
  private allocator: RegionAllocator;
  protected readonly names: (keyof Columns)[];
  private readonly keys_max: number;
  private readonly subject_keys_max: number;

  constructor(
    readonly columns: Columns,
    limits: TableLimits,
  ) {
    this.names = Object.keys(columns);
    const { slots_max = arenaElementsMax([this.slots, ...Object.values(columns)]) } = limits;
    this.allocator = new RegionAllocator(slots_max);
    this.keys_max = limits.keys_max ?? tableKeysFor(slots_max);
    this.subject_keys_max = limits.subject_keys_max ?? TABLE_KEYS_MAX;
  }

  /** Keys in the subject's table. */
  count(subject: number): number {
    return this.fact(subject, FILL) >>> CLASS_BITS;
  }

  /** First position of the subject's table; every slot up to `end` is a key or empty. */
  start(subject: number): number {
    return this.fact(subject, START);
  }

  end(subject: number): number {
    return this.fact(subject, START) + this.capacity(subject);
  }

  /** Reads what is known of where a table lies, for `readAhead`: a number without meaning. */
  glance(subject: number): number {
    return this.count(subject) + this.end(subject);
  }

  /** Empties the table and gives its memory back. */
  clear(subject: number): void {
    const size_class = this.fact(subject, FILL) & CLASS_MASK;
    if (size_class === 0) return;
    this.keys -= this.count(subject);
    this.release(this.fact(subject, START), size_class - 1);
    const place = PLACE * subject;
    this.tables.fill(0, place, place + PLACE);
  }

  /** Puts the slot of a key that is not there where it belongs in a table. @returns its position */
  protected abstract place(start: number, capacity: number, slot: number): number;

  /** Slots of a subject's table. */
  protected capacity(subject: number): number {
    const size_class = this.fact(subject, FILL) & CLASS_MASK;
    return size_class === 0 ? 0 : classCapacity(size_class - 1);
  }

  /** Whether a table of so many slots is large enough for so many keys. */
  protected holds(capacity: number, count: number): boolean {
    return capacity * FULL_EIGHTHS >= count * 8;
  }

  /** So many keys more are in the subject's table. */
  protected counted(subject: number, more: number): void {
    this.tables[PLACE * subject + FILL] += more * ONE_KEY;
    this.keys += more;
    this.fullest = Math.max(this.fullest, this.count(subject));
  }

  /** Whether a subject's table may have so many keys more. */
  hasRoom(subject: number, more: number): boolean {
    return this.keys + more <= this.keys_max && this.count(subject) + more <= this.subject_keys_max;
  }

  /** @throws RangeError unless it may */
  protected requireRoom(subject: number, more: number): void {
    if (this.hasRoom(subject, more)) return;
    throw new RangeError(`${more} keys more are too many for ${this.count(subject)} of ${this.keys}`);
  }

  /** To be called before `enlarge`: makes sure that it finds a region, for which all tables may move. */
  protected prepare(subject: number, count: number): void {
    this.tables = grown(this.tables, PLACE * (subject + 1));
    const current = this.sizeClass(subject);
    const next = classOf(Math.max(current, 0), count);
    if (next !== current && !this.allocator.fits(next)) this.compact();
  }

  /**
   * Gives the subject an empty table for so many keys where its own is too small.
   * @returns the size class of the one that it had, which the caller empties into the new one and releases; NONE when it
   * had none, or keeps it
   */
  protected enlarge(subject: number, count: number): number {
    const current = this.sizeClass(subject);
    const next = classOf(Math.max(current, 0), count);
    if (next === current) return NONE;
    const place = PLACE * subject;
    const to = this.allocator.take(next, subject);
    this.slots = grown(this.slots, this.allocator.top);
    for (const name of this.names) this.columns[name] = grown(this.columns[name], this.allocator.top);
    this.tables[place + START] = to;
    this.tables[place + FILL] += next - current;
    return current;
  }

  /** Gives a region back; another table may move into its place. What is free holds zeros. */
  protected release(start: number, size_class: number): void {
    const capacity = classCapacity(size_class);
    const from = this.allocator.give(start, size_class);
    if (from !== start) {
      const { moved } = this.allocator;
      this.slots.copyWithin(start, from, from + capacity);
      for (const name of this.names) this.columns[name].copyWithin(start, from, from + capacity);
      this.tables[PLACE * moved + START] = start;
    }
    this.slots.fill(0, from, from + capacity);
  }

  private fact(subject: number, fact: number): number {
    const at = PLACE * subject + fact;
    return at < this.tables.length ? this.tables[at] : 0;
  }

  private sizeClass(subject: number): number {
    return (this.fact(subject, FILL) & CLASS_MASK) - 1;
  }

  /**
   * Lays all tables side by side anew, each as small as it can be: where free memory lies in pieces that are too small. Seldom
   * or never, as what comes back is given out again. O(all slots), and as much memory again meanwhile.
   */
  private compact(): void {
    const former = { tables: this.tables, slots: this.slots, columns: { ...this.columns } };
    const allocator = new RegionAllocator(this.allocator.top_max);
    this.tables = former.tables.slice();
    for (let place = 0; place < this.tables.length; place += PLACE) {
      const count = this.tables[place + FILL] >>> CLASS_BITS;
      const size_class = classOf(0, count);
      this.tables[place + START] = count === 0 ? 0 : allocator.take(size_class, place / PLACE);
      this.tables[place + FILL] = count === 0 ? 0 : count * ONE_KEY + size_class + 1;
    }
    this.slots = new Uint32Array(allocator.top);
    for (const name of this.names) this.columns[name] = emptyLike(this.columns[name], allocator.top);
    for (let subject = 0; PLACE * subject < this.tables.length; subject++) {
      const from = former.tables[PLACE * subject + START];
      const size_class = (former.tables[PLACE * subject + FILL] & CLASS_MASK) - 1;
      const end = size_class < 0 ? from : from + classCapacity(size_class);
      for (let at = from; at < end; at++) {
        if (former.slots[at] === 0) continue;
        const moved = this.place(this.start(subject), this.capacity(subject), former.slots[at]);
        for (const name of this.names) this.columns[name][moved] = former.columns[name][at];
      }
    }
    this.allocator = allocator;
  }
}

/** The smallest size class, from one on, of a table for so many keys. */
function classOf(from: number, count: number): number {
  let size_class = from;
  while (classCapacity(size_class) * FULL_EIGHTHS < count * 8)
    size_class += size_class >= COARSE_FROM ? 2 : 1;
  return size_class;
}

function emptyLike<T extends NumericArray>(column: T, length: number): T {
  const make = column.constructor as new (length: number) => T;
  return new make(length);
}
