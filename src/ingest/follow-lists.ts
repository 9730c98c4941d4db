import { clamped } from '../model/acts.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { FOLLOW_LIST, type FollowListChange } from '../model/changes/follow-list.ts';
import { type Key, NONE } from '../model/key.ts';
import type { FollowListRecord } from '../model/records/index.ts';
import type { Amounts } from '../state/limits.ts';
import { isPast } from './act-times.ts';
import { addTo, userNamed } from './amounts.ts';
import type { IngestContext } from './context.ts';
import type { Sliced } from './in-turns.ts';
import { listedWarnings } from './outcome.ts';
import { knownRelation, listedAt } from './prepare-acts.ts';
import type { FollowWatch } from './queued-changes.ts';
import { datedAhead } from './record-warnings.ts';
import type { WriteBatch } from './write-batch.ts';

/** The number of users of a list that are compared per turn of the event loop: about a millisecond. */
const SLICE = 2_000;

export interface FollowListResult {
  added: number;
  removed: number;
  warnings: string[];
}

/** The differences of a whole list to the known follows of its user, before any key is created. */
export interface Comparison {
  record: FollowListRecord;
  applied_at: number;
  time: number;
  user: Key;
  warnings: string[];
  listed: Set<Key>;
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
 * The listed users without a key, and the capacity that their names and follows take. Empty if the list is outdated.
 * O(the list).
 */
export function* unnamedUsers(
  record: FollowListRecord,
  applied_at: number,
  context: IngestContext,
): Sliced<{ ids: string[]; needed: Amounts }> {
  const ids: string[] = [];
  const needed: Amounts = {};
  if (whyOutdated(record, applied_at, context) !== undefined) return { ids, needed };
  for (const [index, id] of record.target_user_ids.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    if (context.user_keys.find(id) !== NONE || outdatedTarget(record, id, applied_at, context)) continue;
    ids.push(id);
    addTo(needed, userNamed(id));
  }
  return { ids, needed };
}

/** Compares a list with the known follows of its user. O(the list, the follows of the user, and queued changes). */
export function* compareList(
  record: FollowListRecord,
  applied_at: number,
  context: IngestContext,
): Sliced<Comparison> {
  const { user_id, target_user_ids, timestamp } = record;
  const user = context.user_keys.find(user_id);
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
    outdated: whyOutdated(record, applied_at, context),
    watch: context.queued_changes.watchFollows(user),
  };
  if (comparison.outdated !== undefined) return comparison;
  const outdated: string[] = [];
  for (const [index, id] of target_user_ids.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    const warning = outdatedTarget(record, id, applied_at, context);
    if (warning !== undefined) outdated.push(warning);
    else if (!listNamed(comparison, id, context)) comparison.unnamed.push(id);
  }
  comparison.warnings.push(...listedWarnings(outdated));
  for (const [index, target] of followed(user, context).entries()) {
    if (index % SLICE === SLICE - 1) yield;
    if (!comparison.listed.has(target)) decide(comparison, target, context);
  }
  return comparison;
}

/**
 * Adds the change of a list to a batch, with what was queued during the comparison. Nothing if it changes nothing.
 * The caller ends the comparison afterwards.
 *
 * A list is one change, so that no page sees half of it. It has only the differences to the state and to queued changes.
 * Pairs with a later follow or unfollow stay.
 * @returns undefined if the list must be compared again, because its user was named or queued changes were lost
 * @throws ServiceError `state_full`, without any change
 */
export function addList(comparison: Comparison, batch: WriteBatch): FollowListResult | undefined {
  const { record, applied_at, time, user, warnings, outdated, watch } = comparison;
  const { context } = batch;
  if (watch.lost || user !== context.user_keys.find(record.user_id)) return undefined;
  if (outdated !== undefined) return { added: 0, removed: 0, warnings: [...warnings, outdated] };
  const unnamed = comparison.unnamed.filter((id) => !listNamed(comparison, id, context));
  for (const target of watch.targets) decide(comparison, target, context);
  const { stands } = comparison;
  // A later list outdates older records even if it changes no pair.
  const is_past = isPast(record.timestamp, applied_at) && time > listedAt(user, context);
  if (stands.size + unnamed.length === 0 && !is_past) return { added: 0, removed: 0, warnings };
  const unknown_count = comparison.unknown_count + unnamed.length;
  const { at_most: named } = context.estimates.users([record.user_id, ...unnamed]);
  batch.require(context.estimates.followList(record.user_id, named, unknown_count));
  const key = batch.userKey(record.user_id);
  for (const id of unnamed) stands.set(batch.userKey(id), true);
  const change = changeOf(comparison, key);
  context.queued_changes.listed(change, clamped(change.timestamp, applied_at), stands);
  batch.push(change);
  return { added: change.followed.length, removed: change.unfollowed.length, warnings };
}

/** Ends what `compareList` began. */
export function endComparison({ watch }: Comparison, { queued_changes }: IngestContext): void {
  queued_changes.unwatch(watch);
}

function whyOutdated(
  record: FollowListRecord,
  applied_at: number,
  context: IngestContext,
): string | undefined {
  const is_later = timeOf(record, applied_at) >= listedAt(context.user_keys.find(record.user_id), context);
  if (is_later) return context.deletions.outdatedAct(record, applied_at);
  return 'timestamp: a later list of this user is known; this one changed nothing';
}

/** Lists a user with a key. @returns false for a user without one */
function listNamed(comparison: Comparison, id: string, context: IngestContext): boolean {
  const target = context.user_keys.find(id);
  if (target === NONE) return false;
  comparison.listed.add(target);
  decide(comparison, target, context);
  return true;
}

function decide(comparison: Comparison, target: Key, context: IngestContext): void {
  const { user, time, listed, stands } = comparison;
  const fact = knownRelation(FOLLOW.kind, user, target, context);
  const is_listed = listed.has(target);
  stands.delete(target);
  if (fact === undefined ? is_listed : fact.stands !== is_listed && time >= fact.time)
    stands.set(target, is_listed);
  if (fact === undefined && is_listed) comparison.unknown_count++;
}

/** Keys of users whom the user follows, or who are in queued follows. */
function followed(user: Key, { state, queued_changes }: IngestContext): Key[] {
  const { names } = state.users;
  const ordinal = names.ordinal(user);
  const applied = ordinal === NONE ? [] : state.follows.following(ordinal);
  return [...applied.map((target) => names.key(target)), ...queued_changes.queuedFollows(user)];
}

function timeOf({ timestamp }: FollowListRecord, applied_at: number): number {
  return clamped(timestamp ?? applied_at, applied_at);
}

/** Why a listed user does not count: the user was erased after the time of the list. Undefined if the user counts. */
function outdatedTarget(
  { timestamp }: FollowListRecord,
  user_id: string,
  now: number,
  { deletions }: IngestContext,
): string | undefined {
  return timestamp === undefined ? undefined : deletions.outdatedAct({ user_id, timestamp }, now);
}

function changeOf({ record, applied_at, stands }: Comparison, user: Key): FollowListChange {
  const followed: Key[] = [];
  const unfollowed: Key[] = [];
  for (const [target, is_listed] of stands) (is_listed ? followed : unfollowed).push(target);
  const { timestamp = Number.POSITIVE_INFINITY } = record;
  return {
    kind: FOLLOW_LIST.kind,
    user,
    followed: Uint32Array.from(followed),
    unfollowed: Uint32Array.from(unfollowed),
    timestamp: Math.min(timestamp, applied_at),
    seq: 0,
    applied_at,
  };
}
