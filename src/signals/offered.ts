import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** Nothing but its time may keep an item from the viewer: it is live, and no block is between them and its author. */
export function isOffered(state: State, viewer: Ordinal, item: Ordinal): boolean {
  if (!state.live(item)) return false;
  const author = state.items.author(item);
  return author === NONE || viewer === NONE || !state.blocks.between(viewer, author);
}
