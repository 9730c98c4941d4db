import { NONE } from '../model/key.ts';
import { mutesUser } from './muted.ts';
import type { State } from './state.ts';

/** Whether a user may be named to a viewer at all: known, not hidden, in no block with them and not muted by them. */
export function mayBeNamed(state: State, viewer: number, user: number, now: number): boolean {
  const { users, blocks } = state;
  if (!users.names.holds(user) || users.hidden(user)) return false;
  return viewer === NONE || !(blocks.between(viewer, user) || mutesUser(state, viewer, user, now));
}

/** The users that a viewer follows and that may be named to them. O(follows). */
export function namedFollows(state: State, viewer: number, now: number): number[] {
  if (viewer === NONE) return [];
  const followed = state.followed(viewer);
  const { blocks, preferences } = state;
  if (!blocks.any(viewer) && preferences.of(viewer) === undefined) return followed;
  return followed.filter((user) => mayBeNamed(state, viewer, user, now));
}
