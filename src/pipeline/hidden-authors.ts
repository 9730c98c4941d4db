import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** When the viewer hid items of each author, latest first, each item once. O(the viewer's entries). */
export function hiddenAuthors(state: State, viewer: Ordinal): Map<Ordinal, number[]> {
  const times = new Map<Ordinal, number[]>();
  const log = state.interactions.by_user;
  // Most viewers hid nothing, which a short loop tells.
  if ((log.types(viewer) & state.vocabulary.hiding) === 0) return times;
  const counted = new Set<Ordinal>();
  for (let at = log.end(viewer) - 1; at >= log.start(viewer); at--) {
    if (log.removed(at) || !state.vocabulary.isHide(log.event_type(at))) continue;
    const item = log.other(at);
    const author = state.items.author(item);
    if (author === NONE || counted.has(item)) continue;
    counted.add(item);
    const known = times.get(author);
    if (known === undefined) times.set(author, [log.timestamp(at)]);
    else known.push(log.timestamp(at));
  }
  return times;
}
