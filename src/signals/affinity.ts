import { LIMITS } from '../limits.ts';
import { type AffinityOptions, NONE, type Ordinal } from '../plugin/index.ts';
import { namedFollows } from '../state/may-be-named.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { closenessTo } from './closeness.ts';
import type { LatestActs } from './latest-acts.ts';
import type { SignificantActs } from './significant-acts.ts';

const HOUR = 3600;
/** Weights are multiples of this, so sums are exact and independent of the order of follows. */
const UNIT = 2 ** -32;
const PER_UNIT = 2 ** 32;

interface AffinityWorks {
  latest_acts: LatestActs;
  scratch: { significant_acts: SignificantActs };
}

/**
 * Adds recent items that followed users posted or approved of (liked, commented, shared, bookmarked) to `into`.
 *
 * Each followed user of an item counts once, and its author once more if followed. The weight is 1 / (1 + age /
 * half-life), times the user's closeness if `closest` is set. O(follows + users × recent).
 */
export function reachByAffinity(
  state: State,
  viewer: Ordinal,
  now: number,
  options: AffinityOptions,
  { latest_acts, scratch }: AffinityWorks,
  into: Accumulator,
): void {
  const closeness = options.closest ? closenessTo(state, viewer, scratch.significant_acts) : () => 1;
  const until = now + LIMITS.future_tolerance_seconds;
  const users = mostRecentlyActive(state, namedFollows(state, viewer, now), options.users, until);
  latest_acts.readAhead(users);
  const { found } = latest_acts;
  found.count = 0;
  for (const user of users) {
    const from = found.count;
    latest_acts.find(user, options.recent, until);
    weigh(latest_acts, from, closeness(user), now, options.half_life_hours * HOUR);
  }
  into.addEach(found.items, found.weights, found.count);
}

/** @param half_life in seconds */
function weigh({ found }: LatestActs, from: number, closeness: number, now: number, half_life: number): void {
  const { times, weights, count } = found;
  for (let at = from; at < count; at++) {
    const decayed = closeness / (1 + Math.max(0, now - times[at]) / half_life);
    weights[at] = UNIT * Math.ceil(decayed * PER_UNIT);
  }
}

/** Adds items with public acts (like, comment, share) of followed users to `into`, 1 per user. */
export function reachBySocialProof(state: State, viewer: Ordinal, now: number, into: Accumulator): void {
  const { vocabulary } = state;
  const log = state.interactions.by_user;
  for (const user of namedFollows(state, viewer, now)) {
    const counted = new Set<Ordinal>();
    for (let at = log.start(user); at < log.end(user); at++) {
      if (log.removed(at) || !vocabulary.isPublic(log.event_type(at)) || counted.has(log.other(at))) continue;
      counted.add(log.other(at));
      into.add(log.other(at), 1);
    }
  }
}

/** The `limit` most recently active users. If there are more users, inactive ones are dropped. */
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

/** The time of a user's last act or post, without posts after `until`. NONE without any. */
function lastActive(state: State, user: Ordinal, until: number): number {
  const log = state.interactions.by_user;
  const act = log.length(user) > 0 ? log.seconds(log.end(user) - 1) : NONE;
  const posts = state.by_author;
  const end = posts.until(user, until);
  const post = end > posts.start(user) ? state.items.created_at(posts.item(end - 1)) : NONE;
  return Math.max(act, post);
}
