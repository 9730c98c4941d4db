import { type Change, NONE } from './change.ts';
import type { State } from './state.ts';

/** Changes that are read ahead for together: what they need must stay in the nearest caches. */
export const READ_AHEAD = 64;

/** User and item of each interaction among the changes at hand. */
const user_of = new Int32Array(READ_AHEAD);
const item_of = new Int32Array(READ_AHEAD);

/**
 * Reads what applying some interactions will read, before they are applied one after another: in a large community
 * most of it is not in the processor's cache, and in loops this short it fetches many places at once, where
 * `apply` waits for each. Changes nothing. Saves a quarter of the time from 3 million interactions on.
 * @param changes the first `READ_AHEAD` from `from` on are read for
 * @returns a sum of what was read, of no meaning, so that no compiler leaves the reading out
 */
export function readAhead(state: State, changes: readonly Change[], from = 0): number {
  const { touched, by_user, by_item } = state.interactions;
  const until = Math.min(from + READ_AHEAD, changes.length);
  let count = 0;
  for (let at = from; at < until; at++) {
    const change = changes[at];
    if (change.kind !== 'interaction') continue;
    const user = state.users.names.ordinal(change.user);
    const item = state.items.names.ordinal(change.item);
    user_of[count] = user;
    item_of[count] = item;
    if (user !== NONE && item !== NONE) count++;
  }
  let sum = 0;
  // Where the lists and tables lie …
  for (let at = 0; at < count; at++) {
    sum += touched.glance(user_of[at]) + by_user.glance(user_of[at]);
    sum += by_item.glance(item_of[at]) + state.items.activity(item_of[at]);
  }
  // … and the places in them.
  for (let at = 0; at < count; at++) {
    sum += touched.flags(user_of[at], item_of[at]);
    sum += by_user.glanceAtLast(user_of[at]) + by_item.glanceAtLast(item_of[at]);
  }
  return sum;
}
