import { EVENT_CODE, type ItemContent, NONE } from './change.ts';
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

/** The counter of the record that an event type moves; other types move none. */
const COUNTER: Record<number, number> = {
  [EVENT_CODE.like]: LIKES,
  [EVENT_CODE.comment]: COMMENTS,
  [EVENT_CODE.share]: SHARES,
};

/**
 * Every item by ordinal. The count shown is the source's counter plus the service's own interactions later
 * than the moment when the source counted (`counted_at`).
 */
export class Items {
  readonly names = new Names();
  private numbers = new Float64Array(64 * RECORD_NUMBERS);
  /** The same bytes as `numbers`. */
  private integers = new Int32Array(this.numbers.buffer);
  private source_likes = new Float64Array(64);
  private source_comments = new Float64Array(64);
  private source_shares = new Float64Array(64);
  private counted = new Float64Array(64);

  /** Ordinals given out so far. */
  get size(): number {
    return this.names.size;
  }

  /** Makes room for the item that was named last. */
  extend(): void {
    const size = this.size;
    if (size <= this.counted.length) return;
    this.source_likes = grown(this.source_likes, size);
    this.source_comments = grown(this.source_comments, size);
    this.source_shares = grown(this.source_shares, size);
    this.counted = grown(this.counted, size);
    this.numbers = grown(this.numbers, this.counted.length * RECORD_NUMBERS);
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
  counted_at(item: number): number {
    return this.counted[item];
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

  /** Clears everything the item said of itself and its source's counters. */
  delete(item: number): void {
    this.integers[item * RECORD_INTEGERS + FLAGS] = DELETED;
    this.integers[item * RECORD_INTEGERS + AUTHOR] = NONE + 1;
    this.numbers[item * RECORD_NUMBERS + CREATED_AT] = 0;
    this.numbers[item * RECORD_NUMBERS + CONTENT_SEQ] = 0;
    this.integers[item * RECORD_INTEGERS + TEXT_LENGTH] = 0;
    this.source_likes[item] = 0;
    this.source_comments[item] = 0;
    this.source_shares[item] = 0;
    this.counted[item] = 0;
  }

  /** New counters from the source; NONE keeps a value. The caller recounts the own interactions. */
  setSource(item: number, likes: number, comments: number, shares: number, counted_at: number): void {
    if (likes !== NONE) this.source_likes[item] = likes;
    if (comments !== NONE) this.source_comments[item] = comments;
    if (shares !== NONE) this.source_shares[item] = shares;
    this.counted[item] = counted_at;
  }

  source(item: number): { likes_count: number; comments_count: number; shares_count: number } {
    return {
      likes_count: this.source_likes[item],
      comments_count: this.source_comments[item],
      shares_count: this.source_shares[item],
    };
  }

  /** Shows the source's counters alone: own interactions are counted in again by the caller. */
  resetOwn(item: number): void {
    const record = item * RECORD_NUMBERS;
    this.numbers[record + LIKES] = this.source_likes[item];
    this.numbers[record + COMMENTS] = this.source_comments[item];
    this.numbers[record + SHARES] = this.source_shares[item];
  }

  /** Counts an own interaction in or out; true if that moved a counter: it is later than the source's count. */
  countOwn(item: number, event_type: number, time: number, delta: number): boolean {
    this.integers[item * RECORD_INTEGERS + ACTIVITY]++;
    const counter = COUNTER[event_type];
    if (counter === undefined || time <= this.counted[item]) return false;
    this.numbers[item * RECORD_NUMBERS + counter] += delta;
    return true;
  }
}
