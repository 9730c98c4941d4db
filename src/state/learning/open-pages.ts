import { DAY_SECONDS, dayOf } from '../../clock.ts';
import { NONE } from '../../model/key.ts';
import type { ShownPage } from '../../model/shown-page.ts';
import { FEED_TYPES, type FeedType } from '../../plugin/index.ts';
import { WordRing } from './word-ring.ts';

/** Memory for pages without and with signals, in chunks of 256 kB: 16 MB together. */
const PAGE_CHUNKS = 16;
const SIGNAL_CHUNKS = 48;
/** Lists of pages by viewer. A power of two. */
const BUCKETS = 16_384;
/** Further pages of a viewer on a UTC day are not kept. */
const VIEWER_PAGES_MAX = 100;

/** Words of a page. Two words an item follow: its key, and its slot, origin and act. */
const LENGTH = 0;
/** The first 8 bytes of the viewer's hash. Both 0: unknown, or erased. */
const VIEWER = 1;
/** The position + 1 of the next page of the viewer's list; 0: none. */
const OLDER = 3;
/** In whole seconds. */
const TIME = 4;
const FEED = 5;
/** Type of the feed: 4 bits; halvings: 8 bits; the page's number among those of the viewer's day: 8 bits; then flags. */
const ABOUT = 6;
const WINDOW = 7;
/** The position + 1 of the signals; 0: the page is not learnt from, or was. */
const SIGNALS = 8;
const PAGE_WORDS = 9;

const REPORTED = 1 << 20;
const CONTROL = 1 << 21;
const LEARNED = 1 << 22;
const UNORDERED = 1 << 23;

/** Of an item: the slot takes 16 bits, the origin 3. */
const ORIGIN_SHIFT = 16;
const POSITIVE = 1 << 19;
const NEGATIVE = 1 << 20;
/** It counts for the click rate. */
const ACTED = 1 << 21;

/** Words of signals: the length, the position of their page, how many there are; then their keys, then bytes. */
const OF_PAGE = 1;
const KEYS = 2;
const SIGNALS_WORDS = 3;

export type Viewer = readonly [first: number, second: number];
export type ActKind = 'positive' | 'negative' | 'none';

/** A page whose window has passed. Index `at` of each list belongs to one item. */
export interface ClosedPage {
  viewer: number;
  feed_type: FeedType;
  feed: number;
  pages: number;
  /** Its number among the pages of its viewer on its day, from 1 on. */
  nth_of_day: number;
  is_reported: boolean;
  is_control: boolean;
  is_learned: boolean;
  is_unordered: boolean;
  items: Uint32Array;
  slots: Uint16Array;
  /** Indexes of `ORIGINS`. */
  origins: Uint8Array;
  /** 1, 0 or -1. */
  labels: Int8Array;
  keys: Uint32Array;
  /** For each item a byte a key. */
  values: Uint8Array;
}

/** An act on an item of a page that counts, or no longer counts, for the click rate. */
export interface CountedAct {
  sign: 1 | -1;
  /** Of the page, in seconds. */
  time: number;
  pages: number;
}

/**
 * Pages of the last day, to find which of them an act follows; with their signals until they are learnt from. When the
 * memory is full, the oldest go early.
 */
export class OpenPages {
  private readonly pages = new WordRing(PAGE_CHUNKS);
  private readonly signals = new WordRing(SIGNAL_CHUNKS);
  /** The position + 1 of the newest page by bucket. */
  private buckets: Int32Array = new Int32Array(0);

  get size_bytes(): number {
    return this.pages.size_bytes + this.signals.size_bytes;
  }

  get count(): number {
    return this.pages.count;
  }

  /** When `close` or `drop` has work to do, in seconds. Infinity: never. */
  get due_at(): number {
    if (this.pages.count === 0) return Number.POSITIVE_INFINITY;
    const [words, at] = this.page(this.pages.first);
    const dropped_at = (words[at + TIME] >>> 0) + DAY_SECONDS;
    return Math.min(dropped_at, this.closes_at);
  }

  /** When the window of the oldest page that is learnt from has passed. */
  private get closes_at(): number {
    if (this.signals.count === 0) return Number.POSITIVE_INFINITY;
    const [words, at] = this.page(this.pageOfOldestSignals());
    return (words[at + TIME] >>> 0) + words[at + WINDOW];
  }

  /** Whether a page is so long that it is not kept. */
  static isTooLong(page: ShownPage): boolean {
    return Math.max(pageWords(page), signalsWords(page)) > WordRing.LONGEST;
  }

  /** Whether there is room for a page, or the oldest page that is learnt from must be closed, or the oldest one dropped. */
  hasRoom(page: ShownPage): 'yes' | 'close' | 'drop' {
    if (page.learning !== undefined && !this.signals.fits(signalsWords(page))) return 'close';
    return this.pages.fits(pageWords(page)) ? 'yes' : 'drop';
  }

