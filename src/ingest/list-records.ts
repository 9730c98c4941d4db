/**
 * Lists of users as their network sends them: a record for the list, and one for each user on it. The deletion of a
 * record names nothing but the record, so each is a named event (`event-acts.ts`).
 */
import { clamped } from '../model/acts.ts';
import { USER_LIST } from '../model/changes/user-list.ts';
import { type Key, NONE } from '../model/key.ts';
import type { ListMemberRecord, NetworkListRecord } from '../model/records/user-list.ts';
import { clip } from '../model/values/refusal.ts';
import { addFacts, factsOf, isTakenBack, type NamedEvent } from './event-acts.ts';
import type { EventName } from './event-index.ts';
import { listIn, pushList, requireLength } from './user-lists.ts';
import type { WriteBatch } from './write-batch.ts';

interface Prepared {
  warnings?: string[];
}

const NO_TIE = { target: NONE, item: NONE, event_type: 0 };

/** The events that a record needs. That of a list has the identifier of the list. */
export function eventsOfMember({ user_id, event_id, list_id }: ListMemberRecord): EventName[] {
  const event_ids = list_id === undefined ? [event_id] : [event_id, list_id];
  return event_ids.map((event_id) => ({ space: USER_LIST.kind, user_id, event_id }));
}

export function eventsOfList({ user_id, list_id }: NetworkListRecord): EventName[] {
  return [{ space: USER_LIST.kind, user_id, event_id: list_id }];
}

/** Names, renames or deletes a list. @throws ServiceError `state_full` */
export function addNetworkList(record: NetworkListRecord, batch: WriteBatch): Prepared {
  const { list_id, action } = record;
  const opened = openEvent(record, list_id, batch);
  if ('warnings' in opened) return opened;
  const { event, time, facts } = opened;
  const known = listIn(batch, list_id);
  const latest = facts.at(-1);
  if (action === 'remove') {
    addFacts(event, [{ ...NO_TIE, action: 0, timestamp: time }], batch);
    if (known !== undefined) pushList(list_id, undefined, {}, batch);
    return {};
  }
  if (latest !== undefined && latest.timestamp >= time) return {};
  addFacts(event, [{ ...NO_TIE, action: 1, timestamp: time }], batch);
  const facts_of_list = { owner: event.user, ...known, name: record.name ?? '' };
  if (known?.name !== facts_of_list.name) pushList(list_id, facts_of_list, {}, batch);
  return {};
}

/** Adds a user to a list, moves the entry, or takes it back. @throws ServiceError `state_full`, `invalid_value` */
export function addListMember(record: ListMemberRecord, batch: WriteBatch): Prepared {
  const { event_id, list_id = '', target_user_id = '', action } = record;
  const opened = openEvent(record, event_id, batch);
  if ('warnings' in opened) return opened;
  const { event, time, facts } = opened;
  const latest = facts.at(-1);
  if (action === 'remove') {
    if (latest !== undefined) pushMember(event.user, latest.list_id, { removed: [latest.target] }, batch);
    addFacts(event, [{ ...NO_TIE, timestamp: time, ...latest, action: 0 }], batch);
    return {};
  }
  if (latest !== undefined && latest.timestamp >= time) return {};
  const known = listIn(batch, list_id);
  const { estimates, state } = batch.context;
  requireLength((state.user_lists.get(list_id)?.size ?? 0) + 1, '/list_id');
  const { at_most } = estimates.users([target_user_id]);
  const room = { ...at_most, lists: known === undefined ? 1 : 0, list_entries: 1 };
  batch.require({ at_most: room, exactly: () => room });
  const target = batch.userKey(target_user_id);
  addFacts(event, [{ ...NO_TIE, list_id, target, action: 1, timestamp: time }], batch);
  if (latest?.list_id === list_id && latest.target === target) return {};
  if (latest !== undefined) pushMember(event.user, latest.list_id, { removed: [latest.target] }, batch);
  // An entry of a deleted list leaves its former list all the same.
  if (isTakenBack(factsOf({ ...event, event_id: list_id }, batch)))
    return { warnings: [`the list '${clip(list_id)}' was deleted; it gets no members`] };
  pushMember(event.user, list_id, { added: [target] }, batch);
  return {};
}

/** Changes the members of a list; creates it for an added one, because a list may come after its members. */
function pushMember(
  owner: Key,
  list_id: string,
  members: { added?: Key[]; removed?: Key[] },
  batch: WriteBatch,
): void {
  const known = listIn(batch, list_id);
  if (known === undefined && members.added === undefined) return;
  pushList(list_id, known ?? { owner, name: '' }, { ...members, by_record: true }, batch);
}

/** The event of a record, unless the record changes nothing. Names the owner. */
function openEvent(
  { user_id, target_user_id, timestamp, action }: Omit<ListMemberRecord, 'event_id' | 'list_id'>,
  event_id: string,
  batch: WriteBatch,
): { warnings: string[] } | { event: NamedEvent; time: number; facts: ReturnType<typeof factsOf> } {
  const { applied_at, context } = batch;
  const parties = {
    user_id,
    target_user_id,
    timestamp,
    space: action === 'remove' ? USER_LIST.kind : undefined,
  };
  const outdated = context.deletions.outdatedAct(parties, applied_at);
  if (outdated !== undefined) return { warnings: [outdated] };
  const user = context.user_keys.find(user_id);
  const space = USER_LIST.kind;
  const facts = user === NONE ? [] : factsOf({ space, user, user_id, event_id }, batch);
  if (isTakenBack(facts)) {
    const again = `the record '${clip(event_id)}' was deleted before; it changed nothing`;
    return { warnings: action === 'remove' ? [] : [again] };
  }
  batch.require(context.estimates.users([user_id]));
  const event = { space, user: batch.userKey(user_id), user_id, event_id } as const;
  return { event, time: clamped(timestamp ?? applied_at, applied_at), facts };
}
