import { NONE, type Ordinal } from '../plugin/index.ts';
import { isOffered } from '../signals/offered.ts';
import type { State } from '../state/state.ts';
import type { PageContext } from './page-context.ts';
import { type PageItem, pageItem } from './page-item.ts';

/** An item is new up to this age in seconds, and below this engagement. */
export const NEW_SECONDS = 3 * 86_400;
export const NEW_ENGAGEMENT = 10;
/** The number of newest items that the draw is made from. */
export const LOOKED_AT = 512;
/** Maximum number of items that are examined per slot, since the viewer may not see some. */
const READS_PER_PLACE = 8;
export const SHORTEST_PAGE = 10;

/**
 * Gives new items of small authors slots on a for-you page. Without that, they could not become known.
 *
 * It draws `percent` of `length` slots on average, at random, in their lower half. Each item gets a score that puts
 * it at its slot (among equal scores newer items come first).
 * @param length the number of shown slots at the start of `ranked`
 * @param shows whether the feed may show an item to this viewer
 * @returns items that are not in `ranked`, in no particular order
 */
export function explore(
  context: PageContext,
  ranked: readonly PageItem[],
  length: number,
  shows: (item: Ordinal) => boolean,
  decay: (item: Ordinal) => number,
): PageItem[] {
  if (length < SHORTEST_PAGE || ranked.length < length || context.engine.exploration_percent === 0) return [];
  const slots = Math.floor((length * context.engine.exploration_percent) / 100 + context.random());
  if (slots === 0) return [];
  const { draw, from } = drawnFromNewest(context);
  const drawing = { drawn: 0, from };
  const explored: PageItem[] = [];
  const half = Math.min(Math.ceil(length / 2), length - slots);
  for (let item = draw(); item !== NONE && explored.length < slots; item = draw()) {
    if (!isNewcomer(context, item) || ranked.some((one) => one.item === item) || !shows(item)) continue;
    // The slot stays on the page even if other explored items are placed before it.
    const slot = half + Math.floor(context.random() * (length - slots - half + 1));
    const { adjusted_score } = ranked[slot];
    const score = adjusted_score / decay(item);
    // A very old item has a decayed score of 0, which no factor can lift. Such an item is not new.
    if (Number.isFinite(score))
      explored.push({ ...pageItem(item, score, adjusted_score), explored: drawing });
  }
  drawing.drawn = explored.length;
  return explored;
}

/**
 * Draws the newest items one after another at random, each once. NONE if there are no more.
 *
 * Items that are dated ahead are left out. An item that the viewer may not see is replaced by the one `LOOKED_AT`
 * places further back, so a run of such items takes no places.
 */
function drawnFromNewest(context: PageContext): { draw: () => Ordinal; from: number } {
  const { viewer, engine } = context;
  const { state } = engine;
  const { by_time } = state;
  const end = by_time.until(0, context.eligible_until);
  const start = Math.max(by_time.start(0), end - READS_PER_PLACE * LOOKED_AT);
  const from = Math.min(LOOKED_AT, end - start);
  let left = from;
  /** The current item at a place whose item was drawn. */
  const moved = new Map<number, number>();
  const draw = () => {
    if (left === 0) return NONE;
    const place = Math.floor(context.random() * left);
    left--;
    const drawn = moved.get(place) ?? place;
    moved.set(place, moved.get(left) ?? left);
    let at = end - 1 - drawn;
    while (!isOffered(state, viewer.user, by_time.item(at)) && at - LOOKED_AT >= start) at -= LOOKED_AT;
    return by_time.item(at);
  };
  return { draw, from };
}

function isNewcomer({ engine: { state }, now }: PageContext, item: Ordinal): boolean {
  return state.items.created_at(item) >= now - NEW_SECONDS && isLittleKnown(state, item);
}

/** Whether an item has little engagement and its author is little followed. */
function isLittleKnown(state: State, item: Ordinal): boolean {
  const { items } = state;
  const author = items.author(item);
  if (author === NONE) return false;
  const engagement = items.likes_count(item) + items.comments_count(item) + items.shares_count(item);
  return engagement < NEW_ENGAGEMENT && state.isLittleFollowed(author);
}
