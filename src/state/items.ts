import { CountHistory } from '../columns/count-history.ts';
import { grown } from '../columns/growable.ts';
import { consume } from '../consume.ts';
import { COUNTERS, type Counter, type Counts } from '../model/acts.ts';
import { isHidden } from '../model/hiding.ts';
import { NONE } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { ShownPage } from '../model/shown-page.ts';
import { Names } from './names.ts';
import { readableText } from './readable-text.ts';
import type { Setup } from './setup.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How long after an item was shown an act on it counts for the feed that showed it. */
const ATTRIBUTED_SECONDS = 86_400;
const DESCRIBED = 1;
const HIDDEN = 2;
const DELETED = 4;
const REPLY = 8;
/** A label hides it. */
const LABELLED = 16;

/**
 * An item's record: the fields that a request reads of a candidate, in the 64 bytes of one cache line.
 *
 * Ten separate columns would cost ten cache misses per item. Offsets in 8-byte numbers:
 */
const CREATED_AT = 0;
const LIKES = 1;
const COMMENTS = 2;
const SHARES = 3;
const CONTENT_SEQ = 7;
const RECORD_NUMBERS = 8;
/** Offsets in 4-byte integers. The author is stored + 1, so that 0 is NONE. */
const FLAGS = 8;
const AUTHOR = 9;
const ACTIVITY = 10;
const TEXT_LENGTH = 11;
/** The index of the source's counts + 1; 0 while the source has not counted. */
const COUNTED = 12;
/** The time of the last activity that no other field stores, in whole unsigned seconds. */
const LAST_ACTIVE_AT = 13;
const RECORD_INTEGERS = 16;

/** A source's counts, in 8-byte numbers: the counters, then the time of each count. */
const COUNTED_AT = COUNTERS.length;
/** The index of the item's lists of former counts + 1; 0 while no counter has risen. */
const HISTORY = 2 * COUNTERS.length;
const COUNTED_NUMBERS = HISTORY + 1;

/** The place of each counter. Counters lie in this order in the record, from `LIKES` on. */
const PLACE: Readonly<Record<Counter, number>> = {
  likes_count: LIKES - LIKES,
  comments_count: COMMENTS - LIKES,
  shares_count: SHARES - LIKES,
};

/**
 * All items by ordinal: 76 bytes each, and 56 more if the source counts.
 *
 * The shown count is the source's counter plus own interactions after the time of that count (`counted_at`, which each
 * counter has).
 */
export class Items {
  readonly names: Names;
  private numbers = new Float64Array(64 * RECORD_NUMBERS);
  /** The same memory as `numbers`. */
  private integers = new Int32Array(this.numbers.buffer);
  /** Source counts of items with an index (`COUNTED`). Counters are in the order of `COUNTERS`. */
  private counted = new Float64Array(64 * COUNTED_NUMBERS);
  private counted_items = 0;
  private shown = new Uint32Array(64);
  /** The number of the feed that showed it last on a logged page, and when, in whole seconds. 0: never. */
  private last_feed = new Uint32Array(64);
  private last_shown_at = new Uint32Array(64);
  private readonly free_counted: number[] = [];
  /** Earlier source counts: one list per counter, for items with an index (`HISTORY`). */
  readonly former_counts: CountHistory;
  private histories = 0;
  private readonly free_histories: number[] = [];
  /** The place of the counter that each event type moves. NONE for other types. */
  private readonly moved_by: readonly number[];

  constructor(vocabulary: Vocabulary, { hash_key, limits }: Setup) {
    this.names = new Names(hash_key, { count_max: limits.items, bytes_max: limits.item_id_bytes });
    this.former_counts = new CountHistory(limits.former_counts);
    this.moved_by = vocabulary.names.map((_, code) => vocabulary.counterPlace(code));
  }

  get size(): number {
    return this.names.size;
  }

  /** Makes room for the item that was named last. */
  extend(): void {
    if (this.size * RECORD_NUMBERS <= this.numbers.length) return;
    this.numbers = grown(this.numbers, this.size * RECORD_NUMBERS);
    this.integers = new Int32Array(this.numbers.buffer);
    this.shown = grown(this.shown, this.size);
    this.last_feed = grown(this.last_feed, this.size);
    this.last_shown_at = grown(this.last_shown_at, this.size);
  }

  /** How often it was shown on logged pages, each counted as many times as the pages that it stands for. */
  shown_count(item: number): number {
    return this.shown[item];
  }

  /** @param pages the number of pages that the logged page stands for */
  countShown({ items, feed, time }: ShownPage, pages: number): void {
    for (let at = 0; at < items.length; at++) {
      const item = this.names.ordinal(items[at]);
      if (item === NONE) continue;
      this.shown[item] = Math.min(this.shown[item] + pages, 2 ** 32 - 1);
      // A page that is reported late may be older than the last one.
      if (time < this.last_shown_at[item]) continue;
      this.last_feed[item] = feed;
      this.last_shown_at[item] = time;
    }
  }

  /**
   * The number of the feed that showed it last, if that was at most a day before a time. NONE otherwise. Many clients send
   * times in whole seconds, so those of the same second count as later.
   */
  feedShowing(item: number, time: number): number {
    const shown_at = this.last_shown_at[item];
    return shown_at > 0 && time >= Math.floor(shown_at) && time < shown_at + ATTRIBUTED_SECONDS
      ? this.last_feed[item]
      : NONE;
  }

  /** Whether a logged page showed it at most a day before a time, or later. */
  wasShownLately(item: number, time: number): boolean {
    return this.last_shown_at[item] > time - ATTRIBUTED_SECONDS;
  }

