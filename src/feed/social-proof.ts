import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import { isProof } from '../signals/affinity.ts';
import { EVENT_CODE, EVENT_TYPES } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

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

/** Looking up one followed user's tables costs as much as reading this many entries of an item. */
const PROBE_COST = 16;

interface Act {
  user: Ordinal;
  event_type: number;
  time: number;
}

/**
 * What the users followed by the viewer did with an item: the latest act of up to three of them, and how
 * many of them liked, commented and shared. Users in a block with the viewer are left out.
 */
export class FollowedActs {
  private readonly following: Ordinal[];

  /** @param followed an empty accumulator, lent for the request */
  constructor(
    private readonly state: State,
    private readonly viewer: Ordinal,
    private readonly followed: Accumulator,
  ) {
    this.following = viewer === NONE ? [] : state.follows.following(viewer);
    for (const user of this.following) followed.add(user, 1);
  }

  /** O(the item's interactions), or for an item with very many O(the viewer's follows). */
  of(item: Ordinal): { social_proof: SocialProof[]; following_engagement: FollowingEngagement } {
    const following_engagement = { like: 0, comment: 0, share: 0 };
    if (this.following.length === 0) return { social_proof: [], following_engagement };
    const acts = this.acts(item);
    if (acts.length === 0) return { social_proof: [], following_engagement };
    const latest = new Map<Ordinal, Act>();
    const counted = new Set<number>();
    for (const act of acts) {
      const known = latest.get(act.user);
      if (known === undefined || act.time > known.time) latest.set(act.user, act);
      const once = act.user * 8 + act.event_type;
      if (counted.has(once)) continue;
      counted.add(once);
      if (act.event_type === EVENT_CODE.like) following_engagement.like++;
      else if (act.event_type === EVENT_CODE.comment) following_engagement.comment++;
      else following_engagement.share++;
    }
    return { social_proof: this.proofs([...latest.values()]), following_engagement };
  }

  private proofs(acts: Act[]): SocialProof[] {
    const { names } = this.state.users;
    acts.sort((one, other) => other.time - one.time || (names.id(one.user) < names.id(other.user) ? -1 : 1));
    return acts.slice(0, LIMITS.social_proof_max).map(({ user, event_type, time }) => ({
      user_id: names.id(user),
      timestamp: Math.floor(time),
      interaction: EVENT_TYPES[event_type],
    }));
  }

  private acts(item: Ordinal): Act[] {
    const { by_item } = this.state.interactions;
    if (by_item.length(item) > this.following.length * PROBE_COST) return this.actsOfEachFollowed(item);
    const acts: Act[] = [];
    for (let at = by_item.end(item) - 1; at >= by_item.start(item); at--) {
      const user = by_item.other(at);
      if (this.followed.weight(user) === 0 || !isProof(by_item.event_type(at)) || !this.counts(user))
        continue;
      acts.push({ user, event_type: by_item.event_type(at), time: by_item.timestamp(at) });
    }
    return acts;
  }

  private actsOfEachFollowed(item: Ordinal): Act[] {
    const { by_user, touched } = this.state.interactions;
    const acts: Act[] = [];
    for (const user of this.following) {
      if ((touched.flags(user, item) & TOUCHED.interacted) === 0 || !this.counts(user)) continue;
      for (let at = by_user.end(user) - 1; at >= by_user.start(user); at--) {
        if (by_user.other(at) !== item || by_user.removed(at) || !isProof(by_user.event_type(at))) continue;
        acts.push({ user, event_type: by_user.event_type(at), time: by_user.timestamp(at) });
      }
    }
    return acts;
  }

  private counts(user: Ordinal): boolean {
    return !this.state.blocks.between(this.viewer, user);
  }
}
