import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';
import type { ObjectPool } from './object-pool.ts';
import type { TasteColumn, Tastes } from './tastes.ts';

/** Acts that a value is thought to have had before any: one hide alone is no verdict. */
const PRIOR_ACTS = 2;
/** The viewer's latest items that count, of those they hid and of those they approved of. */
const HISTORY = 100;
/** Of the viewer's acts so many are read at most for each item that is to count. */
const READ_PER_ITEM = 8;

/**
 * How much the viewer dislikes what an item is like, in [0, 1): for its author, its channel and each of its
 * labels n / (n + p + 2), where the viewer hid or reported n items of that value and approved of p (liked,
 * commented, shared or bookmarked them, and hides none of them); the worst of these. Everybody's app and language say
 * nothing against an item. `undefined` for a viewer who hid nothing, so that almost everybody pays nothing.
 * O(history), then O(the item's values) each.
 */
export function dislikesOf(
  state: State,
  viewer: Ordinal,
  tastes: ObjectPool<Tastes>,
): ((item: Ordinal) => number) | undefined {
  const hidden = hiddenTastes(state, viewer, tastes);
  if (hidden === undefined) return undefined;
  const { items, groups } = state;
  let liked: Tastes | undefined;
  let worst = 0;
  const meet = (column: TasteColumn, code: number): void => {
    if (code === NONE) return;
    const count = hidden.weight(column, code);
    if (count === 0) return;
    liked ??= likedTastes(state, viewer, tastes);
    worst = Math.max(worst, count / (count + liked.weight(column, code) + PRIOR_ACTS));
  };
  const meetLabel = (code: number) => meet('label', code);
  return (item) => {
    worst = 0;
    meet('author', items.author(item));
    meet('channel', groups.channel.of(item));
    groups.label.forEach(item, meetLabel);
    return worst;
  };
}

function hiddenTastes(state: State, viewer: Ordinal, tastes: ObjectPool<Tastes>): Tastes | undefined {
  const log = state.interactions.by_user;
  const { hiding } = state.vocabulary;
  // Most viewers hid nothing, which a short loop tells.
  if (log.length(viewer) <= READ_PER_ITEM * HISTORY && (log.types(viewer) & hiding) === 0) return undefined;
  const hidden = itemsOf(state, viewer, (event_type) => state.vocabulary.isHide(event_type));
  return hidden && tastesOf(hidden, tastes);
}

function likedTastes(state: State, viewer: Ordinal, tastes: ObjectPool<Tastes>): Tastes {
  const { touched } = state.interactions;
  const isLiked = (event_type: number, item: Ordinal) =>
    state.vocabulary.isApproval(event_type) && (touched.flags(viewer, item) & TOUCHED.hidden) === 0;
  const liked = itemsOf(state, viewer, isLiked);
  return tastesOf(liked ?? new Set(), tastes);
}

function tastesOf(items: ReadonlySet<Ordinal>, tastes: ObjectPool<Tastes>): Tastes {
  const found = tastes.take();
  for (const item of items) found.note(item, 1);
  found.countNoted();
  return found;
}

/** The viewer's latest items of some acts, however many of these each had; undefined: none. */
function itemsOf(
  { interactions }: State,
  viewer: Ordinal,
  isOne: (event_type: number, item: Ordinal) => boolean,
): ReadonlySet<Ordinal> | undefined {
  let items: Set<Ordinal> | undefined;
  const log = interactions.by_user;
  const stop = Math.max(log.start(viewer), log.end(viewer) - READ_PER_ITEM * HISTORY);
  for (let at = log.end(viewer) - 1; at >= stop; at--) {
    if (log.removed(at) || !isOne(log.event_type(at), log.other(at))) continue;
    items ??= new Set();
    items.add(log.other(at));
    if (items.size === HISTORY) break;
  }
  return items;
}
