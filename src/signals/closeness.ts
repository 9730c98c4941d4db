import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { TellingActs } from './telling-acts.ts';

/** The viewer's latest acts that are looked at, and the latest acts on each of their items. */
const ACTS = 50;
const USERS = 50;
/** An act on somebody's own item says as much as so many items in common. */
const OWN_ITEM = 2;
/** Somebody without anything in common still counts a little. */
const STRANGER = 0.2;
const MUTUAL = 1.5;

/** What somebody has in common with the viewer, and the item that was counted last. */
interface Common {
  weight: number;
  last: Ordinal;
}

/**
 * How close a user is to the viewer: (items in common + 2 for each kind of act that the viewer did with each of the
 * user's own + 0.2) / √(the user's acts + 1), so that who does everything is not close to everybody, times 1.5 when
 * they follow the viewer back. What the viewer hid or reported brings nobody closer. O(acts × users), then O(1) each.
 * @param acts of users, for its own use
 */
export function closenessTo(state: State, viewer: Ordinal, acts: TellingActs): (user: Ordinal) => number {
  const common = new Map<Ordinal, Common>();
  const items = new Set<Ordinal>();
  const { by_user, by_item } = state.interactions;
  /** @param item in which somebody counts once; NONE: each time */
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
    const closeness = ((common.get(user)?.weight ?? 0) + STRANGER) / Math.sqrt(by_user.length(user) + 1);
    return state.follows.follows(user, viewer) ? closeness * MUTUAL : closeness;
  };
}
