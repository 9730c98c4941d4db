import type { Ordinal, ProfileOptions } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import type { ObjectPool } from './object-pool.ts';
import { isOffered } from './offered.ts';
import { postingsOf, TASTE_COLUMNS, type TasteColumn, type Tastes } from './tastes.ts';
import type { TellingActs } from './telling-acts.ts';

/** What a value says about taste by its column: whom one reads says most, the language least. */
const COLUMN_WEIGHT: Record<TasteColumn, number> = {
  author: 1,
  channel: 0.8,
  label: 0.6,
  app: 0.2,
  language: 0.1,
};

/** Of a value so many items are looked at for each of the newest: some may be nobody's to see. */
const READS_PER_PLACE = 8;

/** What it works with, one request after another. */
interface ProfileScratch {
  telling_acts: TellingActs;
  tastes: ObjectPool<Tastes>;
}

interface Preference {
  column: TasteColumn;
  code: number;
  strength: number;
}

/**
 * Adds to `into` the newest items of the values that the viewer prefers, new ones that nobody has touched
 * included: of authors, channels, labels, apps and languages. A value's strength is its share of the
 * viewer's latest acts times its rarity log(N / n) / log(N), where n of the N items have it, so that what
 * everything has says nothing; an item's weight is the sum over its values. What the viewer may not see, be it
 * dated ahead, taken out by moderation or of somebody blocked, takes no place among the newest, nor does a person
 * of whom that holds among the values. O(history + values × newest), eight times that where much is passed over.
 * @param latest the time of creation (seconds) up to which items may be shown
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
    // Looks before it adds: in a loop this short the processor fetches many items at once.
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

/** What the viewer's latest acts say. */
function tastesOf(
  { interactions: { by_user }, vocabulary: { interest } }: State,
  viewer: Ordinal,
  history: number,
  { telling_acts, tastes }: ProfileScratch,
): Tastes {
  const found = tastes.take();
  telling_acts.choose(viewer, history);
  const { positions, count } = telling_acts;
  for (let place = 0; place < count; place++) {
    found.note(by_user.other(positions[place]), interest[by_user.event_type(positions[place])]);
  }
  found.countNoted();
  return found;
}

/** The strongest `most` first; equally strong ones in order of their columns, then of their first arrival. */
function preferences(state: State, viewer: Ordinal, tastes: Tastes, most: number): Preference[] {
  const found: Preference[] = [];
  const items = Math.max(2, state.by_time.length(0));
  for (const column of TASTE_COLUMNS) {
    const postings = postingsOf(state, column);
    tastes.forEach(column, (code, weight) => {
      const share = COLUMN_WEIGHT[column] * (weight / tastes.total);
      // Rarity only makes it less.
      if (found.length === most && share <= found[most - 1].strength) return;
      if (column === 'author' && !isOfferedBy(state, viewer, code)) return;
      const strength = (share * Math.log(items / Math.max(1, postings.length(code)))) / Math.log(items);
      if (strength > 0) place(found, { column, code, strength }, most);
    });
  }
  return found;
}

/** Somebody else, whose items the viewer may see. */
function isOfferedBy({ users, blocks }: State, viewer: Ordinal, author: Ordinal): boolean {
  return author !== viewer && !users.hidden(author) && !blocks.between(viewer, author);
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
