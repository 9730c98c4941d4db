import { DAY_SECONDS, dayOf, type Seconds } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { bytesOf, dayRun, type SeenHead, type SeenPage, type SeenReply, type SeenRun } from './head.ts';

/** Pages stay as they were until their day (UTC) ended so long ago. */
const PAGES_SECONDS = 48 * 3_600;
/** Pages above this size are folded earlier: it bounds what one viewer's next page costs. */
const PAGES_BYTES_MAX = 8_192;
/** A larger head moves its oldest runs into a part. */
const HEAD_BYTES_MAX = 2_048;
/** A part has at least as many items as the longest run, and at most twice as many. */
const RUN_ITEMS_MAX = 500;
/** The bytes of replies. The latest always stays. */
const REPLIES_BYTES_MAX = 16_384;
/** Parts of a viewer. The next one replaces the oldest. They have room for the latest items that count. */
export const PARTS_MAX = LIMITS.seen_items_max / RUN_ITEMS_MAX;

/** What a write adds to a head. Pages without items are left out; a reply may be alone. */
export interface Recorded {
  pages?: readonly SeenPage[];
  reply?: SeenReply;
}

export interface NextHead {
  head: SeenHead;
  /** Runs that left the head, for each new part, in order. */
  parts: SeenRun[][];
  /** Whether the runs of the former head are all there, before those that were added. */
  is_appended: boolean;
}

/**
 * The head after a write: with what is recorded, folded, and without what is too old.
 * @param now the time of the write
 * @param days_kept `FEEDLOOM_SEEN_DAYS`; undefined: for ever
 */
export function nextHead(
  head: SeenHead,
  { pages: added = [], reply }: Recorded,
  now: Seconds,
  days_kept?: number,
): NextHead {
  const since = keptSince(now, days_kept);
  const all_pages = [...head.pages, ...added.filter(({ keys }) => keys.length > 0)];
  const folded_count = foldable(all_pages, now);
  const pages = all_pages.slice(folded_count);
  const folded = folded_count === 0 ? [] : runsOf(all_pages.slice(0, folded_count), pages);
  const days = [...head.days, ...folded].filter(({ time }) => time >= since);
  const parts: SeenRun[][] = [];
  while (bytesOf(days) + bytesOf(pages) > HEAD_BYTES_MAX && itemsOf(days) >= RUN_ITEMS_MAX)
    parts.push(days.splice(0, partLength(days)));
  const replies = keptReplies(reply === undefined ? head.replies : [...head.replies, reply], now);
  const is_appended = folded_count === 0 && days.length === head.days.length;
  return { head: { ...head, moved: head.moved + parts.length, days, pages, replies }, parts, is_appended };
}

/** From when on something is kept. @param days undefined: for ever */
export function keptSince(now: Seconds, days = Number.POSITIVE_INFINITY): Seconds {
  return now - days * DAY_SECONDS;
}

/** The number of the part that is moved out of a head as the `index`-th, from 0. */
export function partOf(index: number): number {
  return 1 + (index % PARTS_MAX);
}

/** When a part was moved out of a head that has moved `moved` parts: the inverse of `partOf`. */
export function indexOfPart(part: number, moved: number): number {
  const latest = moved - 1;
  return latest - ((latest - (part - 1)) % PARTS_MAX);
}

/** How many of the first pages are folded. They are folded in order, so a page waits for those before it. */
function foldable(pages: readonly SeenPage[], now: Seconds): number {
  let bytes = bytesOf(pages);
  let count = 0;
  for (const { time, bytes: stored } of pages) {
    const day_end = (dayOf(time) + 1) * DAY_SECONDS;
    if (day_end + PAGES_SECONDS > now && bytes <= PAGES_BYTES_MAX) break;
    bytes -= stored.length;
    count++;
  }
  return count;
}

/**
 * Folds pages into runs, one a day unless it has more than `RUN_ITEMS_MAX` items.
 * @param later pages. An item that was shown again, there or in these pages, stays only at its last place
 */
function runsOf(pages: readonly SeenPage[], later: readonly SeenPage[]): SeenRun[] {
  const seen = new Set(later.flatMap(({ keys }) => [...keys]));
  const runs: SeenRun[] = [];
  for (let end = pages.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && dayOf(pages[start - 1].time) === dayOf(pages[start].time)) start--;
    const of_day = pages.slice(start, end);
    // Rounded down, so that it is of the same day.
    const time = Math.floor(Math.max(...of_day.map((page) => page.time)));
    const keys = lastPlaces(of_day, seen);
    for (let to = keys.length; to > 0; to -= RUN_ITEMS_MAX)
      runs.push(dayRun(time, keys.slice(Math.max(0, to - RUN_ITEMS_MAX), to)));
    end = start;
  }
  return runs.reverse();
}

/** The keys of pages that are not in `seen`, each at its last place. Adds them to `seen`. */
function lastPlaces(pages: readonly SeenPage[], seen: Set<number>): Uint32Array {
  const kept: number[] = [];
  for (const { keys } of pages.toReversed())
    for (const key of keys.toReversed()) {
      if (seen.has(key)) continue;
      seen.add(key);
      kept.push(key);
    }
  return Uint32Array.from(kept.reverse());
}

const itemsOf = (runs: readonly SeenRun[]): number =>
  runs.reduce((items, { keys }) => items + keys.length, 0);

/** How many of the first runs are one part. */
function partLength(runs: readonly SeenRun[]): number {
  let items = 0;
  let count = 0;
  while (count < runs.length && items + runs[count].keys.length <= 2 * RUN_ITEMS_MAX)
    items += runs[count++].keys.length;
  return count;
}

function keptReplies(replies: readonly SeenReply[], now: Seconds): SeenReply[] {
  const recent = replies.filter(({ time }) => time > now - LIMITS.cached_answer_seconds);
  let bytes = bytesOf(recent);
  while (recent.length > 1 && bytes > REPLIES_BYTES_MAX) bytes -= recent.shift()!.bytes.length;
  return recent;
}
