import { NONE } from '../model/key.ts';
import { unlist } from './listed.ts';
import type { State } from './state.ts';

/** Makes caches drop what they derived from a user's acts. O(the user's entries). */
export function invalidateActsOf({ interactions: { by_user }, invalidated }: State, user: number): void {
  let former = NONE;
  for (let at = by_user.start(user); at < by_user.end(user); at++) {
    const item = by_user.other(at);
    if (item !== former) invalidated.note(item);
    former = item;
  }
}

/** Deletes items with the acts on them before a time, or with all acts. Impressions remain. */
export function deleteItems(state: State, items: readonly number[], acts_before?: number): void {
  for (const item of items) {
    unlist(state, item);
    state.items.delete(item);
    state.fields.forgetItem(item);
    state.embeddings.clear(item);
    state.reports.clear(item);
  }
  state.interactions.eraseItems(items, acts_before);
  for (const item of items) {
    state.changed.note(item);
    state.rewritten.note(item);
  }
}

/** Removes items for good, including their names. Later changes to them are skipped. */
export function forgetItems(state: State, items: readonly number[], applied_at: number): void {
  deleteItems(state, items);
  for (const item of items) {
    state.withdrawn.delete(item);
    state.skipped.delete(item);
    state.items.names.forget(item);
    state.recycler.add(item, applied_at);
  }
}

/** Erases a user, their acts, and their items (deleted ones too) with all acts on those. */
export function eraseUser(state: State, user: number, applied_at: number): void {
  if (user === NONE) return;
  const own: number[] = [];
  for (let at = state.by_author.start(user); at < state.by_author.end(user); at++)
    own.push(state.by_author.item(at));
  for (const item of state.withdrawn.of(user)) own.push(item);
  forgetItems(state, own, applied_at);
  for (const item of own) state.invalidated.note(item);
  invalidateActsOf(state, user);
  state.interactions.eraseUser(user);
  state.follows.eraseUser(user);
  state.blocks.eraseUser(user);
  state.user_places.set(user, undefined);
  state.users.erase(user);
  state.fields.forgetUser(user);
  state.erased_at = applied_at;
}
