import { COUNTED_EVENT, COUNTERS, type Counter, EVENT_TYPES, type ItemContent, NONE } from './change.ts';
import { grown } from './growable.ts';
import { Names } from './names.ts';

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
const RECORD_INTEGERS = 16;

/** The place of each counter among the counters, which lie in the record from `LIKES` on in this order. */
const PLACE: Readonly<Record<Counter, number>> = {
  likes_count: LIKES - LIKES,
  comments_count: COMMENTS - LIKES,
  shares_count: SHARES - LIKES,
};

/** The place of the counter that each event type moves; NONE for types that move none. */
const MOVED_BY = EVENT_TYPES.map((event_type) => {
  const counter = COUNTERS.find((counter) => COUNTED_EVENT[counter] === event_type);
  return counter === undefined ? NONE : PLACE[counter];
});

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

  /** Ordinals given out so far. */
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

  /** What the source last counted; 0 when it never did. */
  source(item: number, counter: Counter): number {
    return this.sources[item * COUNTERS.length + PLACE[counter]];
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
    for (const counter of COUNTERS) this.setSource(item, counter, 0, 0, 0);
  }

  /** A counter from the source, and how many own interactions are later than `counted_at`. */
  setSource(item: number, counter: Counter, count: number, counted_at: number, own: number): void {
    const place = PLACE[counter];
    this.sources[item * COUNTERS.length + place] = count;
    this.counted[item * COUNTERS.length + place] = counted_at;
    this.numbers[item * RECORD_NUMBERS + LIKES + place] = count + own;
  }

  /** Counts an own interaction in or out; true if that moved a counter: it is later than the source's count. */
  countOwn(item: number, event_type: number, time: number, delta: number): boolean {
    this.integers[item * RECORD_INTEGERS + ACTIVITY]++;
    const place = MOVED_BY[event_type];
    if (place === NONE || time <= this.counted[item * COUNTERS.length + place]) return false;
    this.numbers[item * RECORD_NUMBERS + LIKES + place] += delta;
    return true;
  }
}
