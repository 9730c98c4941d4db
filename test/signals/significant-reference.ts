import type { State } from '../../src/state/state.ts';

/** A significant act. */
export interface SignificantAct {
  item: number;
  interest: number;
  seconds: number;
}

/** The acts of a user that `SignificantActs` selects, newest first, in plain lists. */
export function naiveSignificantActs(state: State, user: number, history: number): SignificantAct[] {
  const { interactions, vocabulary } = state;
  const { by_user: log } = interactions;
  const positions = Array.from({ length: log.length(user) }, (_, index) => log.end(user) - 1 - index);
  const hidden = new Set(
    positions.filter((at) => !log.removed(at) && vocabulary.isHide(log.event_type(at))).map(log.other, log),
  );
  const seen = new Set<string>();
  const significant: SignificantAct[] = [];
  for (const at of positions.slice(0, 8 * history)) {
    const item = log.other(at);
    const interest = vocabulary.interest[log.event_type(at)];
    const pair = `${item} ${log.event_type(at)}`;
    if (log.removed(at) || interest === 0 || hidden.has(item) || seen.has(pair)) continue;
    seen.add(pair);
    significant.push({ item, interest, seconds: log.seconds(at) });
  }
  return newestOrApproving(significant, history);
}

/** The first `most`, at least half of which are approvals if there are enough. */
export function newestOrApproving<Act extends { interest: number }>(
  acts: readonly Act[],
  most: number,
): Act[] {
  const approvals = acts.filter(({ interest }) => interest >= 0.5);
  const sure = new Set(approvals.slice(0, Math.ceil(most / 2)));
  const others = acts.filter((act) => !sure.has(act)).slice(0, most - sure.size);
  return acts.filter((act) => sure.has(act) || others.includes(act));
}