  /** Keeps a page for which there is room. @param viewer hexadecimal digits */
  add(page: ShownPage, viewer: string, halvings: number): void {
    if (this.buckets.length === 0) this.buckets = new Int32Array(BUCKETS);
    const [first, second] = viewerWords(viewer);
    const time = Math.floor(page.time);
    const nth = this.countOfDay(first, second, time) + 1;
    if (nth > VIEWER_PAGES_MAX) return;
    const { items, slots, origins, learning } = page;
    const position = this.pages.add(pageWords(page));
    const [words, at] = this.page(position);
    words[at + VIEWER] = first;
    words[at + VIEWER + 1] = second;
    words[at + OLDER] = this.buckets[bucketOf(second)];
    this.buckets[bucketOf(second)] = position + 1;
    words[at + TIME] = time;
    words[at + FEED] = page.feed;
    words[at + ABOUT] = FEED_TYPES.indexOf(page.feed_type) | (halvings << 4) | (nth << 12) | flagsOf(page);
    for (let index = 0; index < items.length; index++) {
      words[at + PAGE_WORDS + 2 * index] = items[index];
      words[at + PAGE_WORDS + 2 * index + 1] = slots[index] | (origins[index] << ORIGIN_SHIFT);
    }
    if (learning === undefined) return;
    words[at + WINDOW] = learning.window_seconds;
    words[at + SIGNALS] = this.addSignals(page, position) + 1;
  }

  /**
   * Notes that a viewer acted on an item, on the latest page that showed it before.
   * @param kind what stands now of the viewer's acts on the item
   */
  act([first, second]: Viewer, item: number, kind: ActKind, time: number): CountedAct | undefined {
    for (let newer = NONE; ; ) {
      const position = this.next(newer, first, second);
      if (position === NONE) return undefined;
      newer = position;
      const [words, at] = this.page(position);
      const shown_at = words[at + TIME] >>> 0;
      if (time < shown_at || time >= shown_at + DAY_SECONDS) continue;
      const end = at + words[at + LENGTH];
      for (let about = at + PAGE_WORDS; about < end; about += 2) {
        if (words[about] !== (item | 0)) continue;
        if (words[at + SIGNALS] !== 0 && time < shown_at + words[at + WINDOW]) {
          words[about + 1] &= ~(POSITIVE | NEGATIVE);
          if (kind !== 'none') words[about + 1] |= kind === 'positive' ? POSITIVE : NEGATIVE;
        }
        const counts = kind === 'positive';
        if (counts === ((words[about + 1] & ACTED) !== 0)) return undefined;
        words[about + 1] ^= ACTED;
        return { sign: counts ? 1 : -1, time: shown_at, pages: pagesOf(words[at + ABOUT]) };
      }
    }
  }

  /** Ends the window of the oldest page that is learnt from, if it has passed at a time. Undefined if there is none. */
  close(time: number): ClosedPage | undefined {
    const { signals } = this;
    while (signals.count > 0 && time >= this.closes_at) {
      const [words, at] = this.page(this.pageOfOldestSignals());
      const closed = isOfViewer(words, at) ? this.closed(words, at) : undefined;
      words[at + SIGNALS] = 0;
      signals.drop();
      if (closed !== undefined) return closed;
    }
    return undefined;
  }

  private closed(words: Int32Array, at: number): ClosedPage {
    const { signals } = this;
    const [list, from] = [signals.words(signals.first), signals.first & WordRing.MASK];
    const keys_count = list[from + KEYS];
    const count = (words[at + LENGTH] - PAGE_WORDS) / 2;
    const about = words[at + ABOUT];
    const closed: ClosedPage = {
      viewer: words[at + VIEWER + 1],
      feed_type: FEED_TYPES[about & 15],
      feed: words[at + FEED],
      pages: pagesOf(about),
      nth_of_day: (about >>> 12) & 255,
      is_reported: (about & REPORTED) !== 0,
      is_control: (about & CONTROL) !== 0,
      is_learned: (about & LEARNED) !== 0,
      is_unordered: (about & UNORDERED) !== 0,
      items: new Uint32Array(count),
      slots: new Uint16Array(count),
      origins: new Uint8Array(count),
      labels: new Int8Array(count),
      keys: new Uint32Array(list.buffer, 4 * (from + SIGNALS_WORDS), keys_count).slice(),
      values: new Uint8Array(
        list.buffer,
        4 * (from + SIGNALS_WORDS + keys_count),
        keys_count * count,
      ).slice(),
    };
    for (let index = 0; index < count; index++) {
      const act = words[at + PAGE_WORDS + 2 * index + 1];
      closed.items[index] = words[at + PAGE_WORDS + 2 * index];
      closed.slots[index] = act & 0xffff;
      closed.origins[index] = (act >>> ORIGIN_SHIFT) & 7;
      closed.labels[index] = (act & POSITIVE) !== 0 ? 1 : (act & NEGATIVE) !== 0 ? -1 : 0;
    }
    return closed;
  }

