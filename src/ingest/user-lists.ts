/** Lists of users, as clients send them: whole, or as additions and removals. */
import { invalidValue, notFound } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { USER_LIST, type UserListChange } from '../model/changes/user-list.ts';
import { type Key, NONE } from '../model/key.ts';
import type { ListEdit } from '../model/records/user-list.ts';
import { grouped } from '../plugin/list-of.ts';
import type { IngestContext } from './context.ts';
import type { Sliced } from './in-turns.ts';
import type { CapacityEstimate } from './state-capacity.ts';
import type { ListFacts, WriteBatch } from './write-batch.ts';

/** The number of users that are compared per turn of the event loop: about a millisecond. */
const SLICE = 2_000;

export interface ListResult {
  added: number;
  removed: number;
}

/** What an edit changes of the members of a list. */
export interface ListDifference {
  added: Set<Key>;
  /** Users to add who have no key yet. */
  unnamed: Set<string>;
  removed: Key[];
}

/** Compares an edit with the list. All earlier changes must have been applied. O(the edit, a whole list). */
export function* compareList(edit: ListEdit, { user_keys, state }: IngestContext): Sliced<ListDifference> {
  const { names } = state.users;
  const list = state.user_lists.get(edit.list_id);
  const difference: ListDifference = { added: new Set(), unnamed: new Set(), removed: [] };
  const kept = new Set<number>();
  for (const [index, id] of (edit.user_ids ?? edit.add ?? []).entries()) {
    if (index % SLICE === SLICE - 1) yield;
    const key = user_keys.find(id);
    const user = names.ordinal(key);
    if (key === NONE) difference.unnamed.add(id);
    else if (list?.has(user)) kept.add(user);
    else difference.added.add(key);
  }
  const leaving =
    edit.user_ids === undefined
      ? new Set((edit.remove ?? []).map((id) => names.find(id)).filter((user) => list?.has(user)))
      : (list?.users() ?? []).filter((user) => !kept.has(user));
  difference.removed = Array.from(leaving, (user) => names.key(user));
  return difference;
}

/** The room that an edit takes. */
export function roomFor(
  { list_id }: ListEdit,
  { added, unnamed }: ListDifference,
  { estimates, state }: IngestContext,
): CapacityEstimate {
  const at_most = {
    ...estimates.users([...unnamed]).at_most,
    lists: state.user_lists.get(list_id) === undefined ? 1 : 0,
    list_entries: added.size + unnamed.size,
  };
  return { at_most, exactly: () => at_most };
}

/**
 * Adds the change of an edit to a batch; none if it changes nothing.
 * @throws ServiceError `not_found` for changes of an unknown list, `invalid_value` if it becomes too long, `state_full`
 */
export function addListEdit(edit: ListEdit, difference: ListDifference, batch: WriteBatch): ListResult {
  const { list_id, is_deleted } = edit;
  const { context } = batch;
  const { added, unnamed, removed } = difference;
  const known = listIn(batch, list_id);
  if (known === undefined && edit.user_ids === undefined) throw notFound('list', list_id);
  const size = context.state.user_lists.get(list_id)?.size ?? 0;
  const nothing = { added: 0, removed: 0 };
  if (is_deleted) {
    pushList(list_id, undefined, {}, batch);
    return { ...nothing, removed: size };
  }
  const more = added.size + unnamed.size;
  requireLength(size + more - removed.length, '/add');
  const name = edit.name ?? known?.name ?? '';
  if (known?.name === name && more + removed.length === 0) return nothing;
  batch.require(roomFor(edit, difference, context));
  for (const id of unnamed) added.add(batch.userKey(id));
  pushList(list_id, { owner: NONE, ...known, name }, { added: [...added], removed }, batch);
  return { added: more, removed: removed.length };
}

/** @throws ServiceError `invalid_value` */
export function requireLength(size: number, path: string): void {
  if (size <= LIMITS.user_list_length_max) return;
  const message = `the list would have ${grouped(size)} users; at most ${grouped(LIMITS.user_list_length_max)} are allowed`;
  throw invalidValue([{ path, message }]);
}

/** The list as of the batch, which all earlier changes precede. Undefined for an unknown one. */
export function listIn({ lists, context }: WriteBatch, list_id: string): ListFacts | undefined {
  if (lists.has(list_id)) return lists.get(list_id);
  const { user_lists, users } = context.state;
  const known = user_lists.get(list_id);
  return known && { name: known.name, owner: known.owner === NONE ? NONE : users.names.key(known.owner) };
}

/** Adds a change of a list to a batch. @param facts undefined to delete the list */
export function pushList(
  list_id: string,
  facts: ListFacts | undefined,
  members: { added?: readonly Key[]; removed?: readonly Key[]; by_record?: true },
  batch: WriteBatch,
): void {
  const { name, owner } = facts ?? { name: '', owner: listIn(batch, list_id)?.owner ?? NONE };
  batch.lists.set(list_id, facts);
  const change: UserListChange = {
    kind: USER_LIST.kind,
    ...{ list_id, owner, name },
    action: facts === undefined ? 0 : 1,
    by_record: members.by_record ? 1 : 0,
    added: Uint32Array.from(members.added ?? []),
    removed: Uint32Array.from(members.removed ?? []),
    ...{ seq: 0, applied_at: batch.applied_at },
  };
  batch.push(change);
}
