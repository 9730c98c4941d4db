import { NONE } from '../plugin/index.ts';
import type { NumericArray } from './growable.ts';
import { FIXED_INTEGER_HASH, type IntegerHash, spread } from './keyed-hash.ts';
import { classCapacity } from './regions.ts';
import { TableArena, type TableLimits } from './table-arena.ts';

/** The maximum number of slots to scan at once: 16 KB. */
const LOOKED_THROUGH_MAX = 4096;

/** After this many slots, the distance of the current key is computed, since the search may be over. */
const SURE_STEPS = 4;

/**
 * A small hash table per subject: open addressing with linear probing, all tables in one arena.
 *
 * The key column holds `(key + 1) << flag_bits | flags`, and `columns` are parallel arenas for further values. Keys are
 * in order of their homes (Robin Hood hashing), so a search for a missing key ends after 4 or 5 slots, however full the
 * table is. A lookup is O(1) for any table size. Positions are valid until the next change.
 */
export class SubjectTables<Columns extends Record<string, NumericArray>> extends TableArena<Columns> {
  private readonly salt: number;
  private readonly multiplier: number;

  /** @param hash the hash parameters; must be secret if untrusted clients choose which keys come together */
  constructor(
    columns: Columns,
    protected readonly flag_bits: number,
    { salt, multiplier }: IntegerHash = FIXED_INTEGER_HASH,
    limits: TableLimits = {},
  ) {
    super(columns, limits);
    this.salt = salt;
    this.multiplier = multiplier;
  }

  /**
   * The union of the flags of all keys of a table. All flags for tables with more than some thousand slots.
   *
   * The scan also brings the table into the processor's nearest caches for later lookups.
   */
  flagsOfAny(start: number, end: number): number {
    const every = (1 << this.flag_bits) - 1;
    if (end - start > LOOKED_THROUGH_MAX) return every;
    const { slots } = this;
    let flags = 0;
    for (let at = start; at < end; at++) flags |= slots[at];
    return flags & every;
  }

  /** The number of keys with one of some flags. The number of slots for tables with more than some thousand. */
  countWith(start: number, end: number, flags: number): number {
    if (end - start > LOOKED_THROUGH_MAX) return end - start;
    const { slots } = this;
    let count = 0;
    for (let at = start; at < end; at++) if ((slots[at] & flags) !== 0) count++;
    return count;
  }

  /** The home position of a key, if the subject has a table. */
  near(subject: number, key: number): number {
    return this.start(subject) + this.home(key, this.capacity(subject));
  }

  key(at: number): number {
    return (this.slots[at] >>> this.flag_bits) - 1;
  }

  flags(at: number): number {
    return this.slots[at] & ((1 << this.flag_bits) - 1);
  }

  setFlags(at: number, flags: number): void {
    this.slots[at] = ((this.slots[at] >>> this.flag_bits) << this.flag_bits) | flags;
  }

  /** The position of a key. NONE if it is missing. O(1). */
  find(subject: number, key: number): number {
    if (subject < 0 || this.count(subject) === 0) return NONE;
    return this.findIn(this.start(subject), this.capacity(subject), key);
  }

  /** Like `find`, in the table at `start` with the given capacity of at least one slot. */
  findIn(start: number, capacity: number, key: number): number {
    const { slots, flag_bits } = this;
    const wanted = key + 1;
    let at = this.home(key, capacity);
    for (let steps = 0; ; steps++) {
      const slot = slots[start + at];
      if (slot >>> flag_bits === wanted) return start + at;
      if (slot === 0 || (steps >= SURE_STEPS && this.stepsTo(at, slot, capacity) < steps)) return NONE;
      at = at + 1 === capacity ? 0 : at + 1;
    }
  }

  /** The position of a key, which is added with flags 0 if it is new. Amortised O(1). @throws as `makeRoom` */
  put(subject: number, key: number): number {
    const slot = (key + 1) << this.flag_bits;
    const capacity = this.capacity(subject);
    const count = this.count(subject) + 1;
    if (capacity > 0) {
      const start = this.start(subject);
      const at = this.seek(start, capacity, key);
      if (this.slots[start + at] >>> this.flag_bits === key + 1) return start + at;
      if (this.holds(capacity, count)) {
        this.requireRoom(subject, 1);
        this.counted(subject, 1);
        return this.insert(start, capacity, at, slot);
      }
    }
    this.makeRoom(subject, count);
    this.counted(subject, 1);
    return this.place(this.start(subject), this.capacity(subject), slot);
  }

