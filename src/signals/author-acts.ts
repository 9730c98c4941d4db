import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** The viewer's latest acts that count. */
const HISTORY = 200;

/** How often the viewer acted on items of each author lately, by what each act says. O(history). */
export function actsOnAuthors(state: State, viewer: Ordinal): Map<Ordinal, number> {
  const acts = new Map<Ordinal, number>();
  const log = state.interactions.by_user;
  const stop = Math.max(log.start(viewer), log.end(viewer) - HISTORY);
  for (let at = log.end(viewer) - 1; at >= stop; at--) {
    const interest = state.vocabulary.interest[log.event_type(at)];
    const author = state.items.author(log.other(at));
    if (author === NONE || interest === 0 || log.removed(at)) continue;
    acts.set(author, (acts.get(author) ?? 0) + interest);
  }
  return acts;
}
