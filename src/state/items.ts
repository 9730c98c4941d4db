import { consume } from '../consume.ts';
import { COUNTERS, type Counter, type ItemContent, NONE } from './change.ts';
import { CountHistory } from './count-history.ts';
import { grown } from './growable.ts';
import { Names } from './names.ts';
import { readableText } from './readable-text.ts';
import type { Setup } from './setup.ts';
import type { Vocabulary } from './vocabulary.ts';

const DESCRIBED = 1;
const HIDDEN = 2;
const DELETED = 4;
const REPLY = 8;

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
/** Number of what the item's source counted + 1; 0 while it has counted nothing. */
const COUNTED = 12;
/** When something was last heard of it that nothing else here tells, whole seconds, unsigned. */
const HEARD_AT = 13;
const RECORD_INTEGERS = 16;

/** What a source counted, in 8-byte numbers: the counters, then when each was counted, … */
const COUNTED_AT = COUNTERS.length;
/** … and the number of the item's lists of former counts + 1; 0 while no counter has risen. */
const HISTORY = 2 * COUNTERS.length;
const COUNTED_NUMBERS = HISTORY + 1;

/** The place of each counter among the counters, which lie in the record from `LIKES` on in this order. */
const PLACE: Readonly<Record<Counter, number>> = {
  likes_count: LIKES - LIKES,
  comments_count: COMMENTS - LIKES,
  shares_count: SHARES - LIKES,
};

/**
 * Every item by ordinal: 64 bytes, and 56 more when its source counts. The count shown is the source's counter
 * plus the service's own interactions later than the moment when the source counted it (`counted_at`), which
 * each counter has for itself.
 */
export class Items {
  readonly names: Names;
  private numbers = new Float64Array(64 * RECORD_NUMBERS);
  /** The same bytes as `numbers`. */
  private integers = new Int32Array(this.numbers.buffer);
  /** What sources counted, of each item that has a number (`COUNTED`); counters in the order of `COUNTERS`. */
  private counted = new Float64Array(64 * COUNTED_NUMBERS);
  private counted_items = 0;
  private readonly free_counted: number[] = [];
  /** What was counted before that: a list for each counter of what has a number (`HISTORY`). */
  readonly former_counts: CountHistory;
  private histories = 0;
  private readonly free_histories: number[] = [];
  /** The place of the counter that each event type moves; NONE for types that move none. */
  private readonly moved_by: readonly number[];

  constructor(vocabulary: Vocabulary, { hash_key, limits }: Setup) {
    this.names = new Names(hash_key, { count_max: limits.items, bytes_max: limits.item_id_bytes });
    this.former_counts = new CountHistory(limits.former_counts);
    this.moved_by = vocabulary.names.map((_, code) => vocabulary.counterPlace(code));
  }

  /** Ordinals below this were given out; some may be nobody's now (`names.holds`). */
  get size(): number {
    return this.names.size;
  }

  /** Makes room for the item that was named last. */
  extend(): void {
    if (this.size * RECORD_NUMBERS <= this.numbers.length) return;
    this.numbers = grown(this.numbers, this.size * RECORD_NUMBERS);
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

  /** It says which item it replies to. */
  is_reply(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & REPLY) !== 0;
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

  /** Reads the records of some items into the processor's cache. O(items). */
  readAhead(items: Int32Array, start: number, end: number): void {
    let read = 0;
    for (let at = start; at < end; at++) read |= this.integers[items[at] * RECORD_INTEGERS + FLAGS];
    consume(read);
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
    const at = this.countedAt(item);
    return at === NONE ? 0 : this.counted[at + COUNTED_AT + PLACE[counter]];
  }

  /** When the source last counted any of the counters; 0 when it never did. */
  last_counted_at(item: number): number {
    const at = this.countedAt(item);
    if (at === NONE) return 0;
    const { counted } = this;
    return Math.max(counted[at + COUNTED_AT], counted[at + COUNTED_AT + 1], counted[at + COUNTED_AT + 2]);
  }

  /** Some counter of the item has risen. */
  has_former_counts(item: number): boolean {
    return this.historyOf(item) !== NONE;
  }

  /** What the source last counted; 0 when it never did. */
  source(item: number, counter: Counter): number {
    const at = this.countedAt(item);
    return at === NONE ? 0 : this.counted[at + PLACE[counter]];
  }

  /** The counter's list in `former_counts`; NONE when no counter of the item ever rose. */
  former_list(item: number, counter: Counter): number {
    const history = this.historyOf(item);
    return history === NONE ? NONE : history * COUNTERS.length + PLACE[counter];
  }

  /** When it was named, deleted or dealt with last, by an act that is heard (`Vocabulary.isHeard`); whole seconds. */
  heard_at(item: number): number {
    return this.integers[item * RECORD_INTEGERS + HEARD_AT] >>> 0;
  }

  /** It was named, deleted or dealt with at this time; news may be older than what is known. */
  hear(item: number, time: number): void {
    this.integers[item * RECORD_INTEGERS + HEARD_AT] = Math.max(this.heard_at(item), Math.floor(time));
  }

  /** Interactions ever recorded or taken back on this item: tells caches that something changed. */
  activity(item: number): number {
    return this.integers[item * RECORD_INTEGERS + ACTIVITY];
  }

  describe(item: number, author: number, content: ItemContent, seq: number): void {
    const reply = content.parent_item_id === undefined ? 0 : REPLY;
    this.integers[item * RECORD_INTEGERS + FLAGS] = DESCRIBED | (content.hidden ? HIDDEN : 0) | reply;
    this.integers[item * RECORD_INTEGERS + AUTHOR] = author + 1;
    this.numbers[item * RECORD_NUMBERS + CREATED_AT] = content.created_at;
    this.numbers[item * RECORD_NUMBERS + CONTENT_SEQ] = seq;
    const text = readableText(content);
    this.integers[item * RECORD_INTEGERS + TEXT_LENGTH] = text === undefined ? 0 : [...text].length;
  }

  setAuthor(item: number, author: number): void {
    this.integers[item * RECORD_INTEGERS + AUTHOR] = author + 1;
  }

  /** Takes the mark of a deletion away: a version followed whose author is erased. It is not for showing, but later counts stand. */
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
    this.clearCounted(item);
    this.numbers.fill(0, item * RECORD_NUMBERS + LIKES, item * RECORD_NUMBERS + LIKES + COUNTERS.length);
  }

