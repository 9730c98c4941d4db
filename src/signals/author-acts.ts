import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { TellingActs } from './telling-acts.ts';

/** The viewer's latest acts that count, of those that say something. */
const HISTORY = 200;

/**
 * How often the viewer acted on items of each author lately, by what each act says, one of a kind on each. O(history).
 * @param acts of users, for its own use
 */
export function actsOnAuthors(state: State, viewer: Ordinal, acts: TellingActs): Map<Ordinal, number> {
  const { by_user } = state.interactions;
  const { interest } = state.vocabulary;
  const counts = new Map<Ordinal, number>();
  acts.choose(viewer, HISTORY);
  for (const at of acts.positions.subarray(0, acts.count)) {
    const author = state.items.author(by_user.other(at));
    if (author === NONE) continue;
    counts.set(author, (counts.get(author) ?? 0) + interest[by_user.event_type(at)]);
  }
  return counts;
}
