import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';
import type { Accumulator, AccumulatorPool } from '../signals/accumulator.ts';
import { isProof } from '../signals/affinity.ts';
import { EVENT_CODE, EVENT_TYPES } from '../state/change.ts';
import type { State } from '../state/state.ts';

export interface SocialProof {
  user_id: string;
  /** Integer seconds. */
  timestamp: number;
  interaction: string;
}

export interface FollowingEngagement {
  like: number;
  comment: number;
  share: number;
}

export interface FollowedActs {
  social_proof: SocialProof[];
  following_engagement: FollowingEngagement;
}

interface Act {
  user: Ordinal;
  event_type: number;
  time: number;
}

/**
 * What the users followed by the viewer did with each item of a page: the latest act of up to three of
 * them, and how many of them liked, commented and shared. Users in a block with the viewer are left out.
 * Read from the items' logs or from the followed users', whichever are shorter in all.
 */
export function followedActs(
  state: State,
  viewer: Ordinal,
  items: readonly Ordinal[],
  accumulators: AccumulatorPool,
): FollowedActs[] {
  const following = viewer === NONE ? [] : state.follows.following(viewer);
  if (following.length === 0) return items.map(() => summary(state, []));
  const { by_item, by_user } = state.interactions;
  const item_entries = items.reduce((sum, item) => sum + by_item.length(item), 0);
  let user_entries = 0;
  for (const user of following) {
    user_entries += by_user.length(user);
    if (user_entries > item_entries) break;
  }
  const acts =
    user_entries > item_entries
      ? actsByItem(state, items, following, accumulators.take())
      : actsByUser(state, items, following, accumulators.take());
  return acts.map((of_item) =>
    summary(
      state,
      of_item.filter(({ user }) => !state.blocks.between(viewer, user)),
    ),
  );
}

function actsByItem(
  { interactions }: State,
  items: readonly Ordinal[],
  following: readonly Ordinal[],
  followed: Accumulator,
): Act[][] {
  for (const user of following) followed.add(user, 1);
  const log = interactions.by_item;
  return items.map((item) => {
    const acts: Act[] = [];
    for (let at = log.end(item) - 1; at >= log.start(item); at--) {
      const user = log.other(at);
      if (followed.weight(user) === 0 || !isProof(log.event_type(at))) continue;
      acts.push({ user, event_type: log.event_type(at), time: log.timestamp(at) });
    }
    return acts;
  });
}

function actsByUser(
  { interactions }: State,
  items: readonly Ordinal[],
  following: readonly Ordinal[],
  places: Accumulator,
): Act[][] {
  for (const [index, item] of items.entries()) places.add(item, index + 1);
  const log = interactions.by_user;
  const acts: Act[][] = items.map(() => []);
  for (const user of following) {
    for (let at = log.end(user) - 1; at >= log.start(user); at--) {
      const place = places.weight(log.other(at));
      if (place === 0 || log.removed(at) || !isProof(log.event_type(at))) continue;
      acts[place - 1].push({ user, event_type: log.event_type(at), time: log.timestamp(at) });
    }
  }
  return acts;
}

function summary(state: State, acts: readonly Act[]): FollowedActs {
  const following_engagement = { like: 0, comment: 0, share: 0 };
  if (acts.length === 0) return { social_proof: [], following_engagement };
  const users = new Map<Ordinal, { latest: Act; counted: number }>();
  for (const act of acts) {
    const counted = 1 << act.event_type;
    const known = users.get(act.user);
    if (known === undefined) users.set(act.user, { latest: act, counted });
    else {
      if (act.time > known.latest.time) known.latest = act;
      if ((known.counted & counted) !== 0) continue;
      known.counted |= counted;
    }
    if (act.event_type === EVENT_CODE.like) following_engagement.like++;
    else if (act.event_type === EVENT_CODE.comment) following_engagement.comment++;
    else following_engagement.share++;
  }
  const latest = Array.from(users.values(), (user) => user.latest);
  return { social_proof: proofs(state, latest), following_engagement };
}

function proofs({ users }: State, acts: Act[]): SocialProof[] {
  const { names } = users;
  acts.sort((one, other) => other.time - one.time || (names.id(one.user) < names.id(other.user) ? -1 : 1));
  return acts.slice(0, LIMITS.social_proof_max).map(({ user, event_type, time }) => ({
    user_id: names.id(user),
    timestamp: Math.floor(time),
    interaction: EVENT_TYPES[event_type],
  }));
}
