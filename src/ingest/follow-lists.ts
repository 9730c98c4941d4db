import { clamped, type FollowListChange, type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { isPast } from './act-times.ts';
import { followPair } from './acts.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type { Needs } from './needs.ts';
import type { Fact, QueuedChanges } from './queued-changes.ts';
import { datedAhead } from './record-warnings.ts';
import type { FollowListRecord } from './records/index.ts';
import type { ChangeBatch } from './state-capacity.ts';

/** The effect of a whole list of follows, before any key is created. */
export interface FollowListPlan {
  /** Identifiers of users whom the user starts to follow. */
  added: string[];
  /** Keys of users whom the user stops following. */
  removed: Key[];
  warnings: string[];
  /** Rows to store; 0 if the list changes nothing. */
  row_count: number;
  /** The number of new pairs that the state has no entry for. */
  unknown_count: number;
}

const NOTHING = { added: [], removed: [], row_count: 0, unknown_count: 0 };

/**
 * Turns each whole list of follows into one change, so that no page sees half of a list.
 *
 * The change contains only the differences to the state and to queued changes. Pairs with a later follow or unfollow
 * stay.
 */
export class FollowLists {
  constructor(
    private readonly state: State,
    private readonly users: KeyAllocator,
    private readonly queued_changes: QueuedChanges,
    private readonly needs: Needs,
  ) {}

  /** O(the list, the follows of the user, and the queued changes). */
  plan(record: FollowListRecord, applied_at: number): FollowListPlan {
    const { user_id, target_user_ids, timestamp } = record;
    const time = clamped(timestamp ?? applied_at, applied_at);
    const user = this.users.find(user_id);
    const warnings = datedAhead({ timestamp }, applied_at);
    const listed_at = this.listedAt(user);
    if (time < listed_at) {
      warnings.push('timestamp: a later list of this user is known; this one changed nothing');
      return { ...NOTHING, warnings };
    }
    const known = this.knownFollows(user);
    const added: string[] = [];
    const listed = new Set<Key>();
    let unknown_count = 0;
    let unnamed_count = user === NONE ? 1 : 0;
    for (const id of target_user_ids) {
      const target = this.users.find(id);
      if (target === NONE) unnamed_count++;
      else listed.add(target);
      const fact = known.get(target);
      if (fact === undefined) unknown_count++;
      if (fact === undefined || (!fact.stands && time >= fact.time)) added.push(id);
    }
    const removed: Key[] = [];
    for (const [target, { stands, time: since }] of known) {
      if (stands && time >= since && !listed.has(target)) removed.push(target);
    }
    // A later list outdates older records even if it changes no pair.
    const is_news = added.length + removed.length > 0 || (isPast(timestamp, applied_at) && time > listed_at);
    if (!is_news) return { ...NOTHING, warnings };
    return { added, removed, warnings, row_count: unnamed_count + 1, unknown_count };
  }

  /**
   * Adds a plan of this turn of the event loop to `changes`.
   * @throws ServiceError `state_full`, without any change
   */
  write(
    { user_id, timestamp = Number.POSITIVE_INFINITY }: FollowListRecord,
    { added, removed, unknown_count }: FollowListPlan,
    applied_at: number,
    changes: ChangeBatch,
  ): void {
    changes.require(this.needs.followList(user_id, added, unknown_count));
    const user = this.users.keyOf(user_id, applied_at, 'bulk', changes);
    const followed = Uint32Array.from(added, (id) => this.users.keyOf(id, applied_at, 'bulk', changes));
    const change: FollowListChange = {
      kind: 'follow_list',
      user,
      followed,
      unfollowed: Uint32Array.from(removed),
      timestamp: Math.min(timestamp, applied_at),
      seq: 0,
      applied_at,
    };
    this.queued_changes.listed(change, clamped(change.timestamp, applied_at), followPair);
    changes.push(change);
  }

  /** The time of the latest whole list, applied or queued; 0 if there is none. */
  listedAt(user: Key): number {
    const ordinal = this.state.users.names.ordinal(user);
    const applied = ordinal === NONE ? 0 : this.state.follows.listedAt(ordinal);
    return Math.max(applied, this.queued_changes.listedAt(user));
  }

  /** The known follows of a user, by target. Queued changes count as applied. */
  private knownFollows(user: Key): Map<Key, Fact> {
    const { names } = this.state.users;
    const known = new Map<Key, Fact>();
    const ordinal = names.ordinal(user);
    if (ordinal !== NONE) {
      for (const { target, time, current } of this.state.follows.entries(ordinal)) {
        known.set(names.key(target), { stands: current, time });
      }
    }
    for (const target of this.queued_changes.queuedFollows(user)) {
      const fact = this.queued_changes.fact(followPair(user, target));
      if (fact !== undefined) known.set(target, fact);
    }
    return known;
  }
}
