import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** Of somebody's acts so many are read at most for each that is to say something. */
const READ_PER_ACT = 8;

/**
 * The latest `history` acts of a user that say something of what they like, newest first. What is hidden or was taken
 * back says nothing, and takes no place of what does, but for those who do little else. O(history).
 * @param visit gets how much an act says, in (0, 1], and its position in the log by user
 */
export function visitTellingActs(
  { interactions, vocabulary }: State,
  user: Ordinal,
  history: number,
  visit: (item: Ordinal, interest: number, at: number) => void,
): void {
  const { by_user } = interactions;
  const { interest } = vocabulary;
  const end = by_user.end(user);
  const stop = Math.max(by_user.start(user), end - READ_PER_ACT * history);
  let left = history;
  for (let at = end - 1; at >= stop && left > 0; at--) {
    const says = interest[by_user.event_type(at)];
    if (says === 0 || by_user.removed(at)) continue;
    left--;
    visit(by_user.other(at), says, at);
  }
}
