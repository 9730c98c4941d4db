import type { BitSet } from '../bit-set.ts';
import { NONE } from './change.ts';
import { grown } from './growable.ts';
import { Slabs } from './slabs.ts';
import { joinTime, MS_MASK, msPart, secondsPart } from './time.ts';

/** Bits of the `meta` column above the milliseconds. */
const TYPE_SHIFT = 10;
const TYPE_MASK = 0b1111;
const REMOVED = 1 << 14;
const NAMED = 1 << 15;
/**
 * A bit for each type. Shifts count modulo 32, so a shift by `meta >> TYPE_SHIFT` is one by the type, and by 16 more for
 * what was taken back, where no type has its bit.
 */
const TYPES = 0xffff;

/**
 * Interactions of each subject (of a user: with items; of an item: by users), ordered by time, ties by
 * arrival: 10 bytes an entry. Read newest first from `end - 1` down to `start`.
 */
export class InteractionLog {
  private readonly slabs: Slabs<{
    other: Uint32Array<ArrayBuffer>;
    seconds: Uint32Array<ArrayBuffer>;
    meta: Uint16Array<ArrayBuffer>;
  }>;
  /** Suspended entries of each subject, up to the last subject that ever had one. */
  private suspended = new Uint32Array(64);
  /** Suspended entries of all subjects. While it is 0, no subject's number is read. */
  private suspended_entries = 0;

  /** @param entries_max of all subjects */
  constructor(entries_max?: number) {
    const columns = {
      other: new Uint32Array(256),
      seconds: new Uint32Array(256),
      meta: new Uint16Array(256),
    };
    this.slabs = new Slabs(columns, { elements_max: entries_max });
  }

  /** Entries of all subjects. */
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

  /** The item of a user's entry, the user of an item's. */
  other(at: number): number {
    return this.slabs.columns.other[at];
  }

  event_type(at: number): number {
    return (this.slabs.columns.meta[at] >> TYPE_SHIFT) & TYPE_MASK;
  }

  /**
   * The entry does not count. In a user's log the interaction was taken back, and the entry only remembers when; in an
   * item's log it is suspended.
   */
  removed(at: number): boolean {
    return (this.slabs.columns.meta[at] & REMOVED) !== 0;
  }

  /** Whether the entry counts and is of one of some types, as 1 or 0. @param types a bit for each event type, by its code */
  counts(at: number, types: number): number {
    return (types >> (this.slabs.columns.meta[at] >> TYPE_SHIFT)) & 1;
  }

  /** Entries that are not suspended: what an item's degree is told by. */
  standing(subject: number): number {
    const length = this.slabs.length(subject);
    return this.suspended_entries === 0 ? length : length - this.suspendedOf(subject);
  }

  /** Position of the oldest of a subject's latest `most` entries that are not suspended. O(1), or O(entries) with suspended ones. */
  oldest(subject: number, most: number): number {
    const start = this.start(subject);
    let at = this.end(subject);
    if (this.suspended_entries === 0 || this.suspendedOf(subject) === 0) return Math.max(start, at - most);
    for (let left = most; left > 0 && at > start; ) if (!this.removed(--at)) left--;
    return at;
  }

  /** Suspends an entry, which keeps its place but does not count until it is resumed. */
  suspend(subject: number, at: number): void {
    if (this.removed(at)) return;
    this.slabs.columns.meta[at] |= REMOVED;
    this.suspended = grown(this.suspended, subject + 1);
    this.suspended[subject]++;
    this.suspended_entries++;
  }

  /** Lets a suspended entry count again. */
  resume(subject: number, at: number): void {
    if (!this.removed(at)) return;
    this.slabs.columns.meta[at] &= ~REMOVED;
    this.suspended[subject]--;
    this.suspended_entries--;
  }

  /** The entry was told apart by an `event_id`. */
  named(at: number): boolean {
    return (this.slabs.columns.meta[at] & NAMED) !== 0;
  }

  timestamp(at: number): number {
    return joinTime(this.slabs.columns.seconds[at], this.slabs.columns.meta[at]);
  }

  /** Whole seconds of the timestamp: cheaper, for cut-offs. */
  seconds(at: number): number {
    return this.slabs.columns.seconds[at];
  }

  /** Reads what is known of where a subject's entries lie, for `readAhead`: a number without meaning. */
  glance(subject: number): number {
    return this.slabs.glance(subject);
  }

  /** Reads the subject's last entry, behind which the next will come. */
  glanceAtLast(subject: number): number {
    const { other, seconds, meta } = this.slabs.columns;
    const at = this.slabs.end(subject) - 1;
    return at < this.slabs.start(subject) ? 0 : other[at] + seconds[at] + meta[at];
  }

