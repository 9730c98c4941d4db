import type { Ordinal, ProfileOptions } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import type { ObjectPool } from './object-pool.ts';
import { isOffered } from './offered.ts';
import type { SignificantActs } from './significant-acts.ts';
import { postingsOf, TASTE_COLUMNS, type TasteColumn, type Tastes } from './tastes.ts';

/** The weight of each column for taste: authors matter most, languages least. */
export const COLUMN_WEIGHT: Record<TasteColumn, number> = {
  author: 1,
  channel: 0.8,
  label: 0.6,
  app: 0.2,
  language: 0.1,
};

/** The maximum number of items to read per result, since the viewer may not see some. */
const READS_PER_PLACE = 8;

export interface ProfileScratch {
  significant_acts: SignificantActs;
  tastes: ObjectPool<Tastes>;
}

interface Preference {
  column: TasteColumn;
  code: number;
  strength: number;
}

/**
 * Adds the newest items with the viewer's preferred values to `into`, including items without engagement.
 *
 * Values are authors, channels, labels, apps and languages. The strength of a value is its share of the viewer's latest
 * acts times its rarity log(N / n) / log(N), where n of the N items have it. So a value of every item has no strength.
 * The weight of an item is the sum over its values. Items that the viewer may not see (dated ahead, hidden, blocked)
 * take no place among the newest, and neither do such authors among the values. O(history + values × newest), and up to
 * eight times that if many items are skipped.
 * @param latest the maximum creation time of items in seconds
 */
export function reachByProfile(
  state: State,
  viewer: Ordinal,
  latest: number,
  options: ProfileOptions,
  scratch: ProfileScratch,
  into: Accumulator,
): void {
  const tastes = tastesOf(state, viewer, options.history, scratch);
  for (const { column, code, strength } of preferences(state, viewer, tastes, options.values)) {
    const postings = postingsOf(state, column);
    const end = postings.until(code, latest);
    const stop = Math.max(postings.start(code), end - READS_PER_PLACE * options.newest);
    let start = end;
    let left = options.newest;
    // Reads before it adds, since the processor fetches many items at once in such a short loop.
    while (left > 0 && start > stop) {
      if (isOffered(state, viewer, postings.item(--start))) left--;
    }
    const all_offered = left + end - start === options.newest;
    for (let at = end - 1; at >= start; at--) {
      const item = postings.item(at);
      if (all_offered || isOffered(state, viewer, item)) into.add(item, strength);
    }
  }
}

export function tastesOf(
  { interactions: { by_user }, vocabulary: { interest } }: State,
  viewer: Ordinal,
  history: number,
  { significant_acts, tastes }: ProfileScratch,
): Tastes {
  const found = tastes.take();
  significant_acts.choose(viewer, history);
  const { positions, count } = significant_acts;
  for (let place = 0; place < count; place++) {
    found.note(by_user.other(positions[place]), interest[by_user.event_type(positions[place])]);
  }
  found.countNoted();
  return found;
}

/** The `most` strongest values, strongest first, ties by column and then by first arrival. */
function preferences(state: State, viewer: Ordinal, tastes: Tastes, most: number): Preference[] {
  const found: Preference[] = [];
  const items = Math.max(2, state.by_time.length(0));
  for (const column of TASTE_COLUMNS) {
    const postings = postingsOf(state, column);
    tastes.forEach(column, (code, weight) => {
      const share = COLUMN_WEIGHT[column] * (weight / tastes.total);
      // Rarity is at most 1, so the strength is at most the share.
      if (found.length === most && share <= found[most - 1].strength) return;
      if (column === 'author' && !isOfferedBy(state, viewer, code)) return;
      const strength = (share * Math.log(items / Math.max(1, postings.length(code)))) / Math.log(items);
      if (strength > 0) place(found, { column, code, strength }, most);
    });
  }
  return found;
}

/** Whether the author is another user whose items the viewer may see. */
function isOfferedBy({ users, blocks }: State, viewer: Ordinal, author: Ordinal): boolean {
  return author !== viewer && !users.hidden(author) && !blocks.between(viewer, author);
}

/** Inserts a preference after equally strong ones. Drops the last one if there are too many. */
function place(found: Preference[], preference: Preference, most: number): void {
  let at = found.length;
  if (at < most) found.push(preference);
  else if (preference.strength > found[--at].strength) found[at] = preference;
  else return;
  for (; at > 0 && found[at - 1].strength < preference.strength; at--) found[at] = found[at - 1];
  found[at] = preference;
}
