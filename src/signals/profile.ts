import type { Ordinal, ProfileOptions } from '../plugin/index.ts';
import type { Postings } from '../state/postings.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { postingsOf, TASTE_COLUMNS, type TasteColumn, type Tastes } from './tastes.ts';
import { visitTellingActs } from './telling-acts.ts';

/** What a value says about taste by its column: whom one reads says most, the language least. */
const COLUMN_WEIGHT: Record<TasteColumn, number> = {
  author: 1,
  channel: 0.8,
  label: 0.6,
  app: 0.2,
  language: 0.1,
};

interface Preference {
  column: TasteColumn;
  code: number;
  strength: number;
}

/**
 * Adds to `into` the newest items of the values that the viewer prefers, new ones that nobody has touched
 * included: of authors, channels, labels, apps and languages. A value's strength is its share of the
 * viewer's latest acts times its rarity log(N / n) / log(N), where n of the N items have it, so that what
 * everything has says nothing; an item's weight is the sum over its values. O(history + values × newest).
 * @param tastes empty, for its own use
 */
export function reachByProfile(
  state: State,
  viewer: Ordinal,
  options: ProfileOptions,
  tastes: Tastes,
  into: Accumulator,
): void {
  visitTellingActs(state, viewer, options.history, (item, interest) => tastes.note(item, interest));
  tastes.countNoted();
  for (const { column, code, strength } of preferences(state, viewer, tastes, options.values)) {
    const postings = postingsOf(state, column);
    const stop = Math.max(postings.start(code), postings.end(code) - options.newest);
    for (let at = postings.end(code) - 1; at >= stop; at--) into.add(postings.item(at), strength);
  }
}

/** The strongest `most` first; equally strong ones in order of their columns, then of their first arrival. */
function preferences(state: State, viewer: Ordinal, tastes: Tastes, most: number): Preference[] {
  const found: Preference[] = [];
  const items = Math.max(2, state.by_time.length(0));
  for (const column of TASTE_COLUMNS) {
    const postings = postingsOf(state, column);
    if (readAhead(postings, tastes, column) === 0) continue;
    tastes.forEach(column, (code, weight) => {
      const share = COLUMN_WEIGHT[column] * (weight / tastes.total);
      // Rarity only makes it less.
      if (found.length === most && share <= found[most - 1].strength) return;
      if (column === 'author' && code === viewer) return;
      const strength = (share * Math.log(items / Math.max(1, postings.length(code)))) / Math.log(items);
      if (strength > 0) place(found, { column, code, strength }, most);
    });
  }
  return found;
}

/**
 * Reads how many items each value has: most of it is not in the processor's cache, and in a loop this short it fetches
 * many at once.
 * @returns values that items have
 */
function readAhead(postings: Postings, tastes: Tastes, column: TasteColumn): number {
  let values = 0;
  tastes.forEach(column, (code) => {
    if (postings.length(code) > 0) values++;
  });
  return values;
}

/** Puts a preference behind those that are at least as strong; of too many the last goes. */
function place(found: Preference[], preference: Preference, most: number): void {
  let at = found.length;
  if (at < most) found.push(preference);
  else if (preference.strength > found[--at].strength) found[at] = preference;
  else return;
  for (; at > 0 && found[at - 1].strength < preference.strength; at--) found[at] = found[at - 1];
  found[at] = preference;
}
