import { consume } from '../consume.ts';
import { type Change, NONE } from './change.ts';
import type { State } from './state.ts';

/** Changes that are read ahead for together: what they need must stay in the nearest caches. */
export const READ_AHEAD = 64;

/** Of each of the changes at hand who did it, and to what or whom. */
const user_of = new Int32Array(READ_AHEAD);
const object_of = new Int32Array(READ_AHEAD);

/**
 * Reads what applying some interactions or follows will read into the processor's cache, before they are applied one
 * after another: loops this short fetch many places at once, where `apply` waits for each. Changes nothing. Saves a
 * quarter of the time from 3 million interactions on.
 * @param changes the first `READ_AHEAD` from `from` on are read for
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
    if (change.kind !== 'interaction') continue;
    const user = state.users.names.ordinal(change.user);
    const item = state.items.names.ordinal(change.item);
    user_of[count] = user;
    object_of[count] = item;
    if (user !== NONE && item !== NONE) count++;
  }
  let sum = 0;
  // Where the lists and tables lie …
  for (let at = 0; at < count; at++) {
    sum += touched.glance(user_of[at]) + by_user.glance(user_of[at]);
    sum += by_item.glance(object_of[at]) + state.items.activity(object_of[at]);
  }
  // … and the places in them.
  for (let at = 0; at < count; at++) {
    sum += touched.flags(user_of[at], object_of[at]);
    sum += by_user.glanceAtLast(user_of[at]) + by_item.glanceAtLast(object_of[at]);
  }
  consume(sum);
}

function ofFollows(state: State, changes: readonly Change[], from: number, until: number): void {
  const { follows } = state;
  let count = 0;
  for (let at = from; at < until; at++) {
    const change = changes[at];
    if (change.kind !== 'follow') continue;
    const user = state.users.names.ordinal(change.user);
    const target = state.users.names.ordinal(change.target);
    user_of[count] = user;
    object_of[count] = target;
    if (user !== NONE && target !== NONE) count++;
  }
  let sum = 0;
  for (let at = 0; at < count; at++) sum += follows.glance(user_of[at], object_of[at]);
  for (let at = 0; at < count; at++) sum += follows.glanceAt(user_of[at], object_of[at]);
  consume(sum);
}
