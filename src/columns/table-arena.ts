import { NONE } from '../plugin/index.ts';
import { arenaElementsMax, grown, type NumericArray } from './growable.ts';
import { classCapacity, classFor, RegionAllocator } from './regions.ts';

/** A table is enlarged above this fill: 7/8. */
const FULL_EIGHTHS = 7;
/** From this class on, every second class is skipped, since moving a table means inserting all its keys again. */
const COARSE_FROM = classFor(64);

/** Index in a subject's place: the position of its table. */
const START = 0;
/**
 * Index in a subject's place: the number of keys (upper 24 bits) and the size class + 1, 0 without a table (lower 8).
 */
const FILL = 1;
const PLACE = 2;
const CLASS_BITS = 8;
const CLASS_MASK = (1 << CLASS_BITS) - 1;
const ONE_KEY = 1 << CLASS_BITS;
/** The slots of the largest table, whose keys can still be counted. */
const CAPACITY_MAX = 2 ** 24;
/** The maximum number of keys of one subject. */
export const TABLE_KEYS_MAX = (CAPACITY_MAX * FULL_EIGHTHS) / 8;

/**
 * The share of an arena's slots that may be keys.
 *
 * A table has at most twice as many slots as keys, except for growing ones. The rest is room for moving tables.
 */
const KEYS_SHARE = 0.42;

/** The maximum number of keys of all subjects, for an arena of this many slots. */
export function tableKeysFor(slots: number): number {
  return Math.floor(slots * KEYS_SHARE);
}

export interface TableLimits {
  keys_max?: number;
  subject_keys_max?: number;
  slots_max?: number;
}

/** The memory of one hash table per subject, contiguous in one arena. Subclasses define the contents. */
export abstract class TableArena<Columns extends Record<string, NumericArray>> {
  static readonly transient: readonly string[] = ['keys_max', 'subject_keys_max'];
  /** 0 is an empty slot. */
  slots = new Uint32Array(1024);
  keys = 0;
  /** The largest number of keys that any table ever had. */
  fullest = 0;
  /** Two adjacent numbers per subject, so that finding a table costs one cache miss. */
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

  count(subject: number): number {
    return this.part(subject, FILL) >>> CLASS_BITS;
  }

  /** The first position of the subject's table. Every slot up to `end` is a key or empty. */
  start(subject: number): number {
    return this.part(subject, START);
  }

  end(subject: number): number {
    return this.part(subject, START) + this.capacity(subject);
  }

  prefetch(subject: number): number {
    return this.count(subject) + this.end(subject);
  }

  /** Empties the table and releases its memory. */
  clear(subject: number): void {
    const size_class = this.part(subject, FILL) & CLASS_MASK;
    if (size_class === 0) return;
    this.keys -= this.count(subject);
    this.release(this.part(subject, START), size_class - 1);
    const place = PLACE * subject;
    this.tables.fill(0, place, place + PLACE);
  }

  /** Inserts the slot of a new key into a table. @returns its position */
  protected abstract place(start: number, capacity: number, slot: number): number;

  protected capacity(subject: number): number {
    const size_class = this.part(subject, FILL) & CLASS_MASK;
    return size_class === 0 ? 0 : classCapacity(size_class - 1);
  }

  protected holds(capacity: number, count: number): boolean {
    return capacity * FULL_EIGHTHS >= count * 8;
  }

  protected counted(subject: number, more: number): void {
    this.tables[PLACE * subject + FILL] += more * ONE_KEY;
    this.keys += more;
    this.fullest = Math.max(this.fullest, this.count(subject));
  }

  /** Whether the limits allow `more` keys for the subject. */
  hasRoom(subject: number, more: number): boolean {
    return this.keys + more <= this.keys_max && this.count(subject) + more <= this.subject_keys_max;
  }

  protected requireRoom(subject: number, more: number): void {
    if (this.hasRoom(subject, more)) return;
    throw new RangeError(
      `no room for ${more} more keys: the subject has ${this.count(subject)}, all have ${this.keys}`,
    );
  }

  /** Must be called before `enlarge`, to make sure that it finds a region. May move all tables. */
  protected prepare(subject: number, count: number): void {
    this.tables = grown(this.tables, PLACE * (subject + 1));
    const current = this.sizeClass(subject);
    const next = classOf(Math.max(current, 0), count);
    if (next !== current && !this.allocator.fits(next)) this.compact();
  }

  /**
   * Gives the subject a new empty table if its own is too small for `count` keys.
   * @returns the size class of the old table, whose keys the caller must move and which it must release; NONE if there
   * was none, or if it stays
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

  /**
   * Returns a region. Another table may move into its place.
   *
   * Free memory holds zeros, because checkpoints contain all of it and must not keep what was removed.
   */
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
    for (const name of this.names) this.columns[name].fill(0, from, from + capacity);
  }

  private part(subject: number, part: number): number {
    const at = PLACE * subject + part;
    return at < this.tables.length ? this.tables[at] : 0;
  }

  private sizeClass(subject: number): number {
    return (this.part(subject, FILL) & CLASS_MASK) - 1;
  }

  /**
   * Lays out all tables again, as small as possible.
   *
   * Needed when free memory is fragmented, which is rare because returned regions are reused. O(all slots), and
   * temporarily as much memory again.
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

/** The smallest size class, starting at `from`, of a table for `count` keys. */
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
