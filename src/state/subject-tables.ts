import { NONE } from './change.ts';
import { classCapacity, grown, type NumericArray, RegionAllocator } from './growable.ts';

/** A table is enlarged when it would be fuller than this: 0.8. */
const FULL_TENTHS = 8;

/**
 * A small hash table per subject: open addressing with linear probing, all tables in one arena. The key
 * column holds `(key + 1) << flag_bits | flags`; `columns` are parallel arenas for further values. One
 * probe is O(1) however large the table is.
 */
export class SubjectTables<Columns extends Record<string, NumericArray>> {
  /** `(key + 1) << flag_bits | flags`; 0 is an empty slot. */
  slots = new Uint32Array(1024);
  private region = new Uint32Array(64);
  private count_of = new Uint32Array(64);
  /** size class + 1; 0 has no table. */
  private size_class = new Uint8Array(64);
  private readonly allocator = new RegionAllocator();
  private readonly names: (keyof Columns)[];

  constructor(
    readonly columns: Columns,
    private readonly flag_bits: number,
  ) {
    this.names = Object.keys(columns);
  }

  /** Keys in the subject's table. */
  count(subject: number): number {
    return subject < this.count_of.length ? this.count_of[subject] : 0;
  }

  /** First position of the subject's table; every slot up to `end` is a key or empty. */
  start(subject: number): number {
    return subject < this.region.length ? this.region[subject] : 0;
  }

  end(subject: number): number {
    const size_class = subject < this.size_class.length ? this.size_class[subject] : 0;
    return size_class === 0 ? this.start(subject) : this.region[subject] + classCapacity(size_class - 1);
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
    const capacity = classCapacity(this.size_class[subject] - 1);
    const start = this.region[subject];
    const wanted = key + 1;
    for (let at = home(key, capacity); ; at = at + 1 === capacity ? 0 : at + 1) {
      const slot = this.slots[start + at];
      if (slot === 0) return NONE;
      if (slot >>> this.flag_bits === wanted) return start + at;
    }
  }

  /** The position of a key, which is added with flags 0 when it is new. Amortised O(1). */
  put(subject: number, key: number): number {
    const found = this.find(subject, key);
    if (found !== NONE) return found;
    this.reserve(subject, this.count(subject) + 1);
    this.count_of[subject]++;
    return this.place(this.region[subject], classCapacity(this.size_class[subject] - 1), key);
  }

  /** Makes a table large enough for so many keys. */
  makeRoom(subject: number, count: number): void {
    this.reserve(subject, count);
  }

  /** Empties the table and gives its memory back. */
  clear(subject: number): void {
    if (subject >= this.size_class.length || this.size_class[subject] === 0) return;
    this.slots.fill(0, this.start(subject), this.end(subject));
    this.allocator.give(this.region[subject], this.size_class[subject] - 1);
    this.size_class[subject] = 0;
    this.count_of[subject] = 0;
  }

  private place(start: number, capacity: number, key: number): number {
    let at = home(key, capacity);
    while (this.slots[start + at] !== 0) at = at + 1 === capacity ? 0 : at + 1;
    this.slots[start + at] = (key + 1) << this.flag_bits;
    return start + at;
  }

  private reserve(subject: number, count: number): void {
    this.region = grown(this.region, subject + 1);
    this.count_of = grown(this.count_of, subject + 1);
    this.size_class = grown(this.size_class, subject + 1);
    const current = this.size_class[subject] - 1;
    let next = Math.max(current, 0);
    while (classCapacity(next) * FULL_TENTHS < count * 10) next++;
    if (next === current) return;
    const from = this.region[subject];
    const capacity = classCapacity(next);
    const to = this.allocator.take(next);
    this.slots = grown(this.slots, this.allocator.top);
    this.slots.fill(0, to, to + capacity);
    for (const name of this.names) this.columns[name] = grown(this.columns[name], this.allocator.top);
    this.region[subject] = to;
    this.size_class[subject] = next + 1;
    if (current < 0) return;
    for (let at = from; at < from + classCapacity(current); at++) {
      if (this.slots[at] === 0) continue;
      const moved = this.place(to, capacity, this.key(at));
      this.slots[moved] = this.slots[at];
      for (const name of this.names) this.columns[name][moved] = this.columns[name][at];
    }
    this.slots.fill(0, from, from + classCapacity(current));
    this.allocator.give(from, current);
  }
}

/** Where probing for a key begins: multiplicative hashing scaled to any capacity. */
function home(key: number, capacity: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> 0;
  return Math.floor((mixed * capacity) / 4294967296);
}