  remove(subject: number, key: number): void {
    const found = this.find(subject, key);
    if (found === NONE) return;
    const { slots } = this;
    const start = this.start(subject);
    const capacity = this.capacity(subject);
    let gap = found - start;
    // The next keys move up, until one that is at its home.
    for (;;) {
      const next = gap + 1 === capacity ? 0 : gap + 1;
      const slot = slots[start + next];
      if (slot === 0 || this.stepsTo(next, slot, capacity) === 0) break;
      slots[start + gap] = slot;
      for (const name of this.names) this.columns[name][start + gap] = this.columns[name][start + next];
      gap = next;
    }
    slots[start + gap] = 0;
    for (const name of this.names) this.columns[name][start + gap] = 0;
    this.counted(subject, -1);
    if (this.count(subject) === 0) this.clear(subject);
  }

  /** Makes room for `count` keys. @throws RangeError above the limits; nothing has changed then */
  makeRoom(subject: number, count: number): void {
    this.requireRoom(subject, count - this.count(subject));
    this.prepare(subject, count);
    const from = this.start(subject);
    const size_class = this.enlarge(subject, count);
    if (size_class === NONE) return;
    const to = this.start(subject);
    const capacity = this.capacity(subject);
    const end = from + classCapacity(size_class);
    for (let at = from; at < end; at++) {
      if (this.slots[at] === 0) continue;
      const moved = this.place(to, capacity, this.slots[at]);
      for (const name of this.names) this.columns[name][moved] = this.columns[name][at];
    }
    this.release(from, size_class);
  }

  /** The home of a key: its hash scaled to the capacity, so that homes are ordered by hash. */
  protected home(key: number, capacity: number): number {
    const hash = spread(key, this.salt, this.multiplier);
    // Integer arithmetic where it suffices.
    if (capacity <= 1 << 16) return Math.imul(hash >>> 16, capacity) >>> 16;
    return Math.floor(((hash >>> 0) * capacity) / 2 ** 32);
  }

  /** The distance of a slot from its key's home. */
  private stepsTo(at: number, slot: number, capacity: number): number {
    const steps = at - this.home((slot >>> this.flag_bits) - 1, capacity);
    return steps < 0 ? steps + capacity : steps;
  }

  /** The slot of a key, or the slot to insert it at: the first one whose key is nearer to its home. */
  private seek(start: number, capacity: number, key: number): number {
    const { slots, flag_bits } = this;
    let at = this.home(key, capacity);
    for (let steps = 0; ; steps++) {
      const slot = slots[start + at];
      if (slot === 0 || slot >>> flag_bits === key + 1 || this.stepsTo(at, slot, capacity) < steps) return at;
      at = at + 1 === capacity ? 0 : at + 1;
    }
  }

  protected place(start: number, capacity: number, slot: number): number {
    return this.insert(start, capacity, this.seek(start, capacity, (slot >>> this.flag_bits) - 1), slot);
  }

  /** Inserts a new key at its slot and moves the slots up to the next empty one. */
  private insert(start: number, capacity: number, at: number, slot: number): number {
    let gap = at;
    while (this.slots[start + gap] !== 0) gap = gap + 1 === capacity ? 0 : gap + 1;
    if (gap !== at) this.moveOn(start, capacity, at, gap);
    this.slots[start + at] = slot;
    return start + at;
  }

  /** Moves the slots from `at` to before `gap` by one. */
  private moveOn(start: number, capacity: number, at: number, gap: number): void {
    const { slots } = this;
    for (let to = gap; to !== at; ) {
      const from = to === 0 ? capacity - 1 : to - 1;
      slots[start + to] = slots[start + from];
      to = from;
    }
    for (const name of this.names) {
      const column = this.columns[name];
      if (gap < at) {
        column.copyWithin(start + 1, start, start + gap);
        column[start] = column[start + capacity - 1];
      }
      column.copyWithin(start + at + 1, start + at, start + (gap < at ? capacity - 1 : gap));
    }
  }
}
