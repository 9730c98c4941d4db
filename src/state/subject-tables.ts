import { NONE } from './change.ts';
import type { NumericArray } from './growable.ts';
import { FIXED_INTEGER_HASH, type IntegerHash, spread } from './keyed-hash.ts';
import { classCapacity } from './regions.ts';
import { TableArena, type TableLimits } from './table-arena.ts';

/** Slots that are looked through at a blow: 16 KB. */
const LOOKED_THROUGH_MAX = 4096;

/** So many slots are looked at before it is worth the time to find out whether a key could still come. */
const SURE_STEPS = 4;

/**
 * A small hash table per subject: open addressing with linear probing, all tables in one arena. The key
 * column holds `(key + 1) << flag_bits | flags`; `columns` are parallel arenas for further values. Keys lie
 * in the order of the places where probing for them begins (Robin Hood hashing), so that looking for a key
 * that is not there ends after 4 or 5 slots, however full the table is. One probe is O(1) however large the
 * table is. Positions are valid until the next change.
 */
export class SubjectTables<Columns extends Record<string, NumericArray>> extends TableArena<Columns> {
  private readonly salt: number;
  private readonly multiplier: number;

  /** @param hash how keys are hashed: secret where strangers choose which keys come together */
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
   * The flags that any key of a table has; all there can be of one with more than some thousand slots. What is read for it
   * is in the processor's nearest caches for probes to come: in a loop this short it fetches many places at once.
   */
  flagsOfAny(start: number, end: number): number {
    const every = (1 << this.flag_bits) - 1;
    if (end - start > LOOKED_THROUGH_MAX) return every;
    const { slots } = this;
    let flags = 0;
    for (let at = start; at < end; at++) flags |= slots[at];
    return flags & every;
  }

  /** How many keys of a table have one of some flags; as many as it has slots when these are more than some thousand. */
  countWith(start: number, end: number, flags: number): number {
    if (end - start > LOOKED_THROUGH_MAX) return end - start;
    const { slots } = this;
    let count = 0;
    for (let at = start; at < end; at++) if ((slots[at] & flags) !== 0) count++;
    return count;
  }

  /** The position where probing for a key begins, in the subject's table if there is one. */
  near(subject: number, key: number): number {
    return this.start(subject) + this.home(key, this.capacity(subject));
  }

  /** The key at a position, NONE for an empty slot. */
  key(at: number): number {
    return (this.slots[at] >>> this.flag_bits) - 1;
  }

  flags(at: number): number {
    return this.slots[at] & ((1 << this.flag_bits) - 1);
  }

  setFlags(at: number, flags: number): void {
    this.slots[at] = ((this.slots[at] >>> this.flag_bits) << this.flag_bits) | flags;
  }

  /** The position of a key, NONE when it is not there. O(1). */
  find(subject: number, key: number): number {
    if (subject < 0 || this.count(subject) === 0) return NONE;
    return this.findIn(this.start(subject), this.capacity(subject), key);
  }

  /** The same in a table that begins at `start` and has so many slots, at least one. */
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

  /** The position of a key, which is added with flags 0 when it is new. Amortised O(1). @throws as `makeRoom` */
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

  /** Makes a table large enough for so many keys. @throws RangeError for more than there may be, while nothing has changed */
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

  /** Where probing for a key begins: its hash scaled to any capacity, so that it grows with the hash. */
  protected home(key: number, capacity: number): number {
    const hash = spread(key, this.salt, this.multiplier);
    // In whole numbers where they suffice.
    if (capacity <= 1 << 16) return Math.imul(hash >>> 16, capacity) >>> 16;
    return Math.floor(((hash >>> 0) * capacity) / 2 ** 32);
  }

  /** How far a slot is from where probing for its key begins. */
  private stepsTo(at: number, slot: number, capacity: number): number {
    const steps = at - this.home((slot >>> this.flag_bits) - 1, capacity);
    return steps < 0 ? steps + capacity : steps;
  }

  /** The slot from `start` on that holds a key, or the one that it belongs before: of the first that is nearer to its home. */
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

  /** Puts a key that is not there at its place; what lies from there to the next empty slot moves on. */
  private insert(start: number, capacity: number, at: number, slot: number): number {
    let gap = at;
    while (this.slots[start + gap] !== 0) gap = gap + 1 === capacity ? 0 : gap + 1;
    if (gap !== at) this.moveOn(start, capacity, at, gap);
    this.slots[start + at] = slot;
    return start + at;
  }

  /** Moves everything from `at` to before `gap` on by one. */
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
