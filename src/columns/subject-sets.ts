import { NONE } from '../plugin/index.ts';
import { grown } from './growable.ts';
import type { IntegerHash } from './keyed-hash.ts';
import { SubjectTables } from './subject-tables.ts';
import type { TableLimits } from './table-arena.ts';

/** The maximum number of keys to merge into a table at once. Insertion sort would be too slow for more. */
const MERGED_MAX = 64;
/** A table with more slots than this per new key is not rewritten. */
const SLOTS_PER_KEY = 16;

/** Tables that hold only keys and flags, to which many keys can be added at once. */
export class SubjectSets extends SubjectTables<Record<never, never>> {
  static override readonly transient = [
    ...SubjectTables.transient,
    ...['merged', 'homes', 'added', 'added_homes', 'length'],
  ];
  /** The slots of the merged table, in order of their homes. */
  private merged = new Uint32Array(256);
  private homes = new Int32Array(256);
  private length = 0;
  /** New slots and their homes, in order of the homes. */
  private readonly added = new Uint32Array(MERGED_MAX);
  private readonly added_homes = new Int32Array(MERGED_MAX);

  constructor(flag_bits: number, hash?: IntegerHash, limits?: TableLimits) {
    super({}, flag_bits, hash, limits);
  }

  /**
   * Adds keys, and adds flags to existing keys.
   *
   * The keys of a table are in order of their homes. So a few keys are merged into a table of similar size in one pass,
   * while single insertions would each move many keys. O(table + keys) for up to some ten keys.
   * @throws as `makeRoom`
   */
  addAll(subject: number, keys: Uint32Array, count: number, flags: number): void {
    if (count === 0) return;
    const before = this.capacity(subject);
    if (count > MERGED_MAX || before > SLOTS_PER_KEY * count || !this.hasRoom(subject, count)) {
      for (let at = 0; at < count; at++) this.addOne(subject, keys[at], flags);
      return;
    }
    const known = this.count(subject);
    this.prepare(subject, known + count);
    const from = this.start(subject);
    const size_class = this.enlarge(subject, known + count);
    const capacity = this.capacity(subject);
    this.sort(keys, count, flags, capacity);
    this.merge(from, before, count, capacity);
    if (size_class === NONE) this.slots.fill(0, from, from + before);
    this.write(this.start(subject), capacity);
    this.counted(subject, this.length - known);
    if (size_class !== NONE) this.release(from, size_class);
  }

  addOne(subject: number, key: number, flags: number): void {
    // Adding may move the slots.
    const at = this.put(subject, key);
    this.slots[at] |= flags;
  }

  /** Fills `added` with slots for keys, for a table of the given capacity. */
  private sort(keys: Uint32Array, count: number, flags: number, capacity: number): void {
    const { added, added_homes, flag_bits } = this;
    for (let at = 0; at < count; at++) {
      const own = this.home(keys[at], capacity);
      let to = at;
      for (; to > 0 && added_homes[to - 1] > own; to--) {
        added[to] = added[to - 1];
        added_homes[to] = added_homes[to - 1];
      }
      added[to] = ((keys[at] + 1) << flag_bits) | flags;
      added_homes[to] = own;
    }
  }

  /**
   * Merges a table and the first `count` of `added` into `merged`.
   * @param from the position of the table, which has `slots` slots
   * @param capacity the capacity of the new table
   */
  private merge(from: number, slots: number, count: number, capacity: number): void {
    this.merged = grown(this.merged, slots + count);
    this.homes = grown(this.homes, slots + count);
    this.length = 0;
    const { added, added_homes, slots: all, flag_bits } = this;
    let next = 0;
    // Slots at the beginning may be keys that did not fit at the end.
    const first = this.wrapped(from, slots);
    for (let step = 0; step < slots; step++) {
      const place = first + step;
      const slot = all[from + (place < slots ? place : place - slots)];
      if (slot === 0) continue;
      const own = this.home((slot >>> flag_bits) - 1, capacity);
      for (; next < count && added_homes[next] <= own; next++) this.append(added[next], added_homes[next]);
      this.append(slot, own);
    }
    for (; next < count; next++) this.append(added[next], added_homes[next]);
  }

  /** The number of slots at the beginning of a table whose keys belong to its end. */
  private wrapped(from: number, slots: number): number {
    let place = 0;
    for (; place < slots; place++) {
      const slot = this.slots[from + place];
      if (slot === 0 || this.home((slot >>> this.flag_bits) - 1, slots) <= place) return place;
    }
    return 0;
  }

  /** Inserts a slot in order of its home, or adds its flags to an existing key. */
  private append(slot: number, own: number): void {
    const { merged, homes, flag_bits } = this;
    let to = this.length;
    while (to > 0 && homes[to - 1] > own) to--;
    for (let at = to - 1; at >= 0 && homes[at] === own; at--) {
      if (merged[at] >>> flag_bits !== slot >>> flag_bits) continue;
      merged[at] |= slot;
      return;
    }
    for (let at = this.length; at > to; at--) {
      merged[at] = merged[at - 1];
      homes[at] = homes[at - 1];
    }
    merged[to] = slot;
    homes[to] = own;
    this.length++;
  }

  /** Writes `merged` into an empty table: each key at its home, or at the next free slot. */
  private write(start: number, capacity: number): void {
    const { slots, merged, homes, length } = this;
    let next = 0;
    for (let at = 0; at < length; at++) next = Math.max(next, homes[at]) + 1;
    // Keys that do not fit at the end go to the beginning, where enough slots are free.
    next = Math.max(0, next - capacity);
    for (let at = 0; at < length; at++) {
      next = Math.max(next, homes[at]);
      slots[start + (next < capacity ? next : next - capacity)] = merged[at];
      next++;
    }
  }
}