  /** Replaces the counts of some items. */
  restoreShown(keys: Uint32Array, counts: Uint32Array): void {
    for (const [at, key] of keys.entries()) {
      const item = this.names.ordinal(key);
      if (item !== NONE) this.shown[item] = counts[at];
    }
  }

  /** Whether it has content and is not deleted. It can be shown unless moderation hides it. */
  described(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & (DESCRIBED | DELETED)) === DESCRIBED;
  }

  deleted(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & DELETED) !== 0;
  }

  /** Whether a moderator, the network or a label removed it from every feed. */
  hidden(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & (HIDDEN | LABELLED)) !== 0;
  }

  /** @param labelled whether a label hides it */
  hideByLabel(item: number, labelled: boolean): void {
    const at = item * RECORD_INTEGERS + FLAGS;
    this.integers[at] = (this.integers[at] & ~LABELLED) | (labelled ? LABELLED : 0);
  }

  is_reply(item: number): boolean {
    return (this.integers[item * RECORD_INTEGERS + FLAGS] & REPLY) !== 0;
  }

  /** Described and not hidden. One test of the flags, for the hot path. */
  visible(item: number): boolean {
    const flags = this.integers[item * RECORD_INTEGERS + FLAGS];
    return (flags & (DESCRIBED | DELETED | HIDDEN | LABELLED)) === DESCRIBED;
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

  /** `seq` of the stored row with the item's content. */
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

  counts(item: number): Counts {
    return {
      likes_count: this.likes_count(item),
      comments_count: this.comments_count(item),
      shares_count: this.shares_count(item),
    };
  }

  counted_at(item: number, counter: Counter): number {
    const at = this.countedAt(item);
    return at === NONE ? 0 : this.counted[at + COUNTED_AT + PLACE[counter]];
  }

  last_counted_at(item: number): number {
    const at = this.countedAt(item);
    if (at === NONE) return 0;
    const { counted } = this;
    return Math.max(counted[at + COUNTED_AT], counted[at + COUNTED_AT + 1], counted[at + COUNTED_AT + 2]);
  }

  has_former_counts(item: number): boolean {
    return this.historyOf(item) !== NONE;
  }

  source(item: number, counter: Counter): number {
    const at = this.countedAt(item);
    return at === NONE ? 0 : this.counted[at + PLACE[counter]];
  }

  /** The counter's list in `former_counts`. NONE if no counter of the item ever rose. */
  former_list(item: number, counter: Counter): number {
    const history = this.historyOf(item);
    return history === NONE ? NONE : history * COUNTERS.length + PLACE[counter];
  }

  last_active_at(item: number): number {
    return this.integers[item * RECORD_INTEGERS + LAST_ACTIVE_AT] >>> 0;
  }

  recordActivity(item: number, time: number): void {
    this.integers[item * RECORD_INTEGERS + LAST_ACTIVE_AT] = Math.max(
      this.last_active_at(item),
      Math.floor(time),
    );
  }

  /** The number of interactions ever recorded or removed on this item. Caches use it as a version. */
  activity(item: number): number {
    return this.integers[item * RECORD_INTEGERS + ACTIVITY];
  }

  describe(item: number, author: number, content: ItemContent, seq: number): void {
    const reply = content.parent_item_id === undefined ? 0 : REPLY;
    const labelled = this.integers[item * RECORD_INTEGERS + FLAGS] & LABELLED;
    this.integers[item * RECORD_INTEGERS + FLAGS] =
      DESCRIBED | (isHidden(content) ? HIDDEN : 0) | reply | labelled;
    this.integers[item * RECORD_INTEGERS + AUTHOR] = author + 1;
    this.numbers[item * RECORD_NUMBERS + CREATED_AT] = content.created_at;
    this.numbers[item * RECORD_NUMBERS + CONTENT_SEQ] = seq;
    const text = readableText(content);
    this.integers[item * RECORD_INTEGERS + TEXT_LENGTH] = text === undefined ? 0 : [...text].length;
  }

  setAuthor(item: number, author: number): void {
    this.integers[item * RECORD_INTEGERS + AUTHOR] = author + 1;
  }

  /**
   * Removes the deletion mark, when a version of an erased author follows. The item stays hidden but keeps later
   * counts.
   */
  revive(item: number): void {
    this.integers[item * RECORD_INTEGERS + FLAGS] &= ~DELETED;
  }

  delete(item: number): void {
    this.integers[item * RECORD_INTEGERS + FLAGS] = DELETED;
    this.integers[item * RECORD_INTEGERS + AUTHOR] = NONE + 1;
    this.numbers[item * RECORD_NUMBERS + CREATED_AT] = 0;
    this.numbers[item * RECORD_NUMBERS + CONTENT_SEQ] = 0;
    this.integers[item * RECORD_INTEGERS + TEXT_LENGTH] = 0;
    this.clearCounted(item);
    this.numbers.fill(0, item * RECORD_NUMBERS + LIKES, item * RECORD_NUMBERS + LIKES + COUNTERS.length);
  }

  reset(item: number): void {
    this.integers.fill(0, item * RECORD_INTEGERS, (item + 1) * RECORD_INTEGERS);
    this.shown[item] = 0;
    this.last_shown_at[item] = 0;
  }

  /** Sets a source counter. `own` is the number of own interactions after `counted_at`. */
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
   * Counts an own interaction in or out. It moves no counter if the source has counted since.
   * @returns whether its type is counted
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

  private countedAt(item: number): number {
    const number = this.integers[item * RECORD_INTEGERS + COUNTED] - 1;
    return number === NONE ? NONE : number * COUNTED_NUMBERS;
  }

  /** Like `countedAt`, but makes room first if needed. */
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

  private historyOf(item: number): number {
    const at = this.countedAt(item);
    return at === NONE ? NONE : this.counted[at + HISTORY] - 1;
  }
}
