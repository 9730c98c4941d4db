import type { CompiledFeed } from '../feeds/compiled-feed.ts';
import type { Defaults, Ordinal } from '../plugin/index.ts';
import type { CompiledSignal, Registry } from '../registry/registry.ts';
import type { GlobalRankings } from '../signals/global-rankings.ts';
import type { LatestActs } from '../signals/latest-acts.ts';
import type { Meanings } from '../signals/meanings.ts';
import type { Scratch } from '../signals/scratch.ts';
import type { TrendRates } from '../signals/trend-rates.ts';
import type { Walk } from '../signals/walk.ts';
import type { State } from '../state/state.ts';
import type { FilterPool } from './filter-pool.ts';
import type { ItemBits } from './item-bits.ts';
import type { ItemColumns } from './item-columns.ts';

/** The interface of `FilterPools` for requests and background work. */
export interface Pools {
  /** The number of usable pools and of queued or unfinished pools, and the memory of both. */
  readonly figures: { kept: number; waiting: number; bytes: number };
  /** The current pool of a feed. Undefined if there is none yet. */
  of(feed: CompiledFeed, engine: Engine): FilterPool | undefined;
  /** A set of these items, valid until the end of the request. */
  marked(items: Iterable<Ordinal>): ItemBits;
  /** Ends a request: its sets are cleared and reused. */
  takeBack(): void;
  /** Performs one build step. Returns false if there is nothing to build. */
  buildStep(): boolean;
}

/** The parts that all requests of a community share. */
export interface Engine {
  state: State;
  registry: Registry;
  walk: Walk;
  meanings: Meanings;
  latest_acts: LatestActs;
  rankings: GlobalRankings;
  trend_rates: TrendRates;
  scratch: Scratch;
  columns: ItemColumns;
  pools: Pools;
  /** The clock for the time limits of requests. */
  monotonicMs(): number;
  defaults: Defaults;
  /** Percentage of slots of for-you pages for new items of small authors. */
  exploration_percent: number;
  /** Maximum age of items in seconds since creation, after which they are retired. May be Infinity. */
  items_last_seconds: number;
}

/** @throws Error if no plugin registered the signal */
export function compiledSignal({ registry }: Engine, name: string): CompiledSignal {
  const compiled = registry.signal(name);
  if (compiled === undefined) throw new Error(`no plugin registered a signal named '${name}'`);
  return compiled;
}
