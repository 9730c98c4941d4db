import type { Defaults } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { AccumulatorPool } from '../signals/accumulator.ts';
import type { GlobalRankings } from '../signals/global-rankings.ts';
import type { Walk } from '../signals/walk.ts';
import type { State } from '../state/state.ts';

/** What every request of a community shares. */
export interface Engine {
  state: State;
  registry: Registry;
  walk: Walk;
  rankings: GlobalRankings;
  accumulators: AccumulatorPool;
  defaults: Defaults;
}
