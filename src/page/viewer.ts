import type { Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal, type Reached, type RequestContext } from '../plugin/index.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import { reachByAffinity, reachBySocialProof } from '../signals/affinity.ts';
import { actsOnAuthors } from '../signals/author-acts.ts';
import { dislikesOf } from '../signals/dislikes.ts';
import { reachByProfile } from '../signals/profile.ts';
import type { State } from '../state/state.ts';
import { TOUCHED, type TouchedBy } from '../state/touched.ts';
import type { Engine } from './engine.ts';
import type { PageSoFar } from './page-so-far.ts';
import { seenSince } from './seen-by.ts';

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
  readonly now: number;
  readonly seen_row: SeenRow | undefined;
  /** See `PageContext`. */
  readonly seen_for_seconds: number;
}

const none = () => 0;
const never = () => false;

const WITHOUT_VIEWER: Omit<ViewerColumns, 'has_seen'> = {
  has_interacted: never,
  has_hidden: never,
  has_hidden_author: never,
  is_blocked: never,
  acts_on_author: none,
  dislikes: () => none,
};

/** Adds the viewer's interactions as plugins read them. Each kind is looked up once per page. */
export function withViewerColumns<B extends Base>(base: B): B & ViewerColumns {
  const { viewer, seen_row, seen_for_seconds, now } = base;
  const { state, scratch } = base.engine;
  const { names } = state.items;
  const wasShown =
    seen_row === undefined || seen_row.is_empty
      ? never
      : (item: Ordinal) => seen_row.lastSeen(names.key(item)) !== undefined;
  let seen: Test | undefined;
  const sawLately: Test = (item) => {
    seen ??= seenSince(base, now - seen_for_seconds);
    return seen(item);
  };
  const is_forever = seen_for_seconds === Number.POSITIVE_INFINITY;
  if (viewer === NONE) {
    return { ...base, ...WITHOUT_VIEWER, has_seen: is_forever ? wasShown : sawLately };
  }
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
    has_seen: is_forever ? (item) => (flags(item) & TOUCHED.viewed) !== 0 || wasShown(item) : sawLately,
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

type ViewerReach = Pick<RequestContext, 'walk' | 'affinity' | 'profile' | 'meaning' | 'social_proof'>;

interface Base extends Pick<RequestContext, 'viewer' | 'now' | 'effort'> {
  readonly engine: Engine;
  readonly page: PageSoFar;
  readonly eligible_until: number;
}

/** Adds the items that are reached from the viewer, computed once per page, method and options. */
export function withViewerReach<B extends Base>(base: B): B & ViewerReach {
  const { engine, page, viewer, now, effort, eligible_until } = base;
  const { state, scratch, walk, meanings } = engine;
  const known = new Map<string, Reached>();
  const reached = (key: string, compute: (into: Accumulator) => void): Reached => {
    page.refuseWhenEnded();
    const before = known.get(key);
    if (before !== undefined) return before;
    const into = scratch.accumulators.take();
    if (viewer !== NONE) compute(into);
    known.set(key, into);
    return into;
  };
  return {
    ...base,
    walk(options) {
      const { history, half_life_hours, within_hours = '' } = options;
      return reached(`walk ${history} ${half_life_hours} ${within_hours}`, (into) =>
        walk.reach(viewer, options, into, effort),
      );
    },
    affinity(options) {
      const { recent, users, half_life_hours, closest = false } = options;
      return reached(`affinity ${recent} ${users} ${half_life_hours} ${closest}`, (into) =>
        reachByAffinity(state, viewer, now, options, engine, into),
      );
    },
    profile(options) {
      const { history, values, newest } = options;
      return reached(`profile ${history} ${values} ${newest}`, (into) =>
        reachByProfile(state, viewer, eligible_until, options, scratch, into),
      );
    },
    meaning(options) {
      const { history, half_life_hours } = options;
      return reached(`meaning ${history} ${half_life_hours}`, (into) =>
        meanings.reach(viewer, options, into, effort),
      );
    },
    social_proof: () => reached('social proof', (into) => reachBySocialProof(state, viewer, into)),
  };
}

/**
 * The times at which the viewer hid items, by author, latest first.
 *
 * Each item counts once. O(the viewer's entries).
 */
export function hiddenAuthors(state: State, viewer: Ordinal): Map<Ordinal, number[]> {
  const times = new Map<Ordinal, number[]>();
  const log = state.interactions.by_user;
  // A cheap check first: most viewers hid nothing.
  if ((log.types(viewer) & state.vocabulary.hiding) === 0) return times;
  const counted = new Set<Ordinal>();
  for (let at = log.end(viewer) - 1; at >= log.start(viewer); at--) {
    if (log.removed(at) || !state.vocabulary.isHide(log.event_type(at))) continue;
    const item = log.other(at);
    const author = state.items.author(item);
    if (author === NONE || counted.has(item)) continue;
    counted.add(item);
    const known = times.get(author);
    if (known === undefined) times.set(author, [log.timestamp(at)]);
    else known.push(log.timestamp(at));
  }
  return times;
}
