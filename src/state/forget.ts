import { NONE } from '../model/key.ts';
import { hideByLabels } from './hidden.ts';
import { eraseFromLists } from './list-changes.ts';
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
  for (const item of items) withdraw(state, item);
  eraseActsOn(state, items, acts_before);
}

/** Removes items for good, including their names. Later changes to them are skipped. */
export function forgetItems(state: State, items: readonly number[], applied_at: number): void {
  deleteItems(state, items);
  forgetNames(state, items, applied_at);
}

/** Deletes an item, but for the acts on it. */
function withdraw(state: State, item: number): void {
  unlist(state, item);
  state.items.delete(item);
  state.fields.forgetItem(item);
  state.words.forgetItem(item);
  state.embeddings.clear(item);
  state.reports.clear(item);
  state.labels.forget('item', item);
  if (state.learns) state.learning.forgetItem(state.items.names.key(item));
}

function eraseActsOn(state: State, items: readonly number[], before?: number): void {
  state.interactions.eraseItems(items, before);
  for (const item of items) {
    state.changed.note(item);
    state.rewritten.note(item);
  }
}

function forgetNames(state: State, items: readonly number[], applied_at: number): void {
  for (const item of items) {
    state.withdrawn.delete(item);
    state.skipped.delete(item);
    state.items.names.forget(item);
    state.recycler.add(item, applied_at);
  }
}

/** What is removed at once, at most: lists' entries of items, items with the acts on them, acts, and follows. */
const UNLISTED_AT_ONCE = 64;
const ITEMS_AT_ONCE = 512;
const ACTS_AT_ONCE = 2_000;
const FOLLOWS_AT_ONCE = 2_000;
const LABELS_AT_ONCE = 2_000;

/**
 * Erases a user, their acts, and their items (deleted ones too) with all acts on those. Pages may be built between two
 * steps: each leaves a state in which the user has less. No change may be applied in between.
 */
export function* eraseUser(state: State, user: number, applied_at: number): Generator<undefined, void> {
  if (user === NONE) return;
  for (const items of itemsOf(state, user)) {
    for (const [place, item] of items.entries()) {
      withdraw(state, item);
      if (place % UNLISTED_AT_ONCE === UNLISTED_AT_ONCE - 1) yield;
    }
    eraseActsOn(state, items);
    forgetNames(state, items, applied_at);
    for (const item of items) state.invalidated.note(item);
    yield;
  }
  while (eraseSomeActs(state, user)) yield;
  while (state.follows.eraseSome(user, FOLLOWS_AT_ONCE)) yield;
  invalidateActsOf(state, user);
  state.interactions.eraseUser(user);
  state.follows.eraseUser(user);
  state.blocks.eraseUser(user);
  state.preferences.erase(user);
  eraseFromLists(state, user);
  yield* eraseLabels(state, user);
  state.user_places.set(user, undefined);
  if (state.learns) state.learning.forgetAuthor(state.users.names.key(user));
  state.users.erase(user);
  state.fields.forgetUser(user);
  state.erased_at = applied_at;
}

/** The items of a user, and those that were deleted, in parts with some thousand acts on them. */
function itemsOf({ by_author, withdrawn, interactions }: State, user: number): number[][] {
  const parts: number[][] = [];
  let acts = ACTS_AT_ONCE;
  const add = (item: number): void => {
    const part = parts.at(-1);
    if (part === undefined || acts >= ACTS_AT_ONCE || part.length === ITEMS_AT_ONCE) {
      parts.push([item]);
      acts = 0;
    } else part.push(item);
    acts += interactions.by_item.length(item);
  };
  for (let at = by_author.start(user); at < by_author.end(user); at++) add(by_author.item(at));
  for (const item of withdrawn.of(user)) add(item);
  return parts;
}

/** Forgets the labels of a user, and those that they gave. */
function* eraseLabels(state: State, user: number): Generator<undefined, void> {
  const { labels } = state;
  labels.forget('user', user);
  while (labels.isLabeler(user)) {
    for (const [space, subject] of labels.forgetSome(user, LABELS_AT_ONCE))
      hideByLabels(state, space, subject);
    yield;
  }
}

function eraseSomeActs({ interactions, invalidated }: State, user: number): boolean {
  const items = interactions.eraseSome(user, ACTS_AT_ONCE);
  for (const item of items) invalidated.note(item);
  return items.size > 0;
}