  /** Makes a slot that was deleted as good as new. */
  reset(item: number): void {
    this.integers.fill(0, item * RECORD_INTEGERS, (item + 1) * RECORD_INTEGERS);
  }

  /** A counter from the source, and how many own interactions are later than `counted_at`. */
  setSource(item: number, counter: Counter, count: number, counted_at: number, own: number): void {
    const former = this.source(item, counter);
    const former_at = this.counted_at(item, counter);
    const rose = former_at > 0 && counted_at > former_at && count > former;
    const at = this.makeCounted(item) + PLACE[counter];
    if (rose && this.historyOf(item) === NONE) this.addHistory(item);
    const list = this.former_list(item, counter);
    if (list !== NONE && former_at > 0)
      this.former_counts.supersede(list, former, former_at, count, counted_at);
    this.counted[at] = count;
    this.counted[at + COUNTED_AT] = counted_at;
    this.numbers[item * RECORD_NUMBERS + LIKES + PLACE[counter]] = count + own;
  }

  /**
   * Counts an own interaction in or out. One that the source has counted since moves no counter, but tells when it rose.
   * @returns whether it is of a type that is counted
   */
  countOwn(item: number, event_type: number, time: number, delta: number): boolean {
    this.integers[item * RECORD_INTEGERS + ACTIVITY]++;
    const place = this.moved_by[event_type];
    if (place === NONE) return false;
    const at = this.countedAt(item);
    if (at === NONE || time > this.counted[at + COUNTED_AT + place]) {
      this.numbers[item * RECORD_NUMBERS + LIKES + place] += delta;
    }
    return true;
  }

  /** Where in `counted` lies what the item's source counted; NONE when it counted nothing. */
  private countedAt(item: number): number {
    const number = this.integers[item * RECORD_INTEGERS + COUNTED] - 1;
    return number === NONE ? NONE : number * COUNTED_NUMBERS;
  }

  /** The same; makes room when it counted nothing yet. */
  private makeCounted(item: number): number {
    if (this.countedAt(item) === NONE) {
      const number = this.free_counted.pop() ?? this.counted_items++;
      this.counted = grown(this.counted, (number + 1) * COUNTED_NUMBERS);
      this.integers[item * RECORD_INTEGERS + COUNTED] = number + 1;
    }
    return this.countedAt(item);
  }

  private addHistory(item: number): void {
    const history = this.free_histories.pop() ?? this.histories++;
    this.counted[this.countedAt(item) + HISTORY] = history + 1;
  }

  private clearCounted(item: number): void {
    const at = this.countedAt(item);
    if (at === NONE) return;
    const history = this.historyOf(item);
    if (history !== NONE) {
      for (const counter of COUNTERS) this.former_counts.clear(this.former_list(item, counter));
      this.free_histories.push(history);
    }
    this.counted.fill(0, at, at + COUNTED_NUMBERS);
    this.integers[item * RECORD_INTEGERS + COUNTED] = 0;
    this.free_counted.push(at / COUNTED_NUMBERS);
  }

  /** The number of the item's lists of former counts, NONE without any. */
  private historyOf(item: number): number {
    const at = this.countedAt(item);
    return at === NONE ? NONE : this.counted[at + HISTORY] - 1;
  }
}
