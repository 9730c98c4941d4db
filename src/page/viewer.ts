import type { Test } from '../feeds/compiled-feed.ts';
import {
  type GroupColumn,
  NONE,
  type Ordinal,
  type Reached,
  type Viewer,
  type Ways,
} from '../plugin/index.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import { reachByAffinity, reachBySocialProof } from '../signals/affinity.ts';
import { actsOnAuthors } from '../signals/author-acts.ts';
import { dislikesOf } from '../signals/dislikes.ts';
import type { Effort } from '../signals/effort.ts';
import { reachByProfile } from '../signals/profile.ts';
import { postingsOf } from '../signals/tastes.ts';
import { VALUE_COLUMNS } from '../state/item-values.ts';
import { mutedItems } from '../state/muted.ts';
import type { State } from '../state/state.ts';
import { TOUCHED, type TouchedBy } from '../state/touched.ts';
import type { Boosts } from './boosts.ts';
import type { Engine } from './engine.ts';
import { fatigueOf } from './fatigue.ts';
import type { PageSoFar } from './page-so-far.ts';
import { seenSince } from './seen-by.ts';

interface Base {
  readonly engine: Engine;
  readonly page: PageSoFar;
  readonly now: number;
  readonly effort: Effort;
  readonly boosts: Boosts | undefined;
  /**
   * Whether signals may read what the viewer did. Otherwise they get a viewer without acts, who still has seen, hidden
   * and interacted with items, and follows and blocks users.
   */
  readonly reads_acts: boolean;
  readonly seen_row: SeenRow | undefined;
  /** See `PageContext`. */
  readonly seen_for_seconds: number;
  readonly eligible_until: number;
  readonly eligible: Test;
}

/** The viewer of a page as plugins read them. Each kind of interaction is looked up once per page. */
export function viewerOf(user: Ordinal, shared: Omit<Base, 'reads_acts'>): Viewer {
  const base = { ...shared, reads_acts: shared.engine.state.preferences.isPersonalised(user) };
  return Object.freeze({ user, ...actsOf(user, base), reach: reachFrom(user, base) });
}

type Acts = Omit<Viewer, 'user' | 'reach'>;

const none = () => 0;
const never = () => false;

const WITHOUT_VIEWER: Omit<Acts, 'has_seen' | 'fatigue'> = {
  has_interacted: never,
  has_hidden: never,
  has_hidden_author: never,
  is_blocked: never,
  is_muted: never,
  acts_on_author: none,
  dislikes: () => none,
};

function actsOf(viewer: Ordinal, { engine, seen_row, seen_for_seconds, now, reads_acts }: Base): Acts {
  const { state, scratch } = engine;
  const { names } = state.items;
  const wasShown =
    seen_row === undefined || seen_row.is_empty
      ? never
      : (item: Ordinal) => seen_row.lastSeen(names.key(item)) !== undefined;
  let seen: Test | undefined;
  const sawLately: Test = (item) => {
    seen ??= seenSince({ engine, seen_row, viewer: { user: viewer } }, now - seen_for_seconds);
    return seen(item);
  };
  const is_forever = seen_for_seconds === Number.POSITIVE_INFINITY;
  const fatigue = () => (reads_acts ? fatigueOf(state, viewer, seen_row, now, scratch) : undefined) ?? none;
  if (viewer === NONE) return { ...WITHOUT_VIEWER, fatigue, has_seen: is_forever ? wasShown : sawLately };
  let muted: Test | undefined;
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
    is_muted: (item) => {
      muted ??= mutedItems(state, viewer, { now, ...engine.defaults }) ?? never;
      return muted(item);
    },
    is_blocked: (user) => user !== NONE && state.blocks.between(viewer, user),
    acts_on_author(author) {
      if (author === NONE || !reads_acts) return 0;
      acts_on_authors ??= actsOnAuthors(state, viewer, scratch.significant_acts);
      return acts_on_authors.get(author) ?? 0;
    },
    dislikes: () => (reads_acts ? dislikesOf(state, viewer, scratch.tastes) : undefined) ?? none,
    fatigue,
  };
}

/** Ways that begin at acts of the viewer. */
const FROM_ACTS: ReadonlySet<keyof Ways> = new Set(['walk', 'profile', 'meaning'] as const);

/** The ways from the viewer to items. Each is computed once per page and options. */
function reachFrom(
  viewer: Ordinal,
  { engine, page, now, effort, boosts, reads_acts, eligible_until, eligible }: Base,
): Viewer['reach'] {
  const { state, scratch, walk, meanings } = engine;
  const newestOf = (column: GroupColumn, code: number, limit: number): Ordinal[] =>
    code === NONE ? [] : postingsOf(state, column).newest(code, limit, eligible);
  const ways: { [W in keyof Ways]: (options: Ways[W], into: Accumulator) => void } = {
    walk: (options, into) => walk.reach(viewer, options, into, effort),
    // Closeness comes from acts of the viewer.
    affinity: ({ closest = false, ...options }, into) =>
      reachByAffinity(state, viewer, now, { ...options, closest: closest && reads_acts }, engine, into),
    profile: (options, into) => reachByProfile(state, viewer, eligible_until, options, scratch, into),
    meaning: (options, into) => meanings.reach(viewer, options, into, effort),
    social_proof: (_, into) => reachBySocialProof(state, viewer, now, into),
    newest({ column, code, limit }, into) {
      const newest = newestOf(column, code, limit);
      for (const [rank, item] of newest.entries()) into.add(item, newest.length - rank);
    },
    more_of({ newest }, into) {
      // The newest items of quiet and busy values have the same weight.
      for (const column of VALUE_COLUMNS)
        for (const code of boosts?.wanted[column] ?? [])
          for (const [rank, item] of newestOf(column, code, newest).entries()) into.add(item, newest - rank);
    },
  };
  const known = new Map<string, Reached>();
  const reach = <W extends keyof Ways>(way: W, options: Ways[W]): Reached | undefined => {
    page.refuseWhenEnded();
    if (!Object.hasOwn(ways, way))
      throw new Error(`there is no way '${way}' to items; there are ${Object.keys(ways).join(', ')}`);
    if (way === 'meaning' && state.embeddings.length === 0) return undefined;
    if (way === 'more_of' && VALUE_COLUMNS.every((column) => !boosts?.wanted[column].length))
      return undefined;
    const key = `${way} ${JSON.stringify(options)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const into = scratch.accumulators.take();
    if (way === 'newest' || (viewer !== NONE && (reads_acts || !FROM_ACTS.has(way))))
      ways[way](options, into);
    known.set(key, into);
    return into;
  };
  return reach as Viewer['reach'];
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
