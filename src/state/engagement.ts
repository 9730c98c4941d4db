import { COUNTERS, type Counter, NONE } from './change.ts';
import type { Repeats } from './repeats.ts';
import type { State } from './state.ts';

/** Of so many users an item's repeated acts are looked for: with more, no one of them is what makes it popular. */
const REPEATERS = 256;

/**
 * When an item was engaged with. A counter's course is what was shown of it: the source's last count until
 * then, and own acts since that count. Three things about it were learnt later, and are put right:
 *
 * - What the first count holds beyond the own acts until then came with the item, at `created_at`.
 * - An own act that a later count includes counts once, when it happened; of the rise only the rest counts,
 *   when the source counted it.
 * - What a source took back never was: a course never was above a later count.
 *
 * So courses never fall, windows add up, and the window of all time is the count shown.
 */

/** Likes, comments and shares later than `since` (seconds). Cost as of `countSince`, once for each. */
export function engagementSince(state: State, item: number, since: number): number {
  const { items, interactions, vocabulary } = state;
  // Mostly one look at the item's acts will do: nothing was counted since, or ever.
  const counted_at = items.last_counted_at(item);
  if (counted_at === 0 || (since >= counted_at && since >= items.created_at(item))) {
    return interactions.by_item.count(item, vocabulary.counted_by_any, since);
  }
  let engagement = 0;
  for (const counter of COUNTERS) engagement += countSince(state, item, counter, since);
  return engagement;
}

/**
 * Of what is counted later than `since`, the acts that somebody followed by another one, as far as they are known:
 * whom a source counted is not. Once `REPEATERS` users have been met the rest of their acts is as good as theirs
 * alone. O(the item's acts later than `since` of so many users).
 * @param repeats of one set: the kinds that counters count
 */
export function repeatedSince(state: State, repeats: Repeats, item: number, since: number): number {
  const { items, users, interactions, vocabulary } = state;
  const log = interactions.by_item;
  const after = Math.max(since, items.last_counted_at(item));
  repeats.begin(users.size);
  let repeated = 0;
  let met = 0;
  for (let at = log.end(item) - 1; at >= log.start(item) && met < REPEATERS; at--) {
    if (log.timestamp(at) <= after) break;
    if (log.removed(at)) continue;
    const event_type = log.event_type(at);
    if (repeats.again(log.other(at), event_type)) repeated++;
    else if (vocabulary.isPublic(event_type)) met++;
  }
  return repeated;
}

/**
 * How much a counter rose after `since` (seconds): the count shown less its course at `since`. O(log counts),
 * and O(the item's acts later than `since`, or than the source's last count before it). Acts before that are
 * looked at only when the source's first count is later than `since`. Exact for the last 31 days before that
 * counter's last count.
 */
export function countSince(state: State, item: number, counter: Counter, since: number): number {
  const { items } = state;
  if (since >= items.counted_at(item, counter)) {
    const own = ownActs(state, item, counter, since);
    return own + (since < items.created_at(item) ? broughtAlong(state, item, counter) : 0);
  }
  return items[counter](item) - courseAt(state, item, counter, since);
}

/** The course of a counter at a moment before the source's last count. */
function courseAt(state: State, item: number, counter: Counter, time: number): number {
  const { items } = state;
  const first = firstCount(state, item, counter);
  const created = time >= items.created_at(item);
  if (time < first.time) {
    const earlier = Math.min(first.count, ownActs(state, item, counter, Number.NEGATIVE_INFINITY, time));
    return created
      ? Math.max(earlier, first.count - ownActs(state, item, counter, time, first.time))
      : earlier;
  }
  const list = items.former_list(item, counter);
  const counts = items.former_counts;
  const next = counts.firstAfter(list, time);
  const own = ownActs(state, item, counter, counts.time(next - 1), time);
  const next_count = next < counts.end(list) ? counts.count(next) : items.source(item, counter);
  const course = Math.min(counts.count(next - 1) + own, next_count);
  return created ? course : course - broughtAlong(state, item, counter);
}

/** What the first count holds beyond the own acts until then. */
function broughtAlong(state: State, item: number, counter: Counter): number {
  const first = firstCount(state, item, counter);
  return Math.max(0, first.count - ownActs(state, item, counter, Number.NEGATIVE_INFINITY, first.time));
}

/** Of a counter that its source never counted: 0 at time 0. */
function firstCount({ items }: State, item: number, counter: Counter): { count: number; time: number } {
  const list = items.former_list(item, counter);
  const counts = items.former_counts;
  if (list === NONE || counts.start(list) === counts.end(list)) {
    return { count: items.source(item, counter), time: items.counted_at(item, counter) };
  }
  return { count: counts.count(counts.start(list)), time: counts.time(counts.start(list)) };
}

/** Own acts that a counter counts, later than `after` and not later than `until`. */
function ownActs(state: State, item: number, counter: Counter, after: number, until?: number): number {
  return state.interactions.by_item.count(item, state.vocabulary.counted[counter], after, until);
}
