import { type AffinityOptions, NONE, type Ordinal } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import type { Vocabulary } from '../state/vocabulary.ts';
import type { Accumulator } from './accumulator.ts';
import { closenessTo } from './closeness.ts';

const HOUR = 3600;
/** Weights are multiples of it, so sums are exact: the order in which users were followed changes nothing. */
const UNIT = 2 ** -32;

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
  into: Accumulator,
): void {
  const closeness = options.closest ? closenessTo(state, viewer) : () => 1;
  const users = mostRecentlyActive(state, state.follows.following(viewer), options.users);
  if (readAhead(state, users, options.recent) === 0) return;
  for (const user of users) {
    if (state.blocks.between(viewer, user)) continue;
    const weight = closeness(user);
    const half_life = options.half_life_hours * HOUR;
    const decayed = (seconds: number) =>
      UNIT * Math.ceil(weight / (1 + Math.max(0, now - seconds) / half_life) / UNIT);
    addPosts(state, user, options.recent, decayed, into);
    addActs(state, user, options.recent, decayed, into);
  }
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

type Decayed = (seconds: number) => number;

function addPosts(state: State, user: Ordinal, recent: number, decayed: Decayed, into: Accumulator): void {
  const posts = state.by_author;
  const stop = Math.max(posts.start(user), posts.end(user) - recent);
  for (let at = posts.end(user) - 1; at >= stop; at--) {
    const item = posts.item(at);
    into.add(item, decayed(state.items.created_at(item)));
  }
}

function addActs(state: State, user: Ordinal, recent: number, decayed: Decayed, into: Accumulator): void {
  const { vocabulary } = state;
  const log = state.interactions.by_user;
  const end = log.end(user);
  const stop = Math.max(log.start(user), end - recent);
  // A bit for each item so far: most have one of their own, and were not counted before.
  let met = 0;
  for (let at = end - 1; at >= stop; at--) {
    if (log.removed(at) || !vocabulary.isApproval(log.event_type(at))) continue;
    const item = log.other(at);
    const bit = 1 << item;
    if ((met & bit) === 0 || !countedLater(vocabulary, log, at, end))
      into.add(item, decayed(log.seconds(at)));
    met |= bit;
  }
}

/** Whether the item of an entry is approved of later in the same window, too: windows are short. */
function countedLater(vocabulary: Vocabulary, log: InteractionLog, entry: number, end: number): boolean {
  const item = log.other(entry);
  for (let at = entry + 1; at < end; at++) {
    if (log.other(at) === item && !log.removed(at) && vocabulary.isApproval(log.event_type(at))) return true;
  }
  return false;
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
