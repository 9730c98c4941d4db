import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { SignificantActs } from './significant-acts.ts';

/** The number of the viewer's latest acts to read, and of the latest acts on each of their items. */
const ACTS = 50;
const USERS = 50;
/** An act on a user's own item counts as much as this many common items. */
const OWN_ITEM = 2;
/** The minimum weight of a user without common items. */
const BASE_WEIGHT = 0.2;
const MUTUAL = 1.5;

/** A user's common weight with the viewer, and the last counted item. */
interface Common {
  weight: number;
  last: Ordinal;
}

/**
 * How close a user is to the viewer.
 *
 * (common items + 2 for each type of act of the viewer on each item of the user + 0.2) / √(the user's acts + 1), times
 * 1.5 if the user follows the viewer back. The root keeps users who do everything from being close to every viewer.
 * Items that the viewer hid or reported do not count. O(acts × users), then O(1) per user.
 * @param acts the acts of users; it is refilled
 */
export function closenessTo(state: State, viewer: Ordinal, acts: SignificantActs): (user: Ordinal) => number {
  const common = new Map<Ordinal, Common>();
  const items = new Set<Ordinal>();
  const { by_user, by_item } = state.interactions;
  /** @param item the item in which a user counts once; NONE to count each time */
  const count = (user: Ordinal, weight: number, item: Ordinal) => {
    const known = common.get(user);
    if (known === undefined) common.set(user, { weight, last: item });
    else if (item === NONE || known.last !== item) {
      known.weight += weight;
      known.last = item;
    }
  };
  acts.choose(viewer, ACTS);
  for (const at of acts.positions.subarray(0, acts.count)) {
    const item = by_user.other(at);
    const author = state.items.author(item);
    if (author !== NONE) count(author, OWN_ITEM, NONE);
    items.add(item);
  }
  for (const item of items) {
    const oldest = by_item.oldest(item, USERS);
    for (let visit = by_item.end(item) - 1; visit >= oldest; visit--) {
      if (!by_item.removed(visit)) count(by_item.other(visit), 1, item);
    }
  }
  return (user) => {
    const closeness = ((common.get(user)?.weight ?? 0) + BASE_WEIGHT) / Math.sqrt(by_user.length(user) + 1);
    return state.follows.follows(user, viewer) ? closeness * MUTUAL : closeness;
  };
}
