import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_SECONDS } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import type { State } from '../state/state.ts';
import type { Facts } from './measures.ts';

/** Items or users that are read per turn of the event loop: about a millisecond. */
const SLICE = 10_000;

const LIVE = 1;
const NEW = 2;
const ACTIVE = 1;
const NEWCOMER = 2;
const SMALL = 4;

/** What the community has to show: the denominators of measures, and shares to compare them with. */
export interface Supply {
  items: number;
  new_items: number;
  active_authors: number;
  /** Of the live items whose author is known. */
  newcomers_share: number | null;
  small_authors_share: number | null;
}

/**
 * Reads all items and authors once. O(items + users), with pauses.
 * @param first the beginning of the period, in seconds
 */
export async function factsOf(state: State, first: number, now: number): Promise<Facts & { supply: Supply }> {
  const { items, users, by_author } = state;
  const of_authors = new Uint8Array(users.size);
  for (let author = 0; author < of_authors.length; author++) {
    if (author % SLICE === 0) await nextTurn();
    if (by_author.length(author) === 0) continue;
    const oldest = items.created_at(by_author.item(by_author.start(author)));
    const is_newcomer = oldest > now - LIMITS.recent_author_days * DAY_SECONDS;
    of_authors[author] = (is_newcomer ? NEWCOMER : 0) | (state.isLittleFollowed(author) ? SMALL : 0);
  }
  const of_items = new Uint8Array(items.size);
  const counts = { live: 0, new: 0, active: 0, authored: 0, newcomers: 0, small: 0 };
  for (let item = 0; item < of_items.length; item++) {
    if (item % SLICE === 0) await nextTurn();
    const created_at = items.created_at(item);
    if (!state.live(item) || created_at > now) continue;
    const is_new = created_at >= first;
    of_items[item] = LIVE | (is_new ? NEW : 0);
    counts.live++;
    counts.new += Number(is_new);
    const author = items.author(item);
    if (author === NONE || author >= of_authors.length) continue;
    counts.authored++;
    counts.newcomers += Number((of_authors[author] & NEWCOMER) !== 0);
    counts.small += Number((of_authors[author] & SMALL) !== 0);
    if (created_at <= now - LIMITS.recent_author_days * DAY_SECONDS || (of_authors[author] & ACTIVE) !== 0)
      continue;
    of_authors[author] |= ACTIVE;
    counts.active++;
  }
  const share = (part: number) => (counts.authored === 0 ? null : part / counts.authored);
  return {
    author: (item) => items.author(item),
    is_live: (item) => (of_items[item] & LIVE) !== 0,
    is_new: (item) => (of_items[item] & NEW) !== 0,
    is_active: (author) => (of_authors[author] & ACTIVE) !== 0,
    is_newcomer: (author) => (of_authors[author] & NEWCOMER) !== 0,
    is_small: (author) => (of_authors[author] & SMALL) !== 0,
    live_items: counts.live,
    new_items: counts.new,
    active_authors: counts.active,
    supply: {
      ...{ items: counts.live, new_items: counts.new, active_authors: counts.active },
      newcomers_share: share(counts.newcomers),
      small_authors_share: share(counts.small),
    },
  };
}
