import { dayOf } from '../clock.ts';
import { LIMITS } from '../limits.ts';

/** Above every number of a feed. */
const FEEDS = 2 ** 32;
/** Numbers per entry of `FeedDays.numbers`. */
const ENTRY_NUMBERS = 5;

/** What a feed did on a UTC day. */
export interface FeedDay {
  /** Pages that were shown to viewers, each counted as many times as the pages that it stands for. */
  pages: number;
  /** Items on these pages. */
  shown: number;
  /** Approving acts on items that the feed was the last to show, within a day after that. */
  acts: number;
}

export interface DatedFeedDay extends FeedDay {
  /** In whole days since the epoch, UTC. */
  day: number;
  /** The number of the saved feed. 0: pages of no saved feed, and of feeds beyond the limit of a day. */
  feed: number;
}

/** Pages, shown items and acts of the last days by feed. Days are those in which changes were applied. */
export class FeedDays {
  /** By `day * FEEDS + feed`, oldest first, because time never goes back in changes. */
  private readonly entries = new Map<number, FeedDay>();
  private day = 0;
  private feeds_of_day = 0;
  /** Whether anything was counted since the counts were stored. */
  is_unsaved = false;

  /** Whether nothing was shown for longer than shown pages are kept. */
  get is_empty(): boolean {
    return this.entries.size === 0;
  }

  countPage(applied_at: number, feed: number, pages: number, items: number): void {
    const entry = this.entry(dayOf(applied_at), feed);
    entry.pages += pages;
    entry.shown += pages * items;
  }

  countAct(applied_at: number, feed: number): void {
    this.entry(dayOf(applied_at), feed).acts++;
  }

  /** Entries of the last days up to a time, oldest first. */
  *until(time: number): Generator<DatedFeedDay> {
    const first = dayOf(time) - LIMITS.feed_days_kept + 1;
    for (const [key, counts] of this.entries) {
      const day = Math.floor(key / FEEDS);
      if (day >= first) yield { day, feed: key % FEEDS, ...counts };
    }
  }

  /** All counts, to store. */
  numbers(): Float64Array {
    const all = [...this.entries].flatMap(([key, { pages, shown, acts }]) => [
      Math.floor(key / FEEDS),
      key % FEEDS,
      pages,
      shown,
      acts,
    ]);
    return Float64Array.from(all);
  }

  /** Replaces all counts. */
  restore(numbers: Float64Array): void {
    this.entries.clear();
    this.day = 0;
    for (let at = 0; at < numbers.length; at += ENTRY_NUMBERS) {
      const [day, feed, pages, shown, acts] = numbers.subarray(at, at + ENTRY_NUMBERS);
      Object.assign(this.entry(day, feed), { pages, shown, acts });
    }
    this.is_unsaved = false;
  }

  private entry(day: number, feed: number): FeedDay {
    this.is_unsaved = true;
    if (day !== this.day) this.begin(day);
    const key = day * FEEDS + feed;
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    if (feed !== 0 && this.feeds_of_day >= LIMITS.feeds_counted_of_day) return this.entry(day, 0);
    if (feed !== 0) this.feeds_of_day++;
    const entry = { pages: 0, shown: 0, acts: 0 };
    this.entries.set(key, entry);
    return entry;
  }

  private begin(day: number): void {
    this.day = day;
    this.feeds_of_day = 0;
    const first = (day - LIMITS.feed_days_kept + 1) * FEEDS;
    for (const key of this.entries.keys()) {
      if (key >= first) return;
      this.entries.delete(key);
    }
  }
}
