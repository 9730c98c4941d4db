import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { ObjectPool } from './object-pool.ts';
import type { TasteColumn, Tastes } from './tastes.ts';

/** Acts that a value is thought to have had before any: one hide alone is no verdict. */
const PRIOR_ACTS = 2;
/** The viewer's latest acts that count. */
const HISTORY = 100;

/**
 * How much the viewer dislikes what an item is like, in [0, 1): for its author, its channel and each of its
 * labels n / (n + p + 2), where the viewer hid or reported n items of that value and approved of p (liked,
 * commented, shared or bookmarked them); the worst of these. Everybody's app and language say nothing against an
 * item. `undefined` for a viewer who hid nothing, so that almost everybody pays nothing.
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
  const hidden = itemsOf(state, viewer, (event_type) => state.vocabulary.isHide(event_type));
  return hidden && tastesOf(hidden, tastes);
}

function likedTastes(state: State, viewer: Ordinal, tastes: ObjectPool<Tastes>): Tastes {
  const liked = itemsOf(state, viewer, (event_type) => state.vocabulary.isApproval(event_type));
  return tastesOf(liked ?? new Set(), tastes);
}

function tastesOf(items: ReadonlySet<Ordinal>, tastes: ObjectPool<Tastes>): Tastes {
  const found = tastes.take();
  for (const item of items) found.note(item, 1);
  found.countNoted();
  return found;
}

/** The items of the viewer's latest acts of some kinds, however many each had; undefined: none. */
function itemsOf(
  { interactions }: State,
  viewer: Ordinal,
  isOne: (event_type: number) => boolean,
): ReadonlySet<Ordinal> | undefined {
  let items: Set<Ordinal> | undefined;
  const log = interactions.by_user;
  const stop = Math.max(log.start(viewer), log.end(viewer) - HISTORY);
  for (let at = log.end(viewer) - 1; at >= stop; at--) {
    if (log.removed(at) || !isOne(log.event_type(at))) continue;
    items ??= new Set();
    items.add(log.other(at));
  }
  return items;
}
