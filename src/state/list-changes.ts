import { CHANGES_KEPT } from '../columns/change-ring.ts';
import type { UserListChange } from '../model/changes/user-list.ts';
import { NONE } from '../model/key.ts';
import type { State } from './state.ts';

/** Applies a new version of a list of users, or its deletion. Skipped if the owner was erased. */
export function applyUserList(state: State, change: UserListChange): void {
  const { names } = state.users;
  const { list_id, name, action } = change;
  const owner = names.ordinal(change.owner);
  if (change.owner !== NONE && owner === NONE) return;
  if (action === 0) {
    noteItemsOf(state, state.user_lists.get(list_id)?.users() ?? []);
    state.user_lists.delete(list_id);
    return;
  }
  const known = (keys: Uint32Array) =>
    Array.from(keys, (key) => names.ordinal(key)).filter((user) => user !== NONE);
  const [added, removed] = [known(change.added), known(change.removed)];
  state.user_lists.set({ list_id, name, owner, by_record: change.by_record === 1, added, removed });
  noteItemsOf(state, [...added, ...removed]);
}

/** Takes an erased user out of all lists, and forgets those that they own. */
export function eraseFromLists(state: State, user: number): void {
  const { user_lists } = state;
  for (const list_id of user_lists.ids()) {
    const list = user_lists.get(list_id);
    if (list?.owner === user) noteItemsOf(state, list.users());
  }
  user_lists.eraseUser(user);
}

/**
 * Makes cached results of filters on authors test the items of these users again. After more items than the ring holds,
 * all caches are outdated, so the rest is not noted. O(users + noted items).
 */
function noteItemsOf({ by_author, rewritten }: State, users: readonly number[]): void {
  let left = CHANGES_KEPT + 1;
  for (const user of users) {
    for (let at = by_author.start(user); at < by_author.end(user) && left > 0; at++, left--)
      rewritten.note(by_author.item(at));
    if (left === 0) return;
  }
}
