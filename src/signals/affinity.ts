import type { AffinityOptions, Ordinal } from '../plugin/index.ts';
import { EVENT_CODE } from '../state/change.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';

/**
 * Orders items with equally many users by how lately they acted, far below 1 for any number of users: 1.7e-5
 * an act of today. `Math.floor` of a weight is the number of users.
 */
const RECENCY = 1e-14;

/**
 * Adds to `into` what the users followed by the viewer posted and liked, commented, shared or bookmarked
 * lately: 1 for each followed user of an item, counted once, and 1 for its author when followed.
 * O(follows + users × recent).
 */
export function reachByAffinity(
  state: State,
  viewer: Ordinal,
  options: AffinityOptions,
  into: Accumulator,
): void {
  for (const user of mostRecentlyActive(state, state.follows.following(viewer), options.users)) {
    if (state.blocks.between(viewer, user)) continue;
    addPosts(state, user, options.recent, into);
    addActs(state, user, options.recent, into);
  }
}

function addPosts(state: State, user: Ordinal, recent: number, into: Accumulator): void {
  const posts = state.by_author;
  const stop = Math.max(posts.start(user), posts.end(user) - recent);
  for (let at = posts.end(user) - 1; at >= stop; at--) into.add(posts.item(at), 1);
}

function addActs(state: State, user: Ordinal, recent: number, into: Accumulator): void {
  const log = state.interactions.by_user;
  const end = log.end(user);
  const stop = Math.max(log.start(user), end - recent);
  for (let at = end - 1; at >= stop; at--) {
    if (log.removed(at) || !isPublicAct(log.event_type(at))) continue;
    if (!countedLater(log, at, end)) into.add(log.other(at), 1 + log.seconds(at) * RECENCY);
  }
}

/** Whether the item of an entry has a later public act in the same window: windows are short. */
function countedLater(log: InteractionLog, entry: number, end: number): boolean {
  const item = log.other(entry);
  for (let at = entry + 1; at < end; at++) {
    if (log.other(at) === item && !log.removed(at) && isPublicAct(log.event_type(at))) return true;
  }
  return false;
}

/** Adds to `into` everything that followed users liked, commented or shared, 1 for each of them. */
export function reachBySocialProof(state: State, viewer: Ordinal, into: Accumulator): void {
  const log = state.interactions.by_user;
  for (const user of state.follows.following(viewer)) {
    if (state.blocks.between(viewer, user)) continue;
    const counted = new Set<Ordinal>();
    for (let at = log.start(user); at < log.end(user); at++) {
      if (log.removed(at) || !isProof(log.event_type(at)) || counted.has(log.other(at))) continue;
      counted.add(log.other(at));
      into.add(log.other(at), 1);
    }
  }
}

/** Likes, comments and shares are seen by others; bookmarks and views are private. */
export function isProof(event_type: number): boolean {
  return (
    event_type === EVENT_CODE.like || event_type === EVENT_CODE.comment || event_type === EVENT_CODE.share
  );
}

/** A view is nobody's recommendation, a hide or report even less. */
function isPublicAct(event_type: number): boolean {
  return event_type >= EVENT_CODE.like && event_type <= EVENT_CODE.bookmark;
}

/** At most `limit` of the users, those whose last act or post is the latest. */
function mostRecentlyActive(state: State, users: Ordinal[], limit: number): Ordinal[] {
  if (users.length <= limit) return users;
  const latest = users.map((user) => ({ user, time: lastActive(state, user) }));
  latest.sort(
    (one, other) =>
      other.time - one.time || (state.users.names.id(one.user) < state.users.names.id(other.user) ? -1 : 1),
  );
  return latest.slice(0, limit).map(({ user }) => user);
}

function lastActive(state: State, user: Ordinal): number {
  const log = state.interactions.by_user;
  const act = log.length(user) > 0 ? log.seconds(log.end(user) - 1) : 0;
  const posts = state.by_author;
  const post = posts.length(user) > 0 ? state.items.created_at(posts.item(posts.end(user) - 1)) : 0;
  return Math.max(act, post);
}
