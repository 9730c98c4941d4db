import { Dictionary } from '../columns/dictionary.ts';
import { grown } from '../columns/growable.ts';
import { roundToMs } from '../columns/time.ts';
import { idOf } from '../ingest/event-book.ts';
import type { Fact } from '../ingest/queued-changes.ts';
import { type EventChange, type EventSpace, type Key, NONE } from '../state/change.ts';

/** A line of a file that belongs to an event. Users and items are ordinals. */
export interface EventLine {
  user: number;
  /**
   * The item, or the followed or blocked user. NONE if the event was taken back before it arrived, so that only the id is known.
   */
  other: number;
  event_type: number;
  removed: boolean;
  time: number;
  /** '' if there is none. */
  event_id: string;
}

/** Ordinals of users and items that an export can name; NONE for others. */
export interface NamedOrdinals {
  user(key: Key): number;
  other(key: Key): number;
}

/**
 * Named events of one space, for an export.
 *
 * An act is exported with the event that it belongs to. Other events get lines of their own, so that sending them again
 * after an import still changes nothing. 25 bytes a row, and the identifiers.
 */
export class EventLog {
  private size = 0;
  private user = new Uint32Array(64);
  private other = new Int32Array(64);
  private event_type = new Uint8Array(64);
  private time = new Float64Array(64);
  /** The event of each row, as an index into `events`. */
  private event = new Uint32Array(64);
  private action = new Uint8Array(64);
  private readonly events = new Dictionary();
  /** Rows by tie, event and arrival, once all have been noted. */
  private order = new Uint32Array(0);
  /** For each event, whether it was taken back. */
  private taken_back = new Uint8Array(0);

  constructor(private readonly space: EventSpace) {}

  note(change: EventChange): void {
    if (change.space !== this.space) return;
    const at = this.size++;
    this.user = grown(this.user, this.size);
    this.other = grown(this.other, this.size);
    this.event_type = grown(this.event_type, this.size);
    this.time = grown(this.time, this.size);
    this.event = grown(this.event, this.size);
    this.action = grown(this.action, this.size);
    this.user[at] = change.user;
    this.other[at] = change.space === 'interaction' ? change.item : change.target;
    this.event_type[at] = change.event_type;
    this.time[at] = change.timestamp;
    this.event[at] = this.events.intern(idOf(change.space, change.user, change.event_id));
    this.action[at] = change.action;
  }

  /** Call once, after everything has been noted. O(rows, sorted). */
  finish(): void {
    this.taken_back = new Uint8Array(this.events.size);
    for (let at = 0; at < this.size; at++) if (this.action[at] === 0) this.taken_back[this.event[at]] = 1;
    const { event } = this;
    this.order = Uint32Array.from({ length: this.size }, (_, at) => at).sort(
      (one, other) => this.compareTies(one, other) || event[one] - event[other] || one - other,
    );
  }

  /** The event of an act, or the event that took it back; '' if there is none. Keys. O(log rows). */
  eventOf(user: Key, other: Key, event_type: number, { time, stands }: Fact): string {
    for (let at = this.firstOf(user, other, event_type); at < this.size; at++) {
      const row = this.order[at];
      if (this.user[row] !== user || this.other[row] !== other || this.event_type[row] !== event_type) break;
      if (this.isOwn(at, time, stands)) return this.idOf(row);
    }
    return '';
  }

  /**
   * Events without a current act, by time and then arrival.
   * @param knownOf the exported fact about a user and an item or another user
   * @param keeps whether such an event is needed in addition to the fact
   */
  lines(
    named: NamedOrdinals,
    knownOf: (user: number, other: number, event_type: number) => Fact | undefined,
    keeps: (known: Fact | undefined, removed: boolean) => boolean,
  ): EventLine[] {
    const lines: { row: number; line: EventLine }[] = [];
    for (let at = 0; at < this.size; at++) {
      if (!this.isLast(at)) continue;
      const row = this.order[at];
      const event_type = this.event_type[row];
      const removed = this.taken_back[this.event[row]] === 1;
      const user = named.user(this.user[row]);
      const is_about = this.other[row] !== NONE;
      const other = is_about ? named.other(this.other[row]) : NONE;
      if (user === NONE || (is_about && other === NONE)) continue;
      const known = is_about ? knownOf(user, other, event_type) : undefined;
      if (is_about && !keeps(known, removed)) continue;
      if (known !== undefined && this.isOwn(at, known.time, known.stands)) continue;
      const time = timeBefore(known, this.time[row]);
      lines.push({ row, line: { user, other, event_type, removed, time, event_id: this.idOf(row) } });
    }
    lines.sort((one, other) => one.line.time - other.line.time || one.row - other.row);
    return lines.map(({ line }) => line);
  }

  private isOwn(at: number, time: number, stands: boolean): boolean {
    const row = this.order[at];
    const removed = this.taken_back[this.event[row]] === 1;
    return this.isLast(at) && this.time[row] === time && removed !== stands;
  }

  /** Whether the row is the last one about a tie and an event. */
  private isLast(at: number): boolean {
    const [row, next] = [this.order[at], this.order[at + 1]];
    return at + 1 === this.size || this.event[row] !== this.event[next] || this.compareTies(row, next) !== 0;
  }

  private idOf(row: number): string {
    const id = this.events.id(this.event[row]);
    return id.slice(idOf(this.space, this.user[row], '').length);
  }

  private compareTies(one: number, other: number): number {
    return (
      this.user[one] - this.user[other] ||
      this.other[one] - this.other[other] ||
      this.event_type[one] - this.event_type[other]
    );
  }

  /** The first position in `order` that is not before a tie. */
  private firstOf(user: Key, other: Key, event_type: number): number {
    let [from, until] = [0, this.size];
    while (from < until) {
      const middle = (from + until) >>> 1;
      const row = this.order[middle];
      const before = this.user[row] - user || this.other[row] - other || this.event_type[row] - event_type;
      if (before < 0) from = middle + 1;
      else until = middle;
    }
    return from;
  }
}

/**
 * The time of an event that does not decide: just before the deciding fact.
 *
 * A whole list decides about a follow without changing its time, and exports do not contain lists.
 */
function timeBefore(known: Fact | undefined, time: number): number {
  return known === undefined ? time : Math.min(time, roundToMs(known.time - 0.001));
}

/** Merges lines of two sources by time. At the same time, lines of the first source come first. */
export function* mergedByTime<T extends { time: number }>(
  first: readonly T[],
  second: Iterable<T>,
): Generator<T> {
  let at = 0;
  for (const each of second) {
    while (at < first.length && first[at].time <= each.time) yield first[at++];
    yield each;
  }
  yield* first.slice(at);
}
