import { clamped, type FollowListChange, type Key, NONE } from '../state/change.ts';
import type { Amounts } from '../state/limits.ts';
import type { State } from '../state/state.ts';
import { isPast } from './act-times.ts';
import { addTo, userNamed } from './amounts.ts';
import type { Deletions } from './deletions.ts';
import type { Sliced } from './in-turns.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type { Needs } from './needs.ts';
import { listedWarnings } from './outcome.ts';
import type { Fact, FollowWatch, QueuedChanges } from './queued-changes.ts';
import { datedAhead } from './record-warnings.ts';
import type { FollowListRecord } from './records/index.ts';
import type { ChangeBatch } from './state-capacity.ts';

/** The number of users of a list that are compared per turn of the event loop: about a millisecond. */
const SLICE = 2_000;

/** The numbers of follows that a whole list added and removed. */
export interface FollowListResult {
  added: number;
  removed: number;
  warnings: string[];
}

/** The differences of a whole list to the known follows of its user, before any key is created. */
interface Comparison {
  record: FollowListRecord;
  applied_at: number;
  time: number;
  user: Key;
  warnings: string[];
  /** Keys of the listed users who have one. */
  listed: Set<Key>;
  /** Listed users without a key. */
  unnamed: string[];
  /** The pairs that change, and whether the user follows each from then on. */
  stands: Map<Key, boolean>;
  /** At least the number of new pairs with a key that the state has no entry for. */
  unknown_count: number;
  /** Why the list changes nothing; undefined if it counts. */
  outdated: string | undefined;
  watch: FollowWatch;
}

/**
 * Turns each whole list of follows into one change, so that no page sees half of a list.
 *
 * The change contains only the differences to the state and to queued changes. Pairs with a later follow or unfollow
 * stay.
 */
export class FollowLists {
  /** @param known the last message about a follow, with queued ones */
  constructor(
    private readonly state: State,
    private readonly users: KeyAllocator,
    private readonly queued_changes: QueuedChanges,
    private readonly needs: Needs,
    private readonly known: (user: Key, target: Key) => Fact | undefined,
  ) {}

  /**
   * The listed users without a key, and the room that their names and follows need. Empty if the list is outdated.
   * O(the list).
   */
  *unnamed(
    record: FollowListRecord,
    applied_at: number,
    deletions: Deletions,
  ): Sliced<{ ids: string[]; needed: Amounts }> {
    const ids: string[] = [];
    const needed: Amounts = {};
    if (this.whyOutdated(record, applied_at, deletions) !== undefined) return { ids, needed };
    for (const [index, id] of record.target_user_ids.entries()) {
      if (index % SLICE === SLICE - 1) yield;
      if (this.users.find(id) !== NONE || outdatedTarget(record, id, applied_at, deletions)) continue;
      ids.push(id);
      addTo(needed, userNamed(id));
    }
    return { ids, needed };
  }

  /** Compares a list with the known follows of its user. O(the list, the follows of the user, and queued changes). */
  *compare(record: FollowListRecord, applied_at: number, deletions: Deletions): Sliced<Comparison> {
    const { user_id, target_user_ids, timestamp } = record;
    const user = this.users.find(user_id);
    const comparison: Comparison = {
      record,
      applied_at,
      time: timeOf(record, applied_at),
      user,
      warnings: datedAhead({ timestamp }, applied_at),
      listed: new Set(),
      unnamed: [],
      stands: new Map(),
      unknown_count: 0,
      outdated: this.whyOutdated(record, applied_at, deletions),
      watch: this.queued_changes.watchFollows(user),
    };
    if (comparison.outdated !== undefined) return comparison;
    const outdated: string[] = [];
    for (const [index, id] of target_user_ids.entries()) {
      if (index % SLICE === SLICE - 1) yield;
      const warning = outdatedTarget(record, id, applied_at, deletions);
      if (warning === undefined) this.list(comparison, id);
      else outdated.push(warning);
    }
    comparison.warnings.push(...listedWarnings(outdated));
    for (const [index, target] of this.followed(user).entries()) {
      if (index % SLICE === SLICE - 1) yield;
      if (!comparison.listed.has(target)) this.decide(comparison, target);
    }
    return comparison;
  }

