import { monotonicMs as machineMs } from '../clock.ts';
import type { Registry } from '../registry/registry.ts';
import { GlobalRankings } from '../signals/global-rankings.ts';
import { LatestActs } from '../signals/latest-acts.ts';
import { Meanings } from '../signals/meanings.ts';
import { Scratch } from '../signals/scratch.ts';
import { TrendRates } from '../signals/trend-rates.ts';
import { Walk } from '../signals/walk.ts';
import type { State } from '../state/state.ts';
import { type Engine, itemColumns } from './engine.ts';
import { FilterPools } from './filter-pools.ts';

const DAY = 86_400;

/** The settings of an engine. */
export interface EngineSettings {
  derived_lag_ms: number;
  ai_label_threshold: number;
  geo_radius_km: number;
  exploration_percent: number;
  /** Maximum age of shown items. Absent: no limit. */
  retention_days?: number;
  /** Default: the machine's clock. */
  monotonicMs?(): number;
}

/** Creates the engine that all requests of a community share. Derived data is still empty. */
export function createEngine(state: State, registry: Registry, settings: EngineSettings): Engine {
  const { derived_lag_ms, ai_label_threshold, geo_radius_km, exploration_percent, retention_days } = settings;
  const { monotonicMs = machineMs } = settings;
  const exact = derived_lag_ms === 0;
  const scratch = new Scratch(state);
  const ages = retention_days !== undefined && state.vocabulary.habits.ages_from === 'creation';
  const walk = new Walk(state, exact);
  return {
    state,
    registry,
    walk,
    meanings: new Meanings(state, walk.steps, exact),
    latest_acts: new LatestActs(state),
    trend_rates: new TrendRates(state, exact),
    rankings: new GlobalRankings(state, derived_lag_ms, monotonicMs),
    scratch,
    columns: itemColumns(state, scratch),
    pools: new FilterPools(state, monotonicMs),
    monotonicMs,
    // Frozen, because plugins get the object.
    defaults: Object.freeze({ ai_label_threshold, geo_radius_km }),
    exploration_percent,
    items_last_seconds: ages ? retention_days * DAY : Number.POSITIVE_INFINITY,
  };
}
