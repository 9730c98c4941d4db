import { NONE, type Ordinal, type RequestContext } from '../plugin/index.ts';
import { actsOnAuthors } from '../signals/author-acts.ts';
import { dislikesOf } from '../signals/dislikes.ts';
import { SEEN, TOUCHED, type TouchedBy } from '../state/touched.ts';
import type { Engine } from './engine.ts';
import { hiddenAuthors } from './hidden-authors.ts';

type ViewerColumns = Pick<
  RequestContext,
  | 'has_seen'
  | 'has_interacted'
  | 'has_hidden'
  | 'has_hidden_author'
  | 'is_blocked'
  | 'acts_on_author'
  | 'dislikes'
>;

interface Base {
  readonly engine: Engine;
  readonly viewer: Ordinal;
}

const none = () => 0;
const never = () => false;

const WITHOUT_VIEWER: ViewerColumns = {
  has_seen: never,
  has_interacted: never,
  has_hidden: never,
  has_hidden_author: never,
  is_blocked: never,
  acts_on_author: none,
  dislikes: () => none,
};

/** Adds the viewer's interactions as plugins read them. Each kind is looked up once per page. */
export function withViewerColumns<B extends Base>(base: B): B & ViewerColumns {
  const { viewer } = base;
  const { state, scratch } = base.engine;
  if (viewer === NONE) return { ...base, ...WITHOUT_VIEWER };
  let touched: TouchedBy | undefined;
  let last_item: Ordinal = NONE;
  let last_flags = 0;
  let hidden_items: number | undefined;
  let hidden_authors: Map<Ordinal, number[]> | undefined;
  let acts_on_authors: Map<Ordinal, number> | undefined;
  const touchedItems = () => {
    touched ??= state.interactions.touched.of(viewer);
    return touched;
  };
  /** Remembers the last item, because rules read the same item one after another. */
  const flags = (item: Ordinal): number => {
    if (item !== last_item) {
      last_flags = touchedItems().flags(item);
      last_item = item;
    }
    return last_flags;
  };
  return {
    ...base,
    has_seen: (item) => (flags(item) & SEEN) !== 0,
    has_interacted: (item) => (flags(item) & TOUCHED.interacted) !== 0,
    has_hidden: (item) => (flags(item) & TOUCHED.hidden) !== 0,
    has_hidden_author(author, count, since) {
      if (author === NONE) return false;
      const enough = Math.max(1, Math.ceil(count));
      // A cheap check first: most viewers hid fewer items in total.
      hidden_items ??= touchedItems().countWith(TOUCHED.hidden);
      if (hidden_items < enough) return false;
      hidden_authors ??= hiddenAuthors(state, viewer);
      const times = hidden_authors.get(author);
      return times !== undefined && times.length >= enough && times[enough - 1] >= since;
    },
    is_blocked: (user) => user !== NONE && state.blocks.between(viewer, user),
    acts_on_author(author) {
      if (author === NONE) return 0;
      acts_on_authors ??= actsOnAuthors(state, viewer, scratch.significant_acts);
      return acts_on_authors.get(author) ?? 0;
    },
    dislikes: () => dislikesOf(state, viewer, scratch.tastes) ?? none,
  };
}
