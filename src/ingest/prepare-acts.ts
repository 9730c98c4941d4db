/** Turns interactions, follows and blocks into changes. A record without effect makes no change. */

import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { clamped } from '../model/acts.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { INTERACTION, type InteractionChange } from '../model/changes/interaction.ts';
import { OUTCOME } from '../model/changes/outcome.ts';
import { type Key, NONE } from '../model/key.ts';
import type { BlockRecord, FollowRecord, InteractionRecord } from '../model/records/index.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { Act } from '../state/interactions.ts';
import { isPast } from './act-times.ts';
import { type ActRecord, actOf, pairOfAct } from './acts.ts';
import type { IngestContext } from './context.ts';
import type { Fact, PairChange } from './queued-changes.ts';
import { type Relation, relationOf, relationPair, relationsIn } from './relations.ts';
import type { CapacityEstimate } from './state-capacity.ts';
import type { WriteBatch } from './write-batch.ts';

/** A comment without an identifier and a time, so that nothing distinguishes it from others. */
function isUndatedComment({ event_type, event_id, timestamp }: InteractionRecord): boolean {
  return event_type === 'comment' && event_id === undefined && timestamp === undefined;
}

/**
 * The faults of an interaction that removes an unspecified comment, or dates a comment too far ahead.
 *
 * A removal must name its comment. A comment without an identifier is identified by its timestamp, and a timestamp far
 * ahead would not be kept.
 */
function faultsOfAct(record: InteractionRecord, applied_at: number): Fault[] {
  const { event_type, event_id = '', timestamp = applied_at, action } = record;
  if (event_type !== 'comment' || event_id !== '') return [];
  if (action === 'remove' && isUndatedComment(record))
    return [{ path: '/action', message: 'removing a comment needs its event_id or its timestamp' }];
  if (timestamp <= applied_at + LIMITS.future_tolerance_seconds) return [];
  const message = `a comment without event_id may lie at most ${LIMITS.future_tolerance_seconds} s ahead of the service's clock; send its own time, or an event_id`;
  return [{ path: '/timestamp', message }];
}

/** Adds a follow, a block, or the end of one. @throws ServiceError `state_full`, without any change */
export function addRelation(record: FollowRecord | BlockRecord, batch: WriteBatch): void {
  const { applied_at, context } = batch;
  const kind = relationOf(record);
  const add = record.action === kind;
  batch.require(context.estimates.relation(kind, record.user_id, record.target_user_id));
  const user = batch.userKey(record.user_id);
  const target = batch.userKey(record.target_user_id);
  const dated = isPast(record.timestamp, applied_at);
  const timestamp = record.timestamp ?? applied_at;
  const time = clamped(timestamp, applied_at);
  if (time < relationFloor(kind, user, context)) return;
  if (!wouldChange(knownRelation(kind, user, target, context), add, time, dated)) return;
  const rest = { timestamp, action: add ? 1 : 0, seq: 0, applied_at };
  pushPair(relationPair(kind, user, target), time, { kind, user, target, ...rest }, batch);
}

export function addInteraction(record: InteractionRecord, batch: WriteBatch): Fault[] {
  const { applied_at, context } = batch;
  const faults = faultsOfAct(record, applied_at);
  if (faults.length > 0) return faults;
  batch.require(capacityOfAct(record.user_id, record.item_id, record, batch));
  const user = batch.userKey(record.user_id);
  const item = batch.itemKey(record.item_id);
  if (!isUndatedComment(record)) {
    addAct(user, item, record, batch);
    return [];
  }
  const event_type = context.state.vocabulary.code(record.event_type);
  const dated = { ...record, timestamp: context.act_times.next(user, item, event_type, applied_at) };
  const ahead = faultsOfAct(dated, applied_at);
  if (ahead.length === 0) addAct(user, item, dated, batch);
  return ahead;
}

export function capacityOfAct(
  user_id: string,
  item_id: string,
  record: ActRecord,
  { applied_at, context }: WriteBatch,
  content?: ItemContent,
): CapacityEstimate {
  const parsed = actOf(context.state.vocabulary, record, applied_at);
  return context.estimates.act(user_id, item_id, parsed, record.timestamp === undefined, content);
}

