import { NONE } from './change.ts';
import { grown, type NumericArray } from './growable.ts';
import { FIXED_INTEGER_HASH, type IntegerHash, spread } from './keyed-hash.ts';
import { classCapacity, classFor, RegionAllocator } from './regions.ts';

/** A table is enlarged when it would be fuller than this: 7/8. */
const FULL_EIGHTHS = 7;
/** From this class on every other will do: to move a table is to put its keys into place anew. */
const COARSE_FROM = classFor(64);

/** Slots that are looked through at a blow: 16 KB. */
const LOOKED_THROUGH_MAX = 4096;

/** So many slots are looked at before it is worth the time to find out whether a key could still come. */
const SURE_STEPS = 4;

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

/**
 * A small hash table per subject: open addressing with linear probing, all tables in one arena. The key
 * column holds `(key + 1) << flag_bits | flags`; `columns` are parallel arenas for further values. Keys lie
 * in the order of the places where probing for them begins (Robin Hood hashing), so that looking for a key
 * that is not there ends after 4 or 5 slots, however full the table is. One probe is O(1) however large the
 * table is. Positions are valid until the next change.
 */
export class SubjectTables<Columns extends Record<string, NumericArray>> {
  /** `(key + 1) << flag_bits | flags`; 0 is an empty slot. */
  slots = new Uint32Array(1024);
  /** Of each subject two numbers side by side, so that finding its table is one miss of the cache. */
  private tables = new Uint32Array(PLACE * 64);
  protected readonly allocator = new RegionAllocator();
  private readonly names: (keyof Columns)[];

  private readonly salt: number;
  private readonly multiplier: number;

  /** @param hash how keys are hashed: secret where strangers choose which keys come together */
  constructor(
    readonly columns: Columns,
    protected readonly flag_bits: number,
    { salt, multiplier }: IntegerHash = FIXED_INTEGER_HASH,
  ) {
    this.names = Object.keys(columns);
    this.salt = salt;
    this.multiplier = multiplier;
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
    return this.fact(subject, START) + this.home(key, this.capacity(subject));
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
    return this.findIn(this.fact(subject, START), this.capacity(subject), key);
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
    const capacity = this.capacity(subject);
    const count = this.count(subject) + 1;
    if (capacity > 0) {
      const start = this.fact(subject, START);
      const at = this.seek(start, capacity, key);
      if (this.slots[start + at] >>> this.flag_bits === key + 1) return start + at;
      if (capacity * FULL_EIGHTHS >= count * 8) {
        this.tables[PLACE * subject + FILL] += ONE_KEY;
        return this.insert(start, capacity, at, key);
      }
    }
    this.reserve(subject, count);
    this.tables[PLACE * subject + FILL] += ONE_KEY;
    return this.place(this.fact(subject, START), this.capacity(subject), key);
  }

  /** Makes a table large enough for so many keys. @throws RangeError for more than 14 million, while nothing has changed */
  makeRoom(subject: number, count: number): void {
    this.reserve(subject, count);
  }

  /** Empties the table and gives its memory back. */
  clear(subject: number): void {
    const size_class = this.fact(subject, FILL) & CLASS_MASK;
    if (size_class === 0) return;
    this.release(this.fact(subject, START), size_class - 1);
    const place = PLACE * subject;
    this.tables.fill(0, place, place + PLACE);
  }

  /** Where probing for a key begins: its hash scaled to any capacity, so that it grows with the hash. */
  protected home(key: number, capacity: number): number {
    const hash = spread(key, this.salt, this.multiplier);
    // In whole numbers where they suffice.
    if (capacity <= 1 << 16) return Math.imul(hash >>> 16, capacity) >>> 16;
    return Math.floor(((hash >>> 0) * capacity) / 2 ** 32);
  }

  /** Slots of a subject's table. */
  protected capacity(subject: number): number {
    const size_class = this.fact(subject, FILL) & CLASS_MASK;
    return size_class === 0 ? 0 : classCapacity(size_class - 1);
  }

  private fact(subject: number, fact: number): number {
    const at = PLACE * subject + fact;
    return at < this.tables.length ? this.tables[at] : 0;
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

  /** Puts a key that is not there where it belongs. */
  private place(start: number, capacity: number, key: number): number {
    return this.insert(start, capacity, this.seek(start, capacity, key), key);
  }

  /** Puts a key that is not there into a slot; those from there to the next empty one move on. */
  private insert(start: number, capacity: number, at: number, key: number): number {
    let gap = at;
    while (this.slots[start + gap] !== 0) gap = gap + 1 === capacity ? 0 : gap + 1;
    if (gap !== at) this.moveOn(start, capacity, at, gap);
    this.slots[start + at] = (key + 1) << this.flag_bits;
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

  private reserve(subject: number, count: number): void {
    const from = this.start(subject);
    const size_class = this.enlarge(subject, count);
    if (size_class === NONE) return;
    const to = this.start(subject);
    const capacity = this.capacity(subject);
    const end = from + classCapacity(size_class);
    for (let at = from; at < end; at++) {
      if (this.slots[at] === 0) continue;
      const moved = this.place(to, capacity, this.key(at));
      this.slots[moved] = this.slots[at];
      for (const name of this.names) this.columns[name][moved] = this.columns[name][at];
    }
    this.release(from, size_class);
  }

  /**
   * Gives the subject an empty table for so many keys where its own is too small.
   * @returns the size class of the one that it had, which the caller empties into the new one and releases; NONE when it
   * had none, or keeps it. @throws as `makeRoom`
   */
  protected enlarge(subject: number, count: number): number {
    const place = PLACE * subject;
    this.tables = grown(this.tables, place + PLACE);
    const fill = this.tables[place + FILL];
    const current = (fill & CLASS_MASK) - 1;
    let next = Math.max(current, 0);
    while (classCapacity(next) * FULL_EIGHTHS < count * 8) next += next >= COARSE_FROM ? 2 : 1;
    if (next === current) return NONE;
    if (classCapacity(next) > CAPACITY_MAX) throw new RangeError(`${count} keys are too many for one table`);
    const to = this.allocator.take(next, subject);
    this.slots = grown(this.slots, this.allocator.top);
    for (const name of this.names) this.columns[name] = grown(this.columns[name], this.allocator.top);
    this.tables[place + START] = to;
    this.tables[place + FILL] = fill - current + next;
    return current;
  }

  /** So many keys more are in the subject's table. */
  protected counted(subject: number, more: number): void {
    this.tables[PLACE * subject + FILL] += more * ONE_KEY;
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
}
