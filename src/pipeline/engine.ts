import type { Defaults, Ordinal } from '../plugin/index.ts';
import type { CompiledSignal, Registry } from '../registry/registry.ts';
import type { GlobalRankings } from '../signals/global-rankings.ts';
import type { LatestActs } from '../signals/latest-acts.ts';
import type { Scratch } from '../signals/scratch.ts';
import type { TrendRates } from '../signals/trend-rates.ts';
import type { Walk } from '../signals/walk.ts';
import type { State } from '../state/state.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import type { FilterPool } from './filter-pool.ts';
import type { ItemBits } from './item-bits.ts';

/** The items that filters keep, by feed, as requests and background work use them. */
export interface Pools {
  /** Pools in use, those that wait to be built or are being built, and the memory of both. */
  readonly figures: { kept: number; waiting: number; bytes: number };
  /** The pool of a feed as of now; undefined when there is none yet. */
  of(feed: CompiledFeed, engine: Engine): FilterPool | undefined;
  /** A set of these items, lent until the end of the request. */
  marked(items: Iterable<Ordinal>): ItemBits;
  /** Ends a request: sets that it borrowed are cleared and may be lent again. */
  takeBack(): void;
  /** Does a piece of the building that is under way; false when nothing is to be built. */
  buildStep(): boolean;
}

/** What every request of a community shares. */
export interface Engine {
  state: State;
  registry: Registry;
  walk: Walk;
  latest_acts: LatestActs;
  rankings: GlobalRankings;
  trend_rates: TrendRates;
  scratch: Scratch;
  pools: Pools;
  /** The clock by which requests are bounded. */
  monotonicMs(): number;
  defaults: Defaults;
  /** Share of the slots of a for-you page that are open to new items of small authors. */
  exploration_percent: number;
  /** How old an item may be, in seconds from its creation: older ones are about to be retired. Infinity: as old as it likes. */
  items_last_seconds: number;
}

/** @throws Error for a signal that no plugin registered */
export function compiledSignal({ registry }: Engine, name: string): CompiledSignal {
  const compiled = registry.signal(name);
  if (compiled === undefined) throw new Error(`no plugin registered a signal named '${name}'`);
  return compiled;
}
