import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { type TasteColumn, Tastes } from './tastes.ts';

/** Everybody's app and language say nothing against an item. */
const COLUMNS: readonly TasteColumn[] = ['author', 'channel', 'label'];
/** Acts that a value is thought to have had before any: one hide alone is no verdict. */
const PRIOR_ACTS = 2;
/** The viewer's latest acts that count. */
const HISTORY = 100;
const MARKS = 1024;

/**
 * How much the viewer dislikes what an item is like, in [0, 1): for its author, its channel and each of its
 * labels n / (n + p + 2), where the viewer hid or reported n items of that value and approved of p (liked,
 * commented, shared or bookmarked them); the worst of these. `undefined` for a viewer who hid nothing, so that
 * almost everybody pays nothing. O(history), then O(the item's values) each.
 */
export function dislikesOf(state: State, viewer: Ordinal): ((item: Ordinal) => number) | undefined {
  const hidden = hiddenTastes(state, viewer);
  if (hidden === undefined) return undefined;
  const { items, groups } = state;
  const [authors, channels, labels] = COLUMNS.map((column) => hidden.columns.includes(column));
  let positive: Tastes | undefined;
  let worst = 0;
  const marks = marksOf(hidden);
  const meet = (column: TasteColumn, code: number): void => {
    if (code === NONE || marks[code % MARKS] === 0) return;
    const count = hidden.weight(column, code);
    if (count === 0) return;
    positive ??= likedTastes(state, viewer, hidden.columns);
    worst = Math.max(worst, count / (count + positive.weight(column, code) + PRIOR_ACTS));
  };
  const meetLabel = (code: number) => meet('label', code);
  return (item) => {
    worst = 0;
    if (authors) meet('author', items.author(item));
    if (channels) meet('channel', groups.channel.of(item));
    if (labels) groups.label.forEach(item, meetLabel);
    return worst;
  };
}

/** Where codes of hidden values may be: one byte rules out nearly all that an item has. */
function marksOf(hidden: Tastes): Uint8Array {
  const marks = new Uint8Array(MARKS);
  hidden.forEach((_, code) => {
    marks[code % MARKS] = 1;
  });
  return marks;
}

function hiddenTastes(state: State, viewer: Ordinal): Tastes | undefined {
  let hidden: Tastes | undefined;
  visitActs(state, viewer, (item, event_type) => {
    if (!state.vocabulary.isHide(event_type)) return;
    hidden ??= new Tastes(state, COLUMNS);
    hidden.add(item, 1);
  });
  return hidden;
}

function likedTastes(state: State, viewer: Ordinal, columns: readonly TasteColumn[]): Tastes {
  const liked = new Tastes(state, columns);
  visitActs(state, viewer, (item, event_type) => {
    if (state.vocabulary.isApproval(event_type)) liked.add(item, 1);
  });
  return liked;
}

function visitActs(
  { interactions }: State,
  viewer: Ordinal,
  visit: (item: Ordinal, event_type: number) => void,
): void {
  const log = interactions.by_user;
  const stop = Math.max(log.start(viewer), log.end(viewer) - HISTORY);
  for (let at = log.end(viewer) - 1; at >= stop; at--) {
    if (!log.removed(at)) visit(log.other(at), log.event_type(at));
  }
}
