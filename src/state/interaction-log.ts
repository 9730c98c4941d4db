import type { BitSet } from '../bit-set.ts';
import { grown } from '../columns/growable.ts';
import { Slabs } from '../columns/slabs.ts';
import { joinTime, MS_MASK, msPart, secondsPart } from '../columns/time.ts';
import { NONE } from '../model/key.ts';

/** Bits of the `meta` column above the milliseconds. */
const TYPE_SHIFT = 10;
const TYPE_MASK = 0b1111;
const REMOVED = 1 << 14;
const NAMED = 1 << 15;
/**
 * A bit for each type.
 *
 * Shifts count modulo 32, so a shift by `meta >> TYPE_SHIFT` is a shift by the type. A removed entry shifts by 16 more,
 * where no type has a bit.
 */
const TYPES = 0xffff;

/**
 * The interactions of each subject, ordered by time, ties by arrival. 10 bytes an entry.
 *
 * A subject is a user (with items) or an item (with users). Read newest first from `end - 1` down to `start`.
 */
export class InteractionLog {
  private readonly slabs: Slabs<{
    other: Uint32Array<ArrayBuffer>;
    seconds: Uint32Array<ArrayBuffer>;
    meta: Uint16Array<ArrayBuffer>;
  }>;
  /** The number of suspended entries of each subject, up to the last subject that ever had one. */
  private suspended = new Uint32Array(64);
  /** The number of suspended entries of all subjects. While 0, `suspended` is not read. */
  private suspended_entries = 0;

  /** @param entries_max for all subjects */
  constructor(entries_max?: number) {
    const columns = {
      other: new Uint32Array(256),
      seconds: new Uint32Array(256),
      meta: new Uint16Array(256),
    };
    this.slabs = new Slabs(columns, { elements_max: entries_max });
  }

  get size(): number {
    return this.slabs.size;
  }

  length(subject: number): number {
    return this.slabs.length(subject);
  }

  start(subject: number): number {
    return this.slabs.start(subject);
  }

  end(subject: number): number {
    return this.slabs.end(subject);
  }

  other(at: number): number {
    return this.slabs.columns.other[at];
  }

  event_type(at: number): number {
    return (this.slabs.columns.meta[at] >> TYPE_SHIFT) & TYPE_MASK;
  }

  /**
   * Whether the entry does not count.
   *
   * In a user's log the interaction was removed, and the entry is its tombstone. In an item's log it is suspended.
   */
  removed(at: number): boolean {
    return (this.slabs.columns.meta[at] & REMOVED) !== 0;
  }

  /**
   * 1 if the entry counts and has one of the types, otherwise 0. @param types a bit for each event type, by its code
   */
  counts(at: number, types: number): number {
    return (types >> (this.slabs.columns.meta[at] >> TYPE_SHIFT)) & 1;
  }

  /** The number of entries that are not suspended. It is the degree of an item. */
  standing(subject: number): number {
    const length = this.slabs.length(subject);
    return this.suspended_entries === 0 ? length : length - this.suspendedOf(subject);
  }

  /**
   * The position of the oldest of a subject's latest `most` unsuspended entries. O(1), or O(entries) with suspended
   * ones.
   */
  oldest(subject: number, most: number): number {
    const start = this.start(subject);
    let at = this.end(subject);
    if (this.suspended_entries === 0 || this.suspendedOf(subject) === 0) return Math.max(start, at - most);
    for (let left = most; left > 0 && at > start; ) if (!this.removed(--at)) left--;
    return at;
  }

  /** Suspends an entry. It keeps its place but does not count until it is resumed. */
  suspend(subject: number, at: number): void {
    if (this.removed(at)) return;
    this.slabs.columns.meta[at] |= REMOVED;
    this.suspended = grown(this.suspended, subject + 1);
    this.suspended[subject]++;
    this.suspended_entries++;
  }

  resume(subject: number, at: number): void {
    if (!this.removed(at)) return;
    this.slabs.columns.meta[at] &= ~REMOVED;
    this.suspended[subject]--;
    this.suspended_entries--;
  }

  /** Whether the entry was identified by an `event_id`. */
  named(at: number): boolean {
    return (this.slabs.columns.meta[at] & NAMED) !== 0;
  }

  timestamp(at: number): number {
    return joinTime(this.slabs.columns.seconds[at], this.slabs.columns.meta[at]);
  }

  seconds(at: number): number {
    return this.slabs.columns.seconds[at];
  }

