import type { Defaults } from '../plugin/index.ts';
import type { CompiledSignal, Registry } from '../registry/registry.ts';
import type { GlobalRankings } from '../signals/global-rankings.ts';
import type { LatestActs } from '../signals/latest-acts.ts';
import type { Scratch } from '../signals/scratch.ts';
import type { TrendRates } from '../signals/trend-rates.ts';
import type { Walk } from '../signals/walk.ts';
import type { State } from '../state/state.ts';
import type { FilterPools } from './filter-pools.ts';

/** What every request of a community shares. */
export interface Engine {
  state: State;
  registry: Registry;
  walk: Walk;
  latest_acts: LatestActs;
  rankings: GlobalRankings;
  trend_rates: TrendRates;
  scratch: Scratch;
  pools: FilterPools;
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
