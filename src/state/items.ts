import { COUNTERS, type Counter, type ItemContent, NONE } from './change.ts';
import { CountHistory } from './count-history.ts';
import { grown } from './growable.ts';
import { Names } from './names.ts';
import type { Vocabulary } from './vocabulary.ts';

const DESCRIBED = 1;
const HIDDEN = 2;
const DELETED = 4;

/**
 * An item's record: what a request reads of a candidate, in the 64 bytes of one cache line, because reading
 * ten columns of a random item costs ten misses. Offsets into the record, in 8-byte numbers …
 */
const CREATED_AT = 0;
const LIKES = 1;
const COMMENTS = 2;
const SHARES = 3;
const CONTENT_SEQ = 7;
const RECORD_NUMBERS = 8;
/** … and in 4-byte integers. The author is stored + 1, so that 0 is NONE. */
const FLAGS = 8;
const AUTHOR = 9;
const ACTIVITY = 10;
const TEXT_LENGTH = 11;
/** Number of the item's lists of former counts + 1; 0 while no counter has risen. */
const HISTORY = 12;
/** When it was named or deleted last, whole seconds, unsigned. */
const HEARD_AT = 13;
const RECORD_INTEGERS = 16;

/** The place of each counter among the counters, which lie in the record from `LIKES` on in this order. */
const PLACE: Readonly<Record<Counter, number>> = {
  likes_count: LIKES - LIKES,
  comments_count: COMMENTS - LIKES,
  shares_count: SHARES - LIKES,
};

/**
 * Every item by ordinal. The count shown is the source's counter plus the service's own interactions later
 * than the moment when the source counted it (`counted_at`), which each counter has for itself.
 */
export class Items {
  readonly names = new Names();
  private numbers = new Float64Array(64 * RECORD_NUMBERS);
  /** The same bytes as `numbers`. */
  private integers = new Int32Array(this.numbers.buffer);
  /** Of each item the source's counters, in the order of `COUNTERS` … */
  private sources = new Float64Array(64 * COUNTERS.length);
  /** … and when each was counted. */
  private counted = new Float64Array(64 * COUNTERS.length);
  /** What was counted before that: a list for each counter of an item that has a number (`HISTORY`). */
  readonly former_counts = new CountHistory();
  private histories = 0;
  private readonly free_histories: number[] = [];
  /** The place of the counter that each event type moves; NONE for types that move none. */
  private readonly moved_by: readonly number[];

  constructor(vocabulary: Vocabulary) {
    this.moved_by = vocabulary.names.map((_, code) => {
      const counter = vocabulary.counter(code);
      return counter === undefined ? NONE : PLACE[counter];
    });
  }

  /** Ordinals below this were given out; some may be nobody's now (`names.holds`). */
  get size(): number {
    return this.names.size;
  }

  /** Makes room for the item that was named last. */
  extend(): void {
    const size = this.size;
    if (size * COUNTERS.length <= this.counted.length) return;
    this.sources = grown(this.sources, size * COUNTERS.length);
    this.counted = grown(this.counted, size * COUNTERS.length);
    this.numbers = grown(this.numbers, Math.ceil(this.counted.length / COUNTERS.length) * RECORD_NUMBERS);
    this.integers = new Int32Array(this.numbers.buffer);
  }

