import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { visitTellingActs } from './telling-acts.ts';

/** The viewer's latest acts that count, of those that say something. */
const HISTORY = 200;

/** How often the viewer acted on items of each author lately, by what each act says, one of a kind on each. O(history). */
export function actsOnAuthors(state: State, viewer: Ordinal): Map<Ordinal, number> {
  const acts = new Map<Ordinal, number>();
  visitTellingActs(state, viewer, HISTORY, (item, interest) => {
    const author = state.items.author(item);
    if (author !== NONE) acts.set(author, (acts.get(author) ?? 0) + interest);
  });
  return acts;
}
