import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** Whether an item is live and not blocked for the viewer. Only its time may still hide it. */
export function isOffered(state: State, viewer: Ordinal, item: Ordinal): boolean {
  if (!state.live(item)) return false;
  const author = state.items.author(item);
  return author === NONE || viewer === NONE || !state.blocks.between(viewer, author);
}