  /** Reads the position of a subject's entries, for `readAhead`. The result has no meaning. */
  prefetch(subject: number): number {
    return this.slabs.prefetch(subject);
  }

  /** Reads the subject's last entry, next to which the next one will be added. */
  prefetchLast(subject: number): number {
    const { other, seconds, meta } = this.slabs.columns;
    const at = this.slabs.end(subject) - 1;
    return at < this.slabs.start(subject) ? 0 : other[at] + seconds[at] + meta[at];
  }

  /** The position of a subject's first entry after `time`. O(log entries). */
  firstAfter(subject: number, time: number): number {
    let low = this.start(subject);
    let high = this.end(subject);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timestamp(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The position of a subject's first entry at `time` or later. O(log entries + entries of that time). */
  firstAtOrAfter(subject: number, time: number): number {
    const start = this.start(subject);
    let at = this.firstAfter(subject, time);
    while (at > start && this.timestamp(at - 1) === time) at--;
    return at;
  }

  /**
   * The number of counted entries of some types after `after` and until `until`.
   *
   * O(the subject's entries after `after`).
   */
  count(subject: number, types: number, after: number, until = Number.POSITIVE_INFINITY): number {
    const { seconds, meta } = this.slabs.columns;
    const start = this.start(subject);
    let at = (until === Number.POSITIVE_INFINITY ? this.end(subject) : this.firstAfter(subject, until)) - 1;
    let count = 0;
    const whole = Math.floor(after);
    // Whole seconds decide for all entries except those of the same second.
    for (; at >= start && seconds[at] > whole; at--) count += (types >> (meta[at] >> TYPE_SHIFT)) & 1;
    for (; at >= start && this.timestamp(at) > after; at--) count += this.counts(at, types);
    return count;
  }

  /**
   * Writes the positions from `start` to before `end` whose other ordinal is marked, latest first.
   * @param marks 1 or 0 by the low bits of an ordinal; its length is a power of two
   * @param positions has room for all positions and one more
   */
  marked(start: number, end: number, marks: Uint8Array, positions: Int32Array): number {
    const { other } = this.slabs.columns;
    const mask = marks.length - 1;
    let count = 0;
    // Branch-free, since only one in hundreds of entries is marked.
    for (let at = end - 1; at >= start; at--) {
      positions[count] = at;
      count += marks[other[at] & mask];
    }
    return count;
  }

  /**
   * Writes the others and whole seconds of a subject's latest `most` counted entries of some types, newest first.
   *
   * It writes from `place` on and examines only the latest `among` entries.
   */
  latest(
    subject: number,
    most: number,
    among: number,
    types: number,
    others: Int32Array,
    times: Uint32Array,
    place: number,
  ): number {
    const { other, seconds } = this.slabs.columns;
    const end = this.end(subject);
    const start = Math.max(this.start(subject), end - among);
    const count = this.positions(start, end, types, most, others, place);
    for (let next = place; next < place + count; next++) {
      const at = others[next];
      others[next] = other[at];
      times[next] = seconds[at];
    }
    return count;
  }

  /**
   * Writes the positions of counted entries of some types, newest first, from `place` on.
   *
   * At most the latest `most` entries from `start` to before `end`.
   * @param types a bit for each event type, by its code
   */
  positions(
    start: number,
    end: number,
    types: number,
    most: number,
    positions: Int32Array,
    place: number,
  ): number {
    const { meta } = this.slabs.columns;
    const full = place + most;
    let next = place;
    for (let at = end - 1; at >= start && next < full; at--) {
      // Branch-free, as branches would be unpredictable: the next entry overwrites a skipped one.
      positions[next] = at;
      next += (types >> (meta[at] >> TYPE_SHIFT)) & 1;
    }
    return next - place;
  }

  types(subject: number): number {
    const { meta } = this.slabs.columns;
    const end = this.end(subject);
    let types = 0;
    for (let at = this.start(subject); at < end; at++) types |= 1 << (meta[at] >> TYPE_SHIFT);
    return types & TYPES;
  }

  /** The positions of a subject's entries, oldest first. O(entries). */
  entries(subject: number): number[] {
    const start = this.start(subject);
    return Array.from({ length: this.length(subject) }, (_, place) => start + place);
  }

  /** Inserts an entry in order of time. O(log entries), plus moving later entries. */
  add(
    subject: number,
    other: number,
    event_type: number,
    time: number,
    removed: boolean,
    named: boolean,
  ): number {
    const seconds = secondsPart(time);
    const ms = msPart(time);
    const end = this.end(subject);
    // Nearly all entries come in order of time.
    const is_last = end === this.start(subject) || !this.isLater(end - 1, seconds, ms);
    const at = this.slabs.insert(
      subject,
      is_last ? 0 : end - this.firstAfter(subject, joinTime(seconds, ms)),
    );
    this.slabs.columns.other[at] = other;
    this.slabs.columns.seconds[at] = seconds;
    this.slabs.columns.meta[at] =
      ms | (event_type << TYPE_SHIFT) | (removed ? REMOVED : 0) | (named ? NAMED : 0);
    return at;
  }

  /**
   * The position of a subject's latest entry about `other` before `end`. NONE without one.
   *
   * O(skipped entries), at the speed of reading memory.
   */
  previousOf(subject: number, other: number, end = this.end(subject)): number {
    const { other: others } = this.slabs.columns;
    const start = this.start(subject);
    let at = end - 1;
    while (at >= start && others[at] !== other) at--;
    return at < start ? NONE : at;
  }

  /** The latest entry of (other, type) without an `event_id`. NONE without one. Costs as much as `previousOf`. */
  find(subject: number, other: number, event_type: number): number {
    let at = this.previousOf(subject, other);
    while (at !== NONE && !this.isOf(at, other, event_type)) at = this.previousOf(subject, other, at);
    return at;
  }

  /** All entries of (other, type) without an `event_id`, newest first. O(the subject's entries). */
  findAll(subject: number, other: number, event_type: number): number[] {
    const found: number[] = [];
    for (let at = this.previousOf(subject, other); at !== NONE; at = this.previousOf(subject, other, at))
      if (this.isOf(at, other, event_type)) found.push(at);
    return found;
  }

  /** Like `find`, at exactly `time`. O(log entries + entries of that time). */
  findAt(subject: number, other: number, event_type: number, time: number): number {
    const start = this.start(subject);
    for (let at = this.firstAfter(subject, time) - 1; at >= start && this.timestamp(at) === time; at--) {
      if (this.isOf(at, other, event_type)) return at;
    }
    return NONE;
  }

  /**
   * Finds an entry with an `event_id`. O(log entries + entries of that time).
   *
   * Entries of one moment are interchangeable whatever their identifiers, except that some are removed.
   */
  findNamed(subject: number, other: number, time: number, removed: boolean): number {
    const start = this.start(subject);
    for (let at = this.firstAfter(subject, time) - 1; at >= start && this.timestamp(at) === time; at--) {
      if (this.slabs.columns.other[at] === other && this.named(at) && this.removed(at) === removed) return at;
    }
    return NONE;
  }

  removeAt(subject: number, at: number): void {
    if (this.suspended_entries > 0) this.resume(subject, at);
    this.slabs.remove(subject, at);
  }

  /** Removes the entries whose positions pass a test. O(the subject's entries). */
  removeWhere(subject: number, goes: (at: number) => boolean): void {
    if (this.suspendedOf(subject) > 0)
      for (let at = this.start(subject); at < this.end(subject); at++) if (goes(at)) this.resume(subject, at);
    this.slabs.filter(subject, (at) => !goes(at));
  }

  /** Removes a subject's entries about some others. O(the subject's entries). */
  removeOthers(subject: number, others: BitSet): void {
    this.removeWhere(subject, (at) => others.has(this.other(at)));
  }

  clear(subject: number): void {
    const suspended = this.suspendedOf(subject);
    if (suspended > 0) {
      this.suspended[subject] = 0;
      this.suspended_entries -= suspended;
    }
    this.slabs.clear(subject);
  }

  /** Releases memory of a subject whose entries were mostly removed. */
  trim(subject: number): void {
    this.slabs.trim(subject);
  }

  private suspendedOf(subject: number): number {
    return subject < this.suspended.length ? this.suspended[subject] : 0;
  }

  private isOf(at: number, other: number, event_type: number): boolean {
    return this.slabs.columns.other[at] === other && this.event_type(at) === event_type && !this.named(at);
  }

  private isLater(at: number, seconds: number, ms: number): boolean {
    const entry_seconds = this.slabs.columns.seconds[at];
    if (entry_seconds !== seconds) return entry_seconds > seconds;
    return (this.slabs.columns.meta[at] & MS_MASK) > ms;
  }
}
