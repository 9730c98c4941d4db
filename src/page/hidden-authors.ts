import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/**
 * The times at which the viewer hid items, by author, latest first.
 *
 * Each item counts once. O(the viewer's entries).
 */
export function hiddenAuthors(state: State, viewer: Ordinal): Map<Ordinal, number[]> {
  const times = new Map<Ordinal, number[]>();
  const log = state.interactions.by_user;
  // A cheap check first: most viewers hid nothing.
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
