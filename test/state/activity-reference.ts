import { expect } from 'bun:test';
import { COUNTERS, type Counter } from '../../src/model/acts.ts';
import { NONE } from '../../src/model/key.ts';
import { Activity, BEFORE_CREATION_MAX, PRIOR_AGE, WINDOWS } from '../../src/state/activity.ts';
import type { State } from '../../src/state/state.ts';
import { CONTENT } from '../../src/state/vocabulary.ts';
import { HOUR, itemOf, type Scene } from '../support/scene.ts';

/** Computes activity by its definition, act by act and rise by rise. */

export const LONGEST = WINDOWS[WINDOWS.length - 1];

interface Act {
  user: number;
  counter: Counter;
  time: number;
}

/** The current counted acts, and the source's counts of each counter, oldest first. */
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

/** The counters that define the rate. */
function paced(state: State, item: number): readonly Counter[] {
  const source = (counter: Counter) => state.items.source(item, counter);
  const approved = source('likes_count') + source('shares_count') > 0;
  return approved ? ['likes_count', 'shares_count'] : COUNTERS;
}

/** The rise of a counter beyond own acts in (after, until], each rise spread evenly over its time. */
function risen(state: State, item: number, counter: Counter, after: number, until: number): number {
  const { acts, counts } = history(state, item);
  let sum = 0;
  for (const [index, [time, count]] of counts[counter].entries()) {
    if (index === 0) continue;
    const [former_time, former] = counts[counter][index - 1];
    const own = acts.filter(
      (act) => act.counter === counter && act.time > former_time && act.time <= time,
    ).length;
    const overlap = Math.min(time, until) - Math.max(former_time, after);
    if (overlap > 0) sum += (Math.max(0, count - former - own) * overlap) / (time - former_time);
  }
  return sum;
}

function allRisen(state: State, item: number, after: number, until: number): number {
  return paced(state, item).reduce((sum, counter) => sum + risen(state, item, counter, after, until), 0);
}

/** The number of users who acted in (after, until]. */
function usersWithin(state: State, item: number, after: number, until: number): number {
  const acts = history(state, item).acts.filter(({ counter }) => paced(state, item).includes(counter));
  return new Set(acts.filter(({ time }) => time > after && time <= until).map(({ user }) => user)).size;
}

export function naiveGained(state: State, item: number, after: number, until: number): number {
  return usersWithin(state, item, after, until) + allRisen(state, item, after, until);
}

/** The source's lifetime rate beyond own acts, per second: (n + 1) / (age + 2 h). */
function lifetimePace(state: State, item: number, age: number): number {
  const { acts } = history(state, item);
  const beyond = paced(state, item).map((counter) => {
    const counted_at = state.items.counted_at(item, counter);
    const own = acts.filter((act) => act.counter === counter && act.time <= counted_at).length;
    return Math.max(0, state.items.source(item, counter) - own);
  });
  const sum = beyond.reduce((all, one) => all + one, 0);
  return sum > 0 ? (sum + 1) / (age + PRIOR_AGE) : 0;
}

export function naive(state: State, item: number, now: number) {
  const { items } = state;
  const { acts, counts, first_entry } = history(state, item);
  const all_counts = Object.values(counts).flat();
  const first_count_at = Math.min(now, ...all_counts.map(([time]) => time));
  const first_count =
    first_count_at < items.created_at(item) - BEFORE_CREATION_MAX ? items.created_at(item) : first_count_at;
  const last_count = Math.max(0, ...all_counts.map(([time]) => time));
  const counted_at = Math.min(now, last_count);
  const last_act = Math.max(0, ...acts.map(({ time }) => time).filter((time) => time <= now));
  const holds = last_count > 0 && now - last_count < LONGEST;
  const watched_from = Math.min(first_entry, last_count > 0 ? first_count : items.created_at(item));
  const watched = last_act > 0 || !holds ? Math.max(0, now - watched_from) : 0;
  const age = Math.max(0, now - Math.min(items.created_at(item), first_entry, first_count));
  const windows = WINDOWS.map((window) => {
    const counted = holds ? Math.min(window, Math.max(0, counted_at - first_count)) : 0;
    const by_acts = Math.min(window, watched);
    const users = usersWithin(state, item, now - window, now);
    const rises = holds ? allRisen(state, item, counted_at - window, counted_at) : 0;
    if (counted > window / 2)
      return { observed: counted, within: rises + (users > 0 ? (users * counted) / by_acts : 0) };
    if (by_acts > window / 2) {
      const goes_on = holds ? lifetimePace(state, item, age) * by_acts : 0;
      return { observed: by_acts, within: users + goes_on };
    }
    return { observed: 0, within: users + rises };
  });
  const lately = acts.filter(({ time }) => time > now - LONGEST && time <= now);
  const pacing = lately.filter(({ counter }) => paced(state, item).includes(counter));
  const talk = acts.filter(({ counter }) => counter === 'comments_count');
  return {
    last_at: Math.max(last_count, last_act),
    age,
    observed: windows.map(({ observed }) => observed),
    within: windows.map(({ within }) => within),
    total: Math.max(
      0,
      paced(state, item).reduce((sum, counter) => sum + items[counter](item), 0) -
        (last_act > 0 ? pacing.length - new Set(pacing.map(({ user }) => user)).size : 0),
    ),
    comments: items.comments_count(item),
    comments_within_hour:
      talk.filter(({ time }) => time > now - HOUR && time <= now).length +
      (holds ? risen(state, item, 'comments_count', counted_at - HOUR, counted_at) : 0),
  };
}

export function measured(state: State, item: number, now: number, activity = new Activity(state)) {
  activity.measure(item, now);
  const { last_at, age, within, observed, total, comments, comments_within_hour } = activity;
  return {
    last_at,
    age,
    within: [...within],
    observed: [...observed],
    total,
    comments,
    comments_within_hour,
  };
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
