import { LIMITS } from '../limits.ts';
import { type AffinityOptions, NONE, type Ordinal } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { closenessTo } from './closeness.ts';
import type { TellingActs } from './telling-acts.ts';

const HOUR = 3600;
/** Of a user's acts and of their posts so many are read at most for each that is to count. */
const READ_PER_COUNTED = 8;
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

/** What it works with, one request after another. */
interface AffinityScratch {
  acts: Acts;
  telling_acts: TellingActs;
}

/**
 * Adds to `into` what the users followed by the viewer posted and approved of (liked, commented, shared, bookmarked)
 * lately: for each followed user of an item, counted once, and once more for its author when followed,
 * 1 / (1 + age / half-life), times how close the user is when `closest` is asked for.
 * O(follows + users × recent).
 */
export function reachByAffinity(
  state: State,
  viewer: Ordinal,
  now: number,
  options: AffinityOptions,
  { acts, telling_acts }: AffinityScratch,
  into: Accumulator,
): void {
  const closeness = options.closest ? closenessTo(state, viewer, telling_acts) : () => 1;
  const until = now + LIMITS.future_tolerance_seconds;
  const users = mostRecentlyActive(state, state.follows.following(viewer), options.users, until);
  if (readAhead(state, users, options.recent) === 0) return;
  acts.count = 0;
  for (const user of users) {
    if (state.blocks.between(viewer, user)) continue;
    const from = acts.count;
    takePosts(state, user, options.recent, until, acts);
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

/**
 * The user's latest `recent` posts that can be shown, newest first.
 * @param until the time, in seconds, of the last that is not ahead
 */
function takePosts(state: State, user: Ordinal, recent: number, until: number, acts: Acts): void {
  const { items, by_author } = state;
  acts.reserve(Math.min(recent, by_author.length(user)));
  const full = acts.count + recent;
  const end = by_author.until(user, until);
  const stop = Math.max(by_author.start(user), end - READ_PER_COUNTED * recent);
  for (let at = end - 1; at >= stop && acts.count < full; at--) {
    const item = by_author.item(at);
    if (!state.live(item)) continue;
    acts.items[acts.count] = item;
    acts.times[acts.count++] = items.created_at(item);
  }
}

/** The latest `recent` items that the user approved of, each at the latest of these acts. */
function takeApproved({ interactions, vocabulary }: State, user: Ordinal, recent: number, acts: Acts): void {
  const { by_user } = interactions;
  const among = Math.min(READ_PER_COUNTED * recent, by_user.length(user));
  const from = acts.count;
  for (let most = Math.min(recent, among); ; most = among) {
    acts.reserve(most);
    const { items, times } = acts;
    const found = by_user.latest(user, most, among, vocabulary.approving, items, times, from);
    keepFirst(acts, from, found, recent);
    // Where an item was there more than once, what is older is looked at too.
    if (acts.count === from + recent || found < most || most === among) return;
    acts.count = from;
  }
}

/** Keeps the first of each item among `found` acts, until there are `most` items. */
function keepFirst(acts: Acts, from: number, found: number, most: number): void {
  const { items, times } = acts;
  // A bit for each item so far: most have one of their own, and were not met before.
  let met = 0;
  for (let at = from; at < from + found && acts.count < from + most; at++) {
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
function mostRecentlyActive(state: State, users: Ordinal[], limit: number, until: number): Ordinal[] {
  if (users.length <= limit) return users;
  const times = new Float64Array(users.length);
  let active = 0;
  for (const user of users) {
    const time = lastActive(state, user, until);
    if (time === NONE) continue;
    users[active] = user;
    times[active++] = time;
  }
  if (active <= limit) return users.slice(0, active);
  const { names } = state.users;
  const places = Array.from({ length: active }, (_, place) => place);
  places.sort((one, other) => times[other] - times[one] || names.compare(users[one], users[other]));
  return places.slice(0, limit).map((place) => users[place]);
}

/** When a user last did something, or posted something that is not ahead of `until`; NONE for who never did. */
function lastActive(state: State, user: Ordinal, until: number): number {
  const log = state.interactions.by_user;
  const act = log.length(user) > 0 ? log.seconds(log.end(user) - 1) : NONE;
  const posts = state.by_author;
  const end = posts.until(user, until);
  const post = end > posts.start(user) ? state.items.created_at(posts.item(end - 1)) : NONE;
  return Math.max(act, post);
}
