import { COUNTERS, type Counter } from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import type { Repeats } from './repeats.ts';
import type { State } from './state.ts';

/** Repeated acts are searched among this many users. With more users, none of them decides how popular an item is. */
const REPEATERS = 256;

/**
 * Computes when an item was engaged with.
 *
 * The course of a counter is what was shown over time: the source's last count plus own acts since that count. It is
 * corrected by what was learned later:
 *
 * - The part of the first count that earlier own acts do not explain came with the item, at `created_at`.
 * - An own act that a later count includes counts once, at its own time. Only the rest of the rise counts at the time
 *   of that count.
 * - A count that a source lowered later never applied: a course is never above a later count.
 *
 * So courses never fall, windows add up, and the window of all time equals the shown count.
 */

/** Likes, comments and shares after `since` (seconds). Costs as much as one `countSince` per counter. */
export function engagementSince(state: State, item: number, since: number): number {
  const { items, interactions, vocabulary } = state;
  // Usually the source has not counted since, so one pass over the item's acts suffices.
  const counted_at = items.last_counted_at(item);
  if (counted_at === 0 || (since >= counted_at && since >= items.created_at(item))) {
    return interactions.by_item.count(item, vocabulary.counted_by_any, since);
  }
  let engagement = 0;
  for (const counter of COUNTERS) engagement += countSince(state, item, counter, since);
  return engagement;
}

/**
 * Counted acts after `since` that the same user followed by another one.
 *
 * Users behind source counts are unknown and not included. The search stops after `REPEATERS` users, as
 * no single user matters among so many. O(acts after `since` of that many users).
 * @param repeats one set: the types that counters count
 */
export function repeatedSince(state: State, repeats: Repeats, item: number, since: number): number {
  const { items, users, interactions, vocabulary } = state;
  const log = interactions.by_item;
  const after = Math.max(since, items.last_counted_at(item));
  repeats.begin(users.size);
  let repeated = 0;
  let users_found = 0;
  for (let at = log.end(item) - 1; at >= log.start(item) && users_found < REPEATERS; at--) {
    if (log.timestamp(at) <= after) break;
    if (log.removed(at)) continue;
    const event_type = log.event_type(at);
    if (repeats.again(log.other(at), event_type)) repeated++;
    else if (vocabulary.isPublic(event_type)) users_found++;
  }
  return repeated;
}

/**
 * The rise of a counter after `since` (seconds): the shown count minus its course at `since`.
 *
 * O(log counts), plus O(the item's acts after `since` or after the source's last count before it). Earlier acts are
 * read only if the source's first count is later than `since`. Exact for the 31 days before the counter's last count.
 */
export function countSince(state: State, item: number, counter: Counter, since: number): number {
  const { items } = state;
  if (since >= items.counted_at(item, counter)) {
    const own = ownActs(state, item, counter, since);
    return own + (since < items.created_at(item) ? countAtCreation(state, item, counter) : 0);
  }
  return items[counter](item) - courseAt(state, item, counter, since);
}

/** The course of a counter at a time before the source's last count. */
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
  return created ? course : course - countAtCreation(state, item, counter);
}

/** The part of the first count that own acts until then do not explain. */
function countAtCreation(state: State, item: number, counter: Counter): number {
  const first = firstCount(state, item, counter);
  return Math.max(0, first.count - ownActs(state, item, counter, Number.NEGATIVE_INFINITY, first.time));
}

/** The source's first count. 0 at time 0 if it never counted this counter. */
function firstCount({ items }: State, item: number, counter: Counter): { count: number; time: number } {
  const list = items.former_list(item, counter);
  const counts = items.former_counts;
  if (list === NONE || counts.start(list) === counts.end(list)) {
    return { count: items.source(item, counter), time: items.counted_at(item, counter) };
  }
  return { count: counts.count(counts.start(list)), time: counts.time(counts.start(list)) };
}

function ownActs(state: State, item: number, counter: Counter, after: number, until?: number): number {
  return state.interactions.by_item.count(item, state.vocabulary.counted[counter], after, until);
}
