import { NONE } from '../model/key.ts';
import type { State } from './state.ts';

/** Whether a user may be named to a viewer at all: known, not hidden, and in no block with them. */
export function mayBeNamed(state: State, viewer: number, user: number): boolean {
  const { users, blocks } = state;
  if (!users.names.holds(user) || users.hidden(user)) return false;
  return viewer === NONE || !blocks.between(viewer, user);
}

/** The users that a viewer follows and that may be named to them. O(follows). */
export function namedFollows(state: State, viewer: number): number[] {
  if (viewer === NONE) return [];
  const followed = state.followed(viewer);
  return state.blocks.any(viewer) ? followed.filter((user) => mayBeNamed(state, viewer, user)) : followed;
}
