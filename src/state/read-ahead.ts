import { consume } from '../consume.ts';
import type { Change } from '../model/change.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { INTERACTION } from '../model/changes/interaction.ts';
import { NONE } from '../model/key.ts';
import type { State } from './state.ts';

/** The number of changes to read ahead for at once. Their data must stay in the nearest caches. */
export const READ_AHEAD = 64;

/** The users of the current changes, and their items or followed users. */
const user_of = new Int32Array(READ_AHEAD);
const object_of = new Int32Array(READ_AHEAD);

/**
 * Reads the data of some interactions or follows into the processor's cache before they are applied.
 *
 * Such short loops fetch many places at once, while `apply` waits for each. Changes nothing. Saves a quarter of the
 * time from 3 million interactions on.
 * @param changes up to `READ_AHEAD` of them, starting at `from`, are read for
 */
export function readAhead(state: State, changes: readonly Change[], from = 0): void {
  const until = Math.min(from + READ_AHEAD, changes.length);
  ofInteractions(state, changes, from, until);
  ofFollows(state, changes, from, until);
}

function ofInteractions(state: State, changes: readonly Change[], from: number, until: number): void {
  const { touched, by_user, by_item } = state.interactions;
  let count = 0;
  for (let at = from; at < until; at++) {
    const change = changes[at];
    if (change.kind !== INTERACTION.kind) continue;
    const user = state.users.names.ordinal(change.user);
    const item = state.items.names.ordinal(change.item);
    user_of[count] = user;
    object_of[count] = item;
    if (user !== NONE && item !== NONE) count++;
  }
  let sum = 0;
  // First the positions of lists and tables.
  for (let at = 0; at < count; at++) {
    sum += touched.prefetch(user_of[at]) + by_user.prefetch(user_of[at]);
    sum += by_item.prefetch(object_of[at]) + state.items.activity(object_of[at]);
  }
  // Then the entries in them.
  for (let at = 0; at < count; at++) {
    sum += touched.flags(user_of[at], object_of[at]);
    sum += by_user.prefetchLast(user_of[at]) + by_item.prefetchLast(object_of[at]);
  }
  consume(sum);
}

function ofFollows(state: State, changes: readonly Change[], from: number, until: number): void {
  const { follows } = state;
  let count = 0;
  for (let at = from; at < until; at++) {
    const change = changes[at];
    if (change.kind !== FOLLOW.kind) continue;
    const user = state.users.names.ordinal(change.user);
    const target = state.users.names.ordinal(change.target);
    user_of[count] = user;
    object_of[count] = target;
    if (user !== NONE && target !== NONE) count++;
  }
  let sum = 0;
  for (let at = 0; at < count; at++) sum += follows.prefetch(user_of[at], object_of[at]);
  for (let at = 0; at < count; at++) sum += follows.prefetchEntry(user_of[at], object_of[at]);
  consume(sum);
}
