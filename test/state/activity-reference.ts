import { expect } from 'bun:test';
import { Activity, BEFORE_CREATION_MAX, WINDOWS } from '../../src/state/activity.ts';
import { COUNTERS, type Counter, NONE } from '../../src/state/change.ts';
import type { State } from '../../src/state/state.ts';
import { CONTENT } from '../../src/state/vocabulary.ts';
import { HOUR, itemOf, type Scene } from '../support/scene.ts';

/** Activity by its definition, act by act and rise by rise. */

export const LONGEST = WINDOWS[WINDOWS.length - 1];

interface Act {
  user: number;
  counter: Counter;
  time: number;
}

/** What stands of the kinds that count, and what the source counted of each counter, oldest first. */
function history(state: State, item: number) {
  const log = state.interactions.by_item;
  const acts: Act[] = [];
  for (let at = log.start(item); at < log.end(item); at++) {
    const counter = CONTENT.counter(log.event_type(at));
    if (counter !== undefined) acts.push({ user: log.other(at), counter, time: log.timestamp(at) });
  }
  let first_entry = Number.POSITIVE_INFINITY;
  for (let at = log.end(item) - 1; at >= log.start(item); at--) {
    if (log.timestamp(at) > state.items.created_at(item) - BEFORE_CREATION_MAX)
      first_entry = log.timestamp(at);
  }
  const counts = Object.fromEntries(
    COUNTERS.map((counter) => [counter, countsOf(state, item, counter)]),
  ) as Record<Counter, [time: number, count: number][]>;
  return { acts, counts, first_entry };
}

function countsOf({ items }: State, item: number, counter: Counter): [time: number, count: number][] {
  const counts: [number, number][] = [];
  const list = items.former_list(item, counter);
  const former = items.former_counts;
  if (list !== NONE) {
    for (let at = former.start(list); at < former.end(list); at++)
      counts.push([former.time(at), former.count(at)]);
  }
  const counted_at = items.counted_at(item, counter);
  if (counted_at > 0) counts.push([counted_at, items.source(item, counter)]);
  return counts;
}

/** The counters whose rises count. */
function paced(state: State, item: number): readonly Counter[] {
  const approved = state.items.likes_count(item) + state.items.shares_count(item) > 0;
  return state.items.last_counted_at(item) > 0 && approved ? ['likes_count', 'shares_count'] : COUNTERS;
}

/**
 * What a counter rose beyond own acts in (after, until], each rise spread evenly over its time, one of the item's last
 * count at its pace also over what came after.
 */
function risen(
  state: State,
  item: number,
  counter: Counter,
  after: number,
  until: number,
  goes_on = false,
): number {
  const { acts, counts } = history(state, item);
  let sum = 0;
  for (const [index, [time, count]] of counts[counter].entries()) {
    if (index === 0) continue;
    const [former_time, former] = counts[counter][index - 1];
    const last = time === state.items.last_counted_at(item);
    const own = acts.filter(
      (act) => act.counter === counter && act.time > former_time && act.time <= time,
    ).length;
    const overlap = Math.min(last && goes_on ? until : time, until) - Math.max(former_time, after);
    if (overlap > 0) sum += (Math.max(0, count - former - own) * overlap) / (time - former_time);
  }
  return sum;
}

export function naiveWithin(
  state: State,
  item: number,
  after: number,
  until: number,
  goes_on = false,
): number {
  const pacing = history(state, item).acts.filter(({ counter }) => paced(state, item).includes(counter));
  const acts = pacing.filter(({ time }) => time > after && time <= until);
  const rises = paced(state, item).map((counter) => risen(state, item, counter, after, until, goes_on));
  return new Set(acts.map(({ user }) => user)).size + rises.reduce((sum, rise) => sum + rise, 0);
}

export function naive(state: State, item: number, now: number) {
  const { items } = state;
  const { acts, counts, first_entry } = history(state, item);
  const told = Object.values(counts).flat();
  const first_told = Math.min(now, ...told.map(([time]) => time));
  const first_count =
    first_told < items.created_at(item) - BEFORE_CREATION_MAX ? items.created_at(item) : first_told;
  const counted_at = Math.max(0, ...told.map(([time]) => time));
  const last_act = Math.max(0, ...acts.map(({ time }) => time).filter((time) => time <= now));
  const end = counted_at > 0 && last_act <= counted_at ? Math.min(now, counted_at) : now;
  const watched_from = Math.min(first_entry, counted_at > 0 ? first_count : items.created_at(item));
  const goes_on = counted_at > 0 && end > counted_at && end - counted_at < LONGEST;
  const lately = acts.filter(({ time }) => time > end - LONGEST && time <= end);
  const pacing = lately.filter(({ counter }) => paced(state, item).includes(counter));
  const talk = acts.filter(({ counter }) => counter === 'comments_count');
  return {
    end,
    last_at: Math.max(counted_at, last_act),
    span: Math.max(0, end - watched_from),
    age: Math.max(0, now - Math.min(items.created_at(item), first_entry, first_count)),
    within: WINDOWS.map((window) => naiveWithin(state, item, end - window, end, goes_on)),
    total: Math.max(
      0,
      paced(state, item).reduce((sum, counter) => sum + items[counter](item), 0) -
        (last_act > 0 ? pacing.length - new Set(pacing.map(({ user }) => user)).size : 0),
    ),
    comments: items.comments_count(item),
    comments_within_hour:
      talk.filter(({ time }) => time > end - HOUR && time <= end).length +
      risen(state, item, 'comments_count', end - HOUR, end, goes_on),
  };
}

export function measured(state: State, item: number, now: number, activity = new Activity(state)) {
  activity.measure(item, now);
  const { end, last_at, span, age, within, total, comments, comments_within_hour } = activity;
  return { end, last_at, span, age, within: [...within], total, comments, comments_within_hour };
}

export function expectAlike(found: object, expected: object): void {
  for (const [name, value] of Object.entries(expected)) {
    const other = Object.entries(found).find(([key]) => key === name)?.[1];
    const pairs = [value].flat().map((number: number, index: number) => [number, [other].flat()[index]]);
    for (const [wanted, got] of pairs) expect([name, got]).toEqual([name, expect.closeTo(wanted, 6)]);
  }
}

/** `window` seconds of `WINDOWS`, by minutes. */
export function within(scene: Scene, id: string, minutes: number): number {
  return measured(scene.state, itemOf(scene, id), scene.now).within[WINDOWS.indexOf(minutes * 60)];
}