  /** Position of a subject's first entry that is later than `time`. O(log entries). */
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

  /**
   * Entries of some types that count and are later than `after` and not later than `until`.
   * O(the subject's entries later than `after`).
   * @param types a bit for each event type, by its code
   */
  count(subject: number, types: number, after: number, until = Number.POSITIVE_INFINITY): number {
    const { seconds, meta } = this.slabs.columns;
    const start = this.start(subject);
    let at = (until === Number.POSITIVE_INFINITY ? this.end(subject) : this.firstAfter(subject, until)) - 1;
    let count = 0;
    const whole = Math.floor(after);
    // Whole seconds decide for all entries but those of the same second.
    for (; at >= start && seconds[at] > whole; at--) count += (types >> (meta[at] >> TYPE_SHIFT)) & 1;
    for (; at >= start && this.timestamp(at) > after; at--) count += this.counts(at, types);
    return count;
  }

  /**
   * Writes the positions between `start` and `end`, latest first, whose other is marked by its low bits.
   * @param marks 1 or 0 by the low bits of an ordinal; its length is a power of two
   * @param positions with room for all positions and one more
   * @returns how many were written
   */
  marked(start: number, end: number, marks: Uint8Array, positions: Int32Array): number {
    const { other } = this.slabs.columns;
    const mask = marks.length - 1;
    let count = 0;
    // Without a branch: hundreds of entries are looked at for each that is marked.
    for (let at = end - 1; at >= start; at--) {
      positions[count] = at;
      count += marks[other[at] & mask];
    }
    return count;
  }

  /**
   * Writes what the subject's latest `most` entries of some types are about, newest first, those that were taken back
   * left out, and their whole seconds, from `place` on. Only the latest `among` entries are looked at.
   * @returns how many were written
   * @param types a bit for each event type, by its code
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
   * Writes where entries of some types lie that were not taken back, newest first, from `place` on: the latest `most` of
   * those from `start` to before `end`. @returns how many were written
   * @param types a bit for each event type, by its code
   * @param positions has room for `most` from `place` on
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
      // Without a branch, as none could be foreseen: the next overwrites what is left out.
      positions[next] = at;
      next += (types >> (meta[at] >> TYPE_SHIFT)) & 1;
    }
    return next - place;
  }

  /** Types of which an entry stands that was not taken back, a bit for each by its code. O(the subject's entries). */
  types(subject: number): number {
    const { meta } = this.slabs.columns;
    const end = this.end(subject);
    let types = 0;
    for (let at = this.start(subject); at < end; at++) types |= 1 << (meta[at] >> TYPE_SHIFT);
    return types & TYPES;
  }

  /**
   * Adds an entry at its place in time. O(log entries), and the moving of those that are later.
   * @returns its position
   */
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
    // Nearly all come in the order of their times.
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
   * Position of a subject's latest entry about `other` that lies before `end`; NONE when there is none. O(the entries
   * passed over), which are looked at as fast as memory is read.
   */
  previousOf(subject: number, other: number, end = this.end(subject)): number {
    const { other: others } = this.slabs.columns;
    const start = this.start(subject);
    let at = end - 1;
    while (at >= start && others[at] !== other) at--;
    return at < start ? NONE : at;
  }

  /** The latest entry of (other, type), those with an `event_id` apart; NONE when there is none. As `previousOf`. */
  find(subject: number, other: number, event_type: number): number {
    let at = this.previousOf(subject, other);
    while (at !== NONE && !this.isOf(at, other, event_type)) at = this.previousOf(subject, other, at);
    return at;
  }

  /** The same at exactly `time`. O(log entries, and those of that time). */
  findAt(subject: number, other: number, event_type: number, time: number): number {
    const start = this.start(subject);
    for (let at = this.firstAfter(subject, time) - 1; at >= start && this.timestamp(at) === time; at--) {
      if (this.isOf(at, other, event_type)) return at;
    }
    return NONE;
  }

  /**
   * An entry with an `event_id`. Those of one moment are alike, whichever identifier each has, except that
   * some stand and others have been taken back. O(log entries, and those of that time).
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

  /** Removes what a subject's entries say of some others. O(the subject's entries). */
  removeOthers(subject: number, others: BitSet): void {
    this.slabs.filter(subject, (at) => !others.has(this.other(at)));
  }

  clear(subject: number): void {
    const suspended = this.suspendedOf(subject);
    if (suspended > 0) {
      this.suspended[subject] = 0;
      this.suspended_entries -= suspended;
    }
    this.slabs.clear(subject);
  }

  /** Gives memory back that a subject's entries took before most of them went. */
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
