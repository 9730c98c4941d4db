import { type AffinityOptions, NONE, type Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { closenessTo } from './closeness.ts';

const HOUR = 3600;
/** Weights are multiples of it, so sums are exact: the order in which users were followed changes nothing. */
const UNIT = 2 ** -32;
const PER_UNIT = 2 ** 32;

/** Items and the moments at which somebody stood behind them. Used again and again. */
export class Acts {
  items = new Int32Array(1024);
  /** Seconds. */
  times = new Float64Array(1024);
  weights = new Float64Array(1024);
  count = 0;

  reserve(more: number): void {
    this.items = grown(this.items, this.count + more);
    this.times = grown(this.times, this.count + more);
    this.weights = grown(this.weights, this.count + more);
  }
}

/**
 * Adds to `into` what the users followed by the viewer posted and approved of (liked, commented, shared, bookmarked)
 * lately: for each followed user of an item, counted once, and once more for its author when followed,
 * 1 / (1 + age / half-life), times how close the user is when `closest` is asked for.
 * O(follows + users × recent).
 * @param acts for its own use
 */
export function reachByAffinity(
  state: State,
  viewer: Ordinal,
  now: number,
  options: AffinityOptions,
  acts: Acts,
  into: Accumulator,
): void {
  const closeness = options.closest ? closenessTo(state, viewer) : () => 1;
  const users = mostRecentlyActive(state, state.follows.following(viewer), options.users);
  if (readAhead(state, users, options.recent) === 0) return;
  acts.count = 0;
  for (const user of users) {
    if (state.blocks.between(viewer, user)) continue;
    const from = acts.count;
    takePosts(state, user, options.recent, acts);
    takeApproved(state, user, options.recent, acts);
    weigh(acts, from, closeness(user), now, options.half_life_hours * HOUR);
  }
  into.addEach(acts.items, acts.weights, acts.count);
}

/**
 * Reads a little of each user's latest acts, and their posts: most is not in the processor's cache, and in a loop this
 * short it fetches many at once.
 * @returns what was read, in number
 */
function readAhead({ items, interactions, by_author }: State, users: Ordinal[], recent: number): number {
  const log = interactions.by_user;
  let read = 0;
  for (const user of users) {
    const stop = Math.max(log.start(user), log.end(user) - recent);
    if (stop < log.end(user) && (log.other(stop) | log.seconds(stop) | log.event_type(stop)) !== NONE) read++;
    const last = by_author.end(user);
    for (let at = Math.max(by_author.start(user), last - recent); at < last; at++) {
      if (items.created_at(by_author.item(at)) !== NONE) read++;
    }
  }
  return read;
}

/** The user's latest posts, newest first. */
function takePosts({ items, by_author }: State, user: Ordinal, recent: number, acts: Acts): void {
  acts.reserve(Math.min(recent, by_author.length(user)));
  const end = by_author.end(user);
  const stop = Math.max(by_author.start(user), end - recent);
  for (let at = end - 1; at >= stop; at--) {
    const item = by_author.item(at);
    acts.items[acts.count] = item;
    acts.times[acts.count++] = items.created_at(item);
  }
}

/** The items among the user's latest acts that they approved of, each once, at the latest of these acts. */
function takeApproved({ interactions, vocabulary }: State, user: Ordinal, recent: number, acts: Acts): void {
  acts.reserve(Math.min(recent, interactions.by_user.length(user)));
  const { items, times } = acts;
  const from = acts.count;
  const end = from + interactions.by_user.latest(user, recent, vocabulary.approving, items, times, from);
  // A bit for each item so far: most have one of their own, and were not met before.
  let met = 0;
  for (let at = from; at < end; at++) {
    const item = items[at];
    const bit = 1 << item;
    if ((met & bit) !== 0 && isAmong(items, from, acts.count, item)) continue;
    met |= bit;
    times[acts.count] = times[at];
    items[acts.count++] = item;
  }
}

function isAmong(items: Int32Array, start: number, end: number, item: Ordinal): boolean {
  for (let at = start; at < end; at++) if (items[at] === item) return true;
  return false;
}

/** @param half_life seconds */
function weigh(acts: Acts, from: number, closeness: number, now: number, half_life: number): void {
  const { times, weights, count } = acts;
  for (let at = from; at < count; at++) {
    const decayed = closeness / (1 + Math.max(0, now - times[at]) / half_life);
    weights[at] = UNIT * Math.ceil(decayed * PER_UNIT);
  }
}

/** Adds to `into` what followed users did something about that others see (like, comment, share), 1 for each user. */
export function reachBySocialProof(state: State, viewer: Ordinal, into: Accumulator): void {
  const { vocabulary } = state;
  const log = state.interactions.by_user;
  for (const user of state.follows.following(viewer)) {
    if (state.blocks.between(viewer, user)) continue;
    const counted = new Set<Ordinal>();
    for (let at = log.start(user); at < log.end(user); at++) {
      if (log.removed(at) || !vocabulary.isPublic(log.event_type(at)) || counted.has(log.other(at))) continue;
      counted.add(log.other(at));
      into.add(log.other(at), 1);
    }
  }
}

/** At most `limit` of the users, those whose last act or post is the latest; of too many none who never did anything. */
function mostRecentlyActive(state: State, users: Ordinal[], limit: number): Ordinal[] {
  if (users.length <= limit) return users;
  const times = new Float64Array(users.length);
  let active = 0;
  for (const user of users) {
    const time = lastActive(state, user);
    if (time === NONE) continue;
    users[active] = user;
    times[active++] = time;
  }
  if (active <= limit) return users.slice(0, active);
  const { names } = state.users;
  const places = Array.from({ length: active }, (_, place) => place);
  places.sort(
    (one, other) => times[other] - times[one] || (names.id(users[one]) < names.id(users[other]) ? -1 : 1),
  );
  return places.slice(0, limit).map((place) => users[place]);
}

/** NONE for users who never did anything. */
function lastActive(state: State, user: Ordinal): number {
  const log = state.interactions.by_user;
  const act = log.length(user) > 0 ? log.seconds(log.end(user) - 1) : NONE;
  const posts = state.by_author;
  const post = posts.length(user) > 0 ? state.items.created_at(posts.item(posts.end(user) - 1)) : NONE;
  return Math.max(act, post);
}
