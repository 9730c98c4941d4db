import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';
import type { ObjectPool } from './object-pool.ts';
import type { TasteColumn, Tastes } from './tastes.ts';

/** Acts that every value starts with, since a single hide is no proof of dislike. */
export const PRIOR_ACTS = 2;
/** The number of the viewer's latest hidden items, and of the latest approved items, that count. */
const HISTORY = 100;
/** The maximum number of acts to read per counted item. */
const READ_PER_ITEM = 8;

/**
 * How much the viewer dislikes an item, in [0, 1): the worst value among its author, channel and labels.
 *
 * A value counts n / (n + p + 2): the viewer hid or reported n items with it and approved of p (liked, commented,
 * shared or bookmarked them without hiding them). App and language are too common to count. `undefined` for the many
 * viewers who hid nothing. O(history), then O(the item's values) per item.
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
  const check = (column: TasteColumn, code: number): void => {
    if (code === NONE) return;
    const count = hidden.weight(column, code);
    if (count === 0) return;
    liked ??= likedTastes(state, viewer, tastes);
    worst = Math.max(worst, count / (count + liked.weight(column, code) + PRIOR_ACTS));
  };
  const checkLabel = (code: number) => check('label', code);
  return (item) => {
    worst = 0;
    check('author', items.author(item));
    check('channel', groups.channel.of(item));
    groups.label.forEach(item, checkLabel);
    return worst;
  };
}

function hiddenTastes(state: State, viewer: Ordinal, tastes: ObjectPool<Tastes>): Tastes | undefined {
  const log = state.interactions.by_user;
  const { hiding } = state.vocabulary;
  // Most viewers hid nothing. A short loop detects that.
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

/** The viewer's latest items with some types of acts, however many acts each has. Undefined without any. */
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