  /**
   * Adds the change of a list to `changes`, with what was queued during the comparison. Nothing if it is not news.
   * The caller ends the watch of the comparison afterwards.
   * @returns undefined if the list must be compared again, because its user was named or queued changes were lost
   * @throws ServiceError `state_full`, without any change
   */
  write(comparison: Comparison, changes: ChangeBatch): FollowListResult | undefined {
    const { record, applied_at, time, user, warnings, outdated, watch } = comparison;
    if (watch.lost || user !== this.users.find(record.user_id)) return undefined;
    if (outdated !== undefined) return { added: 0, removed: 0, warnings: [...warnings, outdated] };
    const unnamed = comparison.unnamed.filter((id) => !this.listNamed(comparison, id));
    for (const target of watch.targets) this.decide(comparison, target);
    const { stands } = comparison;
    // A later list outdates older records even if it changes no pair.
    const is_past = isPast(record.timestamp, applied_at) && time > this.listedAt(user);
    if (stands.size + unnamed.length === 0 && !is_past) return { added: 0, removed: 0, warnings };
    const unknown_count = comparison.unknown_count + unnamed.length;
    const { at_most: named } = this.needs.users([record.user_id, ...unnamed]);
    changes.require(this.needs.followList(record.user_id, named, unknown_count));
    const key = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    for (const id of unnamed) stands.set(this.users.keyOf(id, applied_at, 'bulk', changes), true);
    const change = changeOf(comparison, key);
    this.queued_changes.listed(change, clamped(change.timestamp, applied_at), stands);
    changes.push(change);
    return { added: change.followed.length, removed: change.unfollowed.length, warnings };
  }

  /** The time of the latest whole list, applied or queued; 0 if there is none. */
  listedAt(user: Key): number {
    const ordinal = this.state.users.names.ordinal(user);
    const applied = ordinal === NONE ? 0 : this.state.follows.listedAt(ordinal);
    return Math.max(applied, this.queued_changes.listedAt(user));
  }

  private whyOutdated(
    record: FollowListRecord,
    applied_at: number,
    deletions: Deletions,
  ): string | undefined {
    const is_later = timeOf(record, applied_at) >= this.listedAt(this.users.find(record.user_id));
    if (is_later) return deletions.outdatedAct(record, applied_at);
    return 'timestamp: a later list of this user is known; this one changed nothing';
  }

  private list(comparison: Comparison, id: string): void {
    if (!this.listNamed(comparison, id)) comparison.unnamed.push(id);
  }

  /** @returns false for a user without a key */
  private listNamed(comparison: Comparison, id: string): boolean {
    const target = this.users.find(id);
    if (target === NONE) return false;
    comparison.listed.add(target);
    this.decide(comparison, target);
    return true;
  }

  /** Notes whether the list begins or ends a follow. */
  private decide(comparison: Comparison, target: Key): void {
    const { user, time, listed, stands } = comparison;
    const fact = this.known(user, target);
    const is_listed = listed.has(target);
    stands.delete(target);
    if (fact === undefined ? is_listed : fact.stands !== is_listed && time >= fact.time)
      stands.set(target, is_listed);
    if (fact === undefined && is_listed) comparison.unknown_count++;
  }

  /** Keys of users whom the user follows, or who are in queued follows. */
  private followed(user: Key): Key[] {
    const { names } = this.state.users;
    const ordinal = names.ordinal(user);
    const applied = ordinal === NONE ? [] : this.state.follows.following(ordinal);
    return [...applied.map((target) => names.key(target)), ...this.queued_changes.queuedFollows(user)];
  }
}

function timeOf({ timestamp }: FollowListRecord, applied_at: number): number {
  return clamped(timestamp ?? applied_at, applied_at);
}

/** Why a listed user does not count: the user was erased after the time of the list. Undefined if the user counts. */
function outdatedTarget(
  { timestamp }: FollowListRecord,
  user_id: string,
  now: number,
  deletions: Deletions,
): string | undefined {
  return timestamp === undefined ? undefined : deletions.outdatedAct({ user_id, timestamp }, now);
}

function changeOf({ record, applied_at, stands }: Comparison, user: Key): FollowListChange {
  const followed: Key[] = [];
  const unfollowed: Key[] = [];
  for (const [target, is_listed] of stands) (is_listed ? followed : unfollowed).push(target);
  const { timestamp = Number.POSITIVE_INFINITY } = record;
  return {
    kind: 'follow_list',
    user,
    followed: Uint32Array.from(followed),
    unfollowed: Uint32Array.from(unfollowed),
    timestamp: Math.min(timestamp, applied_at),
    seq: 0,
    applied_at,
  };
}
