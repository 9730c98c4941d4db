import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { PageItem } from './pipeline.ts';
import type { Request } from './request.ts';

/** An item is new for so long (seconds), and until it has so much engagement. */
const NEW_SECONDS = 3 * 86_400;
const NEW_ENGAGEMENT = 10;
/** The newest items that are looked at, and how many of them the draw is among. */
const LOOKED_AT = 512;
const DRAWN_FROM = 64;
/** Shorter pages have no slot to spare. */
const SHORTEST_PAGE = 10;

/**
 * New items of small authors that get a slot of a for-you page although nothing is known of them yet: without
 * it they would never be known. `percent` of the page's slots on average, drawn at random, in its lower half,
 * at a score that puts them there (or before items of the very same score, as whatever is newer).
 * @param shows what the feed may show to this viewer
 * @returns items that are not in `ranked`, best first in no case
 */
export function explore(
  request: Request,
  ranked: readonly PageItem[],
  shows: (item: Ordinal) => boolean,
  decay: (item: Ordinal) => number,
): PageItem[] {
  const length = request.page_length;
  if (length < SHORTEST_PAGE || ranked.length < length || request.engine.exploration_percent === 0) return [];
  const slots = Math.floor((length * request.engine.exploration_percent) / 100 + request.random());
  if (slots === 0) return [];
  const listed = new Set(ranked.map(({ item }) => item));
  const newcomers = newcomersIn(request, (item) => !listed.has(item) && shows(item));
  const explored: PageItem[] = [];
  const half = Math.min(Math.ceil(length / 2), length - slots);
  while (explored.length < slots && newcomers.length > 0) {
    const [item] = newcomers.splice(Math.floor(request.random() * newcomers.length), 1);
    // So that it stays on the page when the others of its kind come before it.
    const slot = half + Math.floor(request.random() * (length - slots - half + 1));
    const { adjusted_score } = ranked[slot];
    // An item so old that its decayed score is nothing cannot be lifted: it is not new, either.
    explored.push({ item, score: adjusted_score / decay(item), adjusted_score, explored: true });
  }
  return explored;
}

/** Up to `DRAWN_FROM` of the newest items that are new, by small authors, and wanted. */
function newcomersIn(request: Request, wanted: (item: Ordinal) => boolean): Ordinal[] {
  const { state } = request.engine;
  const found: Ordinal[] = [];
  const { by_time } = state;
  const stop = Math.max(by_time.start(0), by_time.end(0) - LOOKED_AT);
  for (let at = by_time.end(0) - 1; at >= stop && found.length < DRAWN_FROM; at--) {
    const item = by_time.item(at);
    if (state.items.created_at(item) < request.now - NEW_SECONDS) break;
    if (isLittleKnown(state, item) && wanted(item)) found.push(item);
  }
  return found;
}

/** Hardly engaged with, and by somebody with fewer followers than the average user. */
function isLittleKnown({ items, users, follows }: State, item: Ordinal): boolean {
  const author = items.author(item);
  if (author === NONE) return false;
  const engagement = items.likes_count(item) + items.comments_count(item) + items.shares_count(item);
  return engagement < NEW_ENGAGEMENT && follows.followerCount(author) < follows.size / users.size;
}