  /** It has content and has not been deleted: it can be shown unless moderation hides it. */
  described(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & (DESCRIBED | DELETED)) === DESCRIBED;
  }

  deleted(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & DELETED) !== 0;
  }

  /** Taken out of every feed by moderation. */
  hidden(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & HIDDEN) !== 0;
  }

  /** Described and not hidden: one test of the flags for the hot path. */
  visible(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & (DESCRIBED | DELETED | HIDDEN)) === DESCRIBED;
  }

  author(item: number): number {
    return this.integers[item * RECORD_INTEGERS + AUTHOR] - 1;
  }

  created_at(item: number): number {
    return this.numbers[item * RECORD_NUMBERS + CREATED_AT];
  }

  /** `seq` of the stored row that holds the item's content. */
  content_seq(item: number): number {
    return this.numbers[item * RECORD_NUMBERS + CONTENT_SEQ];
  }

  /** In characters. */
  text_length(item: number): number {
    return this.integers[item * RECORD_INTEGERS + TEXT_LENGTH];
  }

  likes_count(item: number): number {
    return this.numbers[item * RECORD_NUMBERS + LIKES];
  }

  comments_count(item: number): number {
    return this.numbers[item * RECORD_NUMBERS + COMMENTS];
  }

  shares_count(item: number): number {
    return this.numbers[item * RECORD_NUMBERS + SHARES];
  }

  /** When the source last counted; 0 when it never did. */
  counted_at(item: number, counter: Counter): number {
    return this.counted[item * COUNTERS.length + PLACE[counter]];
  }

  /** When the source last counted any of the counters; 0 when it never did. */
  last_counted_at(item: number): number {
    const at = item * COUNTERS.length;
    return Math.max(this.counted[at], this.counted[at + 1], this.counted[at + 2]);
  }

  /** When the source first counted any of the counters, as far as is known; 0 when it never did. */
  first_counted_at(item: number): number {
    let first = 0;
    for (const counter of COUNTERS) {
      const list = this.former_list(item, counter);
      const former = list !== NONE && this.former_counts.start(list) < this.former_counts.end(list);
      const time = former
        ? this.former_counts.time(this.former_counts.start(list))
        : this.counted_at(item, counter);
      if (time > 0 && (first === 0 || time < first)) first = time;
    }
    return first;
  }

  /** Some counter of the item has risen. */
  has_former_counts(item: number): boolean {
    return this.integers[item * RECORD_INTEGERS + HISTORY] > 0;
  }

  /** What the source last counted; 0 when it never did. */
  source(item: number, counter: Counter): number {
    return this.sources[item * COUNTERS.length + PLACE[counter]];
  }

  /** The counter's list in `former_counts`; NONE when no counter of the item ever rose. */
  former_list(item: number, counter: Counter): number {
    const history = this.integers[item * RECORD_INTEGERS + HISTORY] - 1;
    return history === NONE ? NONE : history * COUNTERS.length + PLACE[counter];
  }

  /** When it was named or deleted last (`applied_at`, whole seconds). */
  heard_at(item: number): number {
    return this.integers[item * RECORD_INTEGERS + HEARD_AT] >>> 0;
  }

  /** It was named, or deleted. */
  hear(item: number, applied_at: number): void {
    this.integers[item * RECORD_INTEGERS + HEARD_AT] = Math.floor(applied_at);
  }

  /** Interactions ever recorded or taken back on this item: tells caches that something changed. */
  activity(item: number): number {
    return this.integers[item * RECORD_INTEGERS + ACTIVITY];
  }

  describe(item: number, author: number, content: ItemContent, seq: number): void {
    this.integers[item * RECORD_INTEGERS + FLAGS] = DESCRIBED | (content.hidden ? HIDDEN : 0);
    this.integers[item * RECORD_INTEGERS + AUTHOR] = author + 1;
    this.numbers[item * RECORD_NUMBERS + CREATED_AT] = content.created_at;
    this.numbers[item * RECORD_NUMBERS + CONTENT_SEQ] = seq;
    this.integers[item * RECORD_INTEGERS + TEXT_LENGTH] =
      content.text === undefined ? 0 : [...content.text].length;
  }

  /**
   * Takes the mark of a deletion away: a version followed it whose author has been erased since. The version
   * is not for showing, but counts that came after it stand.
   */
  revive(item: number): void {
    this.integers[item * RECORD_INTEGERS + FLAGS] &= ~DELETED;
  }

  /** Clears everything the item said of itself and its counters. */
  delete(item: number): void {
    this.integers[item * RECORD_INTEGERS + FLAGS] = DELETED;
    this.integers[item * RECORD_INTEGERS + AUTHOR] = NONE + 1;
    this.numbers[item * RECORD_NUMBERS + CREATED_AT] = 0;
    this.numbers[item * RECORD_NUMBERS + CONTENT_SEQ] = 0;
    this.integers[item * RECORD_INTEGERS + TEXT_LENGTH] = 0;
    this.clearHistory(item);
    for (const counter of COUNTERS) this.setSource(item, counter, 0, 0, 0);
  }

  /** Makes a slot that was deleted as good as new. */
  reset(item: number): void {
    this.integers.fill(0, item * RECORD_INTEGERS, (item + 1) * RECORD_INTEGERS);
  }

  /** A counter from the source, and how many own interactions are later than `counted_at`. */
  setSource(item: number, counter: Counter, count: number, counted_at: number, own: number): void {
    const place = PLACE[counter];
    const former = this.sources[item * COUNTERS.length + place];
    const former_at = this.counted[item * COUNTERS.length + place];
    const rose = former_at > 0 && counted_at > former_at && count > former;
    if (rose && this.former_list(item, counter) === NONE) this.addHistory(item);
    const list = this.former_list(item, counter);
    if (list !== NONE && former_at > 0) {
      this.former_counts.supersede(list, former, former_at, count, counted_at);
    }
    this.sources[item * COUNTERS.length + place] = count;
    this.counted[item * COUNTERS.length + place] = counted_at;
    this.numbers[item * RECORD_NUMBERS + LIKES + place] = count + own;
  }

  /**
   * Counts an own interaction in or out. One that the source has counted since moves no counter, but tells
   * when it rose.
   * @returns whether it is of a type that is counted
   */
  countOwn(item: number, event_type: number, time: number, delta: number): boolean {
    this.integers[item * RECORD_INTEGERS + ACTIVITY]++;
    const place = this.moved_by[event_type];
    if (place === NONE) return false;
    if (time > this.counted[item * COUNTERS.length + place]) {
      this.numbers[item * RECORD_NUMBERS + LIKES + place] += delta;
    }
    return true;
  }

  private addHistory(item: number): void {
    const history = this.free_histories.pop() ?? this.histories++;
    this.integers[item * RECORD_INTEGERS + HISTORY] = history + 1;
  }

  private clearHistory(item: number): void {
    const history = this.integers[item * RECORD_INTEGERS + HISTORY] - 1;
    if (history === NONE) return;
    for (const counter of COUNTERS) this.former_counts.clear(this.former_list(item, counter));
    this.integers[item * RECORD_INTEGERS + HISTORY] = 0;
    this.free_histories.push(history);
  }
}
