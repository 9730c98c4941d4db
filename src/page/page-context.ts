import type { FeedLearning, ScoringRequest, Test } from '../feeds/compiled-feed.ts';
import { LIMITS } from '../limits.ts';
import { type Learnt, NONE, type Ordinal, type Reached, type RequestContext } from '../plugin/index.ts';
import { isThirdParty } from '../registry/registry.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import type { Effort } from '../signals/effort.ts';
import { driftSeconds, type RankedBy } from '../signals/ranking-building.ts';
import type { State } from '../state/state.ts';
import { ActiveCalls } from './active-calls.ts';
import { reachedBy } from './admission.ts';
import { type Boosts, boostsOf } from './boosts.ts';
import { decayOver, faded } from './decay.ts';
import type { Grouping } from './diversity.ts';
import { compiledSignal, type Engine } from './engine.ts';
import { createFeedLists, type FeedLists } from './feed-lists.ts';
import { type LearntModel, learntFor } from './learnt.ts';
import { PageSoFar, type Signals } from './page-so-far.ts';
import { NO_TRACE, type Trace } from './record.ts';
import { viewerOf } from './viewer.ts';

export interface ContextStart {
  viewer: Ordinal;
  now: number;
  page_length: number;
  /** Default: 1. */
  effort?: Effort;
  /** What the viewer has seen. Default: nothing. */
  seen?: SeenRow;
  /** See `PageContext`. Default: for ever. */
  seen_for_seconds?: number;
  /** The number of items of an author that the viewer was shown lately. Default: none. */
  author_repeats?: ReadonlyMap<Ordinal, number>;
  /** Items of earlier pages, which no feed of this page repeats. Default: none. */
  shown?: ReadonlySet<Ordinal>;
  trace?: Trace;
  /** What was learnt for a feed. Default: nothing. */
  modelFor?(learning: FeedLearning): LearntModel | undefined;
  random(): number;
}

/** One page being built: the plugins' `RequestContext`, and what the stages of a page need besides. */
export interface PageContext extends ScoringRequest, FeedLists {
  readonly engine: Engine;
  readonly page: PageSoFar;
  /** The share of the usual work. */
  readonly effort: Effort;
  /** Receives the progress of the page and, if it is explained, what happens to the items of this list. */
  readonly trace: Trace;
  /**
   * The request that filters and rules get.
   *
   * They decide what a feed may show. So for them, the lists have all eligible items, and signals are shares of these.
   */
  readonly for_admission: RequestContext;
  /** The number of items of an author that the viewer was shown lately, for feeds with `repeat_author_decay`. */
  readonly author_repeats: ReadonlyMap<Ordinal, number>;
  /** What the viewer wants to see more and less of. Undefined: nothing. */
  readonly boosts: Boosts | undefined;
  /** What the viewer has seen, also of a viewer without a user record. */
  readonly seen_row: SeenRow | undefined;
  /** An item counts as seen for so long after it was last seen; infinite: for ever. */
  readonly seen_for_seconds: number;
  /** The similarity of the embeddings of two items, from 0 to 1. 0 if one has none. */
  similarity(one: Ordinal, other: Ordinal): number;
  /** The author and the channel of an item, for diversity. */
  readonly grouping: Grouping;
  /** Items created before this time are too old and will be retired. */
  readonly eligible_from: number;
  /** Items created after this time are dated ahead. */
  readonly eligible_until: number;
  /** Whether the item is live, not dated ahead, and not too old. */
  eligible: Test;
}

const NO_REPEATS: ReadonlyMap<Ordinal, number> = new Map();

/** Creates the context of a page. It belongs to no feed, so its lists have all eligible items. */
export function createContext(engine: Engine, start: ContextStart): PageContext {
  const shared = sharedParts(engine, start);
  const for_admission = withLists(shared, start.page_length, new Map());
  return withLists({ ...shared, for_admission }, start.page_length, shared.page.signals);
}

/** The context of one feed of the page. Its lists are its own; what the viewer reaches is shared. */
export function contextForFeed(
  context: PageContext,
  page_length: number,
  trace = context.trace,
): PageContext {
  const shared = trace === context.trace ? context : { ...context, trace };
  return withLists(shared, page_length, context.page.signalsOfNextFeed());
}

