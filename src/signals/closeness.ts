import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** The viewer's latest acts that are looked at, and the latest users of each of their items. */
const ACTS = 50;
const USERS = 50;
/** An act on somebody's own item says as much as so many items in common. */
const OWN_ITEM = 2;
/** Somebody without anything in common still counts a little. */
const STRANGER = 0.2;
const MUTUAL = 1.5;

/**
 * How close a user is to the viewer: (items in common + 2 for each of the user's own that the viewer acted on
 * + 0.2) / √(the user's acts + 1), so that who does everything is not close to everybody, times 1.5 when
 * they follow the viewer back. What the viewer hid or reported brings nobody closer. O(acts × users), then O(1) each.
 */
export function closenessTo(state: State, viewer: Ordinal): (user: Ordinal) => number {
  const common = new Map<Ordinal, number>();
  const count = (user: Ordinal, weight: number) => common.set(user, (common.get(user) ?? 0) + weight);
  const { by_user, by_item } = state.interactions;
  const stop = Math.max(by_user.start(viewer), by_user.end(viewer) - ACTS);
  for (let at = by_user.end(viewer) - 1; at >= stop; at--) {
    if (by_user.removed(at) || state.vocabulary.interest[by_user.event_type(at)] === 0) continue;
    const item = by_user.other(at);
    const author = state.items.author(item);
    if (author !== NONE) count(author, OWN_ITEM);
    const oldest = Math.max(by_item.start(item), by_item.end(item) - USERS);
    for (let visit = by_item.end(item) - 1; visit >= oldest; visit--) count(by_item.other(visit), 1);
  }
  return (user) => {
    const closeness = ((common.get(user) ?? 0) + STRANGER) / Math.sqrt(by_user.length(user) + 1);
    return state.follows.follows(user, viewer) ? closeness * MUTUAL : closeness;
  };
}