  /** Drops the oldest page, if it is a day old at a time and not learnt from any more. @returns whether it was dropped */
  drop(time: number): boolean {
    if (this.pages.count === 0) return false;
    const position = this.pages.first;
    const [words, at] = this.page(position);
    if (words[at + SIGNALS] !== 0 || time < (words[at + TIME] >>> 0) + DAY_SECONDS) return false;
    if (isOfViewer(words, at)) this.unlist(position);
    this.pages.drop();
    return true;
  }

  /** Removes a viewer from all pages. Their items stay counted. */
  forget(viewer: string): void {
    const [first, second] = viewerWords(viewer);
    for (let position = this.next(NONE, first, second); position !== NONE; ) {
      this.unlist(position);
      const [words, at] = this.page(position);
      const [length, time, signals] = [words[at + LENGTH], words[at + TIME], words[at + SIGNALS]];
      words.fill(0, at, at + length);
      words[at + LENGTH] = length;
      words[at + TIME] = time;
      words[at + SIGNALS] = signals;
      position = this.next(NONE, first, second);
    }
  }

  /** The words of a page, and where it begins in them. */
  private page(position: number): [Int32Array, number] {
    return [this.pages.words(position), position & WordRing.MASK];
  }

  private pageOfOldestSignals(): number {
    const { signals } = this;
    return signals.words(signals.first)[(signals.first & WordRing.MASK) + OF_PAGE];
  }

  /** The next older page of a viewer. NONE if there is none. @param newer NONE: the newest one */
  private next(newer: number, first: number, second: number): number {
    let position = this.older(newer, second);
    while (position !== NONE) {
      const [words, at] = this.page(position);
      if (words[at + VIEWER] === first && words[at + VIEWER + 1] === second) return position;
      position = words[at + OLDER] - 1;
    }
    return NONE;
  }

  /** The next page of a list. */
  private older(newer: number, second: number): number {
    if (newer === NONE) return this.buckets.length === 0 ? NONE : this.buckets[bucketOf(second)] - 1;
    const [words, at] = this.page(newer);
    return words[at + OLDER] - 1;
  }

  private unlist(position: number): void {
    const [words, at] = this.page(position);
    const second = words[at + VIEWER + 1];
    let newer = NONE;
    for (let each = this.older(NONE, second); each !== position; each = this.older(each, second))
      newer = each;
    if (newer === NONE) this.buckets[bucketOf(second)] = words[at + OLDER];
    else {
      const [before, before_at] = this.page(newer);
      before[before_at + OLDER] = words[at + OLDER];
    }
  }

  /** How many pages of the viewer of the same UTC day are known. Reports may name pages of the day before in between. */
  private countOfDay(first: number, second: number, time: number): number {
    let position = this.next(NONE, first, second);
    for (; position !== NONE; position = this.next(position, first, second)) {
      const [words, at] = this.page(position);
      if (dayOf(words[at + TIME] >>> 0) === dayOf(time)) return (words[at + ABOUT] >>> 12) & 255;
    }
    return 0;
  }

  /** @returns the position of the signals */
  private addSignals(page: ShownPage, of_page: number): number {
    const position = this.signals.add(signalsWords(page));
    const [words, at] = [this.signals.words(position), position & WordRing.MASK];
    words[at + OF_PAGE] = of_page;
    words[at + KEYS] = page.signals.length;
    words.set(page.signals, at + SIGNALS_WORDS);
    const start = 4 * (at + SIGNALS_WORDS + page.signals.length);
    new Uint8Array(words.buffer).set(page.signal_values, start);
    return position;
  }
}

function pageWords({ items }: ShownPage): number {
  return PAGE_WORDS + 2 * items.length;
}

function signalsWords({ signals, signal_values }: ShownPage): number {
  return SIGNALS_WORDS + signals.length + Math.ceil(signal_values.length / 4);
}

function flagsOf({ learning }: ShownPage): number {
  if (learning === undefined) return 0;
  const { is_reported, is_control, is_learned, is_unordered } = learning;
  const about_order = (is_learned ? LEARNED : 0) | (is_unordered ? UNORDERED : 0);
  return (is_reported ? REPORTED : 0) | (is_control ? CONTROL : 0) | about_order;
}

function pagesOf(about: number): number {
  return 2 ** ((about >>> 4) & 255);
}

function isOfViewer(words: Int32Array, at: number): boolean {
  return words[at + VIEWER] !== 0 || words[at + VIEWER + 1] !== 0;
}

function bucketOf(second: number): number {
  return second & (BUCKETS - 1);
}

/** The first 8 bytes of a viewer's hash, as integers. @param viewer hexadecimal digits */
export function viewerWords(viewer: string): Viewer {
  return [Number.parseInt(viewer.slice(0, 8), 16) | 0, Number.parseInt(viewer.slice(8, 16), 16) | 0];
}
