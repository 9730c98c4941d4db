import { NONE } from './change.ts';
import { grown } from './growable.ts';
import type { IntegerHash } from './keyed-hash.ts';
import { SubjectTables } from './subject-tables.ts';
import type { TableLimits } from './table-arena.ts';

/** So many keys at most are merged into a table: more would take too long to be sorted by insertion. */
const MERGED_MAX = 64;
/** A table with more slots than that for each new key is not rewritten for them. */
const SLOTS_PER_KEY = 16;

/** Tables of subjects that hold nothing but keys and their flags, to which many keys can be added at once. */
export class SubjectSets extends SubjectTables<Record<never, never>> {
  static override readonly transient = [
    ...SubjectTables.transient,
    ...['merged', 'homes', 'added', 'added_homes', 'length'],
  ];
  /** What is to be in a table, in the order of where probing for it begins, … */
  private merged = new Uint32Array(256);
  /** … where that is, … */
  private homes = new Int32Array(256);
  /** … and how much of it. */
  private length = 0;
  /** What is new, and where probing for it begins, in the order of that. */
  private readonly added = new Uint32Array(MERGED_MAX);
  private readonly added_homes = new Int32Array(MERGED_MAX);

  constructor(flag_bits: number, hash?: IntegerHash, limits?: TableLimits) {
    super({}, flag_bits, hash, limits);
  }

  /**
   * Adds keys, and flags to what these have. As the keys of a table lie in the order of their homes, a few are merged
   * into a table of about their number in one pass: one after another each would move many of those that are there.
   * O(the table and the keys) for up to some ten keys. @throws as `makeRoom`
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
    // Adding it may take the slots to another place.
    const at = this.put(subject, key);
    this.slots[at] |= flags;
  }

  /** Puts what keys are to have in a table of that capacity into `added`. */
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
   * Puts what is in a table and the first `count` of `added` into `merged`.
   * @param from where the table lies, with so many `slots` @param capacity that it is to be written for
   */
  private merge(from: number, slots: number, count: number, capacity: number): void {
    this.merged = grown(this.merged, slots + count);
    this.homes = grown(this.homes, slots + count);
    this.length = 0;
    const { added, added_homes, slots: all, flag_bits } = this;
    let next = 0;
    // Those at the beginning may be the last, which had no room at the end.
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

  /** How many slots at the beginning of a table hold keys that belong to its end. */
  private wrapped(from: number, slots: number): number {
    let place = 0;
    for (; place < slots; place++) {
      const slot = this.slots[from + place];
      if (slot === 0 || this.home((slot >>> this.flag_bits) - 1, slots) <= place) return place;
    }
    return 0;
  }

  /** Puts a slot behind those whose home is not behind its `own`, or its flags to those that its key has already. */
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

  /** Writes `merged` into an empty table: each key at its home, or at the first place behind the one before. */
  private write(start: number, capacity: number): void {
    const { slots, merged, homes, length } = this;
    let next = 0;
    for (let at = 0; at < length; at++) next = Math.max(next, homes[at]) + 1;
    // What has no room at the end goes to the beginning, where there are gaps enough for it.
    next = Math.max(0, next - capacity);
    for (let at = 0; at < length; at++) {
      next = Math.max(next, homes[at]);
      slots[start + (next < capacity ? next : next - capacity)] = merged[at];
      next++;
    }
  }
}
