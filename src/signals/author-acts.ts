import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { SignificantActs } from './significant-acts.ts';

/** The number of the viewer's latest significant acts that count. */
const HISTORY = 200;

/**
 * The viewer's recent acts per author, weighted by interest. Acts of one type on an item count once. O(history).
 * @param acts the acts of users; it is refilled
 */
export function actsOnAuthors(state: State, viewer: Ordinal, acts: SignificantActs): Map<Ordinal, number> {
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