/** Adds an interaction of a user and an item with keys. The batch must have room for it. */
export function addAct(user: Key, item: Key, record: ActRecord, batch: WriteBatch): void {
  const { applied_at, context } = batch;
  const { state, queued_changes } = context;
  const parsed = actOf(state.vocabulary, record, applied_at);
  const { add, time, event_type, event_id } = parsed.act;
  const dated = isPast(record.timestamp, applied_at);
  const pair = pairOfAct(user, item, parsed);
  const queued = queued_changes.fact(pair);
  if (queued !== undefined) {
    if (!wouldChange(queued, add, time, dated)) return;
  } else {
    const one = state.users.names.ordinal(user);
    const other = state.items.names.ordinal(item);
    const act = { ...parsed.act, user: one, item: other };
    const is_dated = dated || parsed.is_identified_by_time;
    if (one !== NONE && other !== NONE && !isNewAct(item, act, is_dated, context)) return;
  }
  const timestamp = record.timestamp ?? applied_at;
  const act = { user, item, event_type, action: add ? 1 : 0, timestamp, event_id };
  pushAct(record.user_id, pair, time, { kind: INTERACTION.kind, ...act, seq: 0, applied_at }, batch);
}

/** Adds an act, which then is the latest of its pair, and outcomes for the experiments that assign its user. */
export function pushAct(
  user_id: string,
  pair: string,
  time: number,
  act: InteractionChange,
  batch: WriteBatch,
): void {
  const is_queued = batch.context.queued_changes.fact(pair) !== undefined;
  pushPair(pair, time, act, batch);
  if (!is_queued && act.action === 1) addOutcomes(user_id, time, act, batch);
}

/**
 * They are stored beside the act, so that results do not depend on whether the item is retired later. Only the first act
 * of its kind on an item counts: liking it again after taking the like back does not. Each comment counts.
 */
function addOutcomes(
  user_id: string,
  time: number,
  { user, item, event_type, event_id }: InteractionChange,
  batch: WriteBatch,
): void {
  const { context, applied_at } = batch;
  const { state } = context;
  const arms = state.experiments.assignedArms(user_id, time);
  if (arms.length === 0) return;
  const [one, other] = [state.users.names.ordinal(user), state.items.names.ordinal(item)];
  const act = { user: one, item: other, event_type, event_id, add: true, time };
  if (one !== NONE && other !== NONE && state.interactions.isKnown(act)) return;
  const viewer = context.viewerOf(user_id);
  for (const arm of arms)
    batch.push({ kind: OUTCOME.kind, viewer, arm, item, event_type, timestamp: time, seq: 0, applied_at });
}

/** Whether an act differs from the state as queued deletions will leave it. */
function isNewAct(item: Key, act: Act, dated: boolean, { state, queued_changes }: IngestContext): boolean {
  const { interactions } = state;
  const known = queued_changes.deletes(item) ? interactions.known(act) : undefined;
  if (known !== undefined && known.time < queued_changes.actsDeletedBefore(item)) return true;
  const same = !dated && interactions.stands(act) === act.add;
  // The removal of an unknown act has an effect, because it outdates older adds.
  if (same && (act.add || !interactions.wouldChange({ ...act, time: -1 }))) return false;
  return interactions.wouldChange(act);
}

/** The last message about a relation of two users. Queued changes count as applied. */
export function knownRelation(
  kind: Relation,
  user: Key,
  target: Key,
  { state, queued_changes }: IngestContext,
): Fact | undefined {
  const queued = queued_changes.relation(kind, user, target);
  if (queued !== undefined) return queued;
  const { users } = state;
  const [one, other] = [users.names.ordinal(user), users.names.ordinal(target)];
  if (one === NONE || other === NONE) return undefined;
  return relationsIn(state, kind).known(one, other);
}

/** Messages about relations of a user change nothing if they are older than this. */
export function relationFloor(kind: Relation, user: Key, context: IngestContext): number {
  return kind === FOLLOW.kind ? listedAt(user, context) : 0;
}

/** The time of the latest whole list of follows, applied or queued; 0 if there is none. */
export function listedAt(user: Key, { state, queued_changes }: IngestContext): number {
  const ordinal = state.users.names.ordinal(user);
  const applied = ordinal === NONE ? 0 : state.follows.listedAt(ordinal);
  return Math.max(applied, queued_changes.listedAt(user));
}

/** Adds a change about a pair, which then is the latest about it. */
export function pushPair(pair: string, time: number, change: PairChange, batch: WriteBatch): void {
  batch.context.queued_changes.noteChange(pair, change, time);
  batch.push(change);
}

/**
 * Whether a record changes the known fact.
 *
 * The later record counts, at the same time the later arrival. A record without a time counts only if it changes the
 * fact.
 */
function wouldChange(known: Fact | undefined, add: boolean, time: number, dated: boolean): boolean {
  if (known === undefined) return true;
  if (!dated && known.stands === add) return false;
  return time === known.time ? known.stands !== add : time > known.time;
}
