import { NONE, type Ordinal } from '../plugin/index.ts';
import { isOffered } from '../signals/offered.ts';
import type { State } from '../state/state.ts';
import type { PageItem } from './page-item.ts';
import type { Request } from './request.ts';

/** An item is new for so long (seconds), and until it has so much engagement. */
const NEW_SECONDS = 3 * 86_400;
const NEW_ENGAGEMENT = 10;
/** The newest items that the draw is among, … */
const LOOKED_AT = 512;
/** … and how many are looked at for one: some may be nobody's to see. */
const READS_PER_PLACE = 8;
/** Shorter pages have no slot to spare. */
const SHORTEST_PAGE = 10;

/**
 * New items of small authors that get a slot of a for-you page although nothing is known of them yet: without
 * it they would never be known. `percent` of `length` slots on average, drawn at random, in their lower half,
 * at a score that puts them there (or before items of the very same score, as whatever is newer).
 * @param length slots at the beginning of `ranked` that are shown
 * @param shows what the feed may show to this viewer
 * @returns items that are not in `ranked`, best first in no case
 */
export function explore(
  request: Request,
  ranked: readonly PageItem[],
  length: number,
  shows: (item: Ordinal) => boolean,
  decay: (item: Ordinal) => number,
): PageItem[] {
  if (length < SHORTEST_PAGE || ranked.length < length || request.engine.exploration_percent === 0) return [];
  const slots = Math.floor((length * request.engine.exploration_percent) / 100 + request.random());
  if (slots === 0) return [];
  const draw = drawnFromNewest(request);
  const explored: PageItem[] = [];
  const half = Math.min(Math.ceil(length / 2), length - slots);
  for (let item = draw(); item !== NONE && explored.length < slots; item = draw()) {
    if (!isNewcomer(request, item) || ranked.some((one) => one.item === item) || !shows(item)) continue;
    // So that it stays on the page when the others of its kind come before it.
    const slot = half + Math.floor(request.random() * (length - slots - half + 1));
    const { adjusted_score } = ranked[slot];
    const score = adjusted_score / decay(item);
    // What is so old that its decayed score is nothing cannot be lifted: it is not new, either.
    if (Number.isFinite(score))
      explored.push({ item, score, adjusted_score, explored: true, source_feed: '' });
  }
  return explored;
}

/**
 * Draws one after another of the newest items, each once, at random; NONE when there are no more. What is dated ahead is
 * not among them. In place of what the viewer may not see stands what lies as many items further back as there are
 * places, so that a run of such items takes none.
 */
function drawnFromNewest(request: Request): () => Ordinal {
  const { viewer, engine } = request;
  const { state } = engine;
  const { by_time } = state;
  const end = by_time.until(0, request.eligible_until);
  const start = Math.max(by_time.start(0), end - READS_PER_PLACE * LOOKED_AT);
  let left = Math.min(LOOKED_AT, end - start);
  /** What stands at a place since what stood there was drawn. */
  const moved = new Map<number, number>();
  return () => {
    if (left === 0) return NONE;
    const place = Math.floor(request.random() * left);
    left--;
    const drawn = moved.get(place) ?? place;
    moved.set(place, moved.get(left) ?? left);
    let at = end - 1 - drawn;
    while (!isOffered(state, viewer, by_time.item(at)) && at - LOOKED_AT >= start) at -= LOOKED_AT;
    return by_time.item(at);
  };
}

function isNewcomer({ engine: { state }, now }: Request, item: Ordinal): boolean {
  return state.items.created_at(item) >= now - NEW_SECONDS && isLittleKnown(state, item);
}

/**
 * Hardly engaged with, and by somebody with no more followers than the average user: where nobody follows anybody, or
 * all have the same, nobody is known better than others.
 */
function isLittleKnown({ items, users, follows }: State, item: Ordinal): boolean {
  const author = items.author(item);
  if (author === NONE) return false;
  const engagement = items.likes_count(item) + items.comments_count(item) + items.shares_count(item);
  return engagement < NEW_ENGAGEMENT && !follows.hasMoreFollowers(author, follows.counted / users.size);
}