function sharedParts(
  engine: Engine,
  {
    viewer,
    now,
    random,
    effort = 1,
    shown = new Set(),
    seen,
    seen_for_seconds = Number.POSITIVE_INFINITY,
    author_repeats = NO_REPEATS,
    trace = NO_TRACE,
    modelFor,
  }: ContextStart,
) {
  const { state, columns, defaults, trend_rates } = engine;
  const page = new PageSoFar(engine, shown);
  const eligible_from = now - engine.items_last_seconds;
  const eligible_until = now + LIMITS.future_tolerance_seconds;
  const base = {
    engine,
    page,
    now,
    effort,
    boosts: boostsOf(engine, viewer, now),
    seen_row: seen,
    seen_for_seconds,
    eligible_from,
    eligible_until,
    eligible(item: Ordinal) {
      if (!state.live(item)) return false;
      const created_at = state.items.created_at(item);
      return created_at <= eligible_until && created_at >= eligible_from;
    },
  };
  return {
    ...base,
    trace,
    viewer: viewerOf(viewer, base),
    item: columns.item,
    user: Object.freeze({
      ...columns.user,
      following(user: Ordinal) {
        if (user !== viewer) page.uses_others_follows = true;
        return user === NONE ? [] : state.follows.followingInOrder(user);
      },
    }),
    trend: Object.freeze({
      expected_rates: () => trend_rates.at(now),
      get pace_known() {
        return state.trend.isRateKnown(now);
      },
    }),
    shown: Object.freeze({ click_rate: () => (item: Ordinal) => state.learning.clickRate(item, now) }),
    random,
    learnt(): Learnt {
      throw new Error('only scoring functions with `learns` may ask what was learnt');
    },
    learntFor: (learning: FeedLearning, request: ScoringRequest) =>
      learntFor(modelFor?.(learning), learning, request),
    defaults,
    author_repeats,
    similarity: (one, other) => similarityOf(state, one, other),
    grouping: { author: columns.item.author, channel: (item) => state.groups.channel.of(item) },
  } satisfies Partial<PageContext>;
}

/** Completes a context with lists of its own. @param signals the signals that were computed for these lists */
function withLists<S extends ReturnType<typeof sharedParts>>(
  shared: S,
  page_length: number,
  signals: Signals,
): S & FeedLists {
  const { engine, page, now, item } = shared;
  const active_calls = new ActiveCalls();
  const reached = new Map<string, Reached | undefined>();
  const reach = (name: string): Reached | undefined => {
    if (reached.has(name)) return reached.get(name);
    const { reach } = compiledSignal(engine, name);
    if (reach === undefined)
      throw new Error(`the signal '${name}' depends on the viewer and does not say what it reaches`);
    const found = active_calls.within(`the reach of '${name}'`, () => reachedBy(name, () => reach(context)));
    reached.set(name, found);
    return found;
  };
  const lists = createFeedLists(shared, {
    page_length,
    value(name, shareOf) {
      page.refuseWhenEnded();
      const known = signals.get(name);
      if (known !== undefined) return known;
      const { bind } = compiledSignal(engine, name);
      let computed: (item: Ordinal) => number;
      if (bind !== undefined) computed = active_calls.within(`the signal '${name}'`, () => bind(context));
      else {
        const found = reach(name);
        computed = found === undefined ? () => 0 : shareOf(found);
      }
      const counted = countedCalls(page, name, computed);
      signals.set(name, counted);
      return counted;
    },
    ranked: (name, limit) => ranked({ engine, now, signal: lists.signal, item }, name, limit),
    reach,
  });
  // Frozen, because plugins get the object. A spread is only fast at the start of an object.
  const context: S & FeedLists = Object.freeze({ ...shared, ...lists });
  return context;
}

function similarityOf({ embeddings }: State, one: Ordinal, other: Ordinal): number {
  const [slot, other_slot] = [embeddings.slotOf(one), embeddings.slotOf(other)];
  return slot === NONE || other_slot === NONE ? 0 : Math.max(0, embeddings.similarity(slot, other_slot));
}

/** Counts each call of a plugin's signal, since a call may take any time. */
function countedCalls({ budget }: PageSoFar, name: string, signal: (item: Ordinal) => number) {
  if (!isThirdParty(name)) return signal;
  const on = () => `the signal ${name} was computed for too many items`;
  return (item: Ordinal): number => {
    budget.spendOnPlugins(1, 1, on);
    return signal(item);
  };
}

/**
 * At least the `limit` best items by a signal that is the same for all viewers, optionally with decay.
 *
 * Includes inadmissible items. Fewer if there are no more.
 */
export function ranked(
  context: Pick<PageContext, 'engine' | 'now' | 'signal' | 'item'>,
  signal: string,
  limit: number,
  half_life_hours?: number,
): readonly Ordinal[] {
  const { engine, now } = context;
  const by = rankedBy(engine, signal, half_life_hours);
  return engine.rankings.best(by, now, limit, faded(context, signal, half_life_hours));
}

/** The ranking of a signal that is the same for all viewers. @throws Error if no plugin registered it */
export function rankedBy(engine: Engine, signal: string, half_life_hours?: number): RankedBy {
  const { extension } = compiledSignal(engine, signal);
  return {
    name: half_life_hours === undefined ? signal : `${signal} ${half_life_hours} h`,
    scoreAt(now) {
      const context = createContext(engine, { viewer: NONE, now, page_length: 1, random: () => 0 });
      return faded(context, signal, half_life_hours);
    },
    decayOver: (seconds) => decayOver(seconds, half_life_hours),
    drift_seconds: driftSeconds(extension, half_life_hours),
  };
}
