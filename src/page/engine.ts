import { DAY_SECONDS, monotonicMs as machineMs } from '../clock.ts';
import { type Defaults, NONE, type Ordinal, type RequestContext } from '../plugin/index.ts';
import type { CompiledSignal, Registry } from '../registry/registry.ts';
import { GlobalRankings } from '../signals/global-rankings.ts';
import { LatestActs } from '../signals/latest-acts.ts';
import { Meanings } from '../signals/meanings.ts';
import { Scratch } from '../signals/scratch.ts';
import { TrendRates } from '../signals/trend-rates.ts';
import { Walk } from '../signals/walk.ts';
import { engagementSince, repeatedSince } from '../state/engagement.ts';
import type { State } from '../state/state.ts';
import { FilterPools } from './filter-pools.ts';

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
  pools: FilterPools;
  /** The clock for the time limits of requests. */
  monotonicMs(): number;
  defaults: Defaults;
  /** Percentage of slots of for-you pages for new items of small authors. */
  exploration_percent: number;
  /** Maximum age of items in seconds since creation, after which they are retired. May be Infinity. */
  items_last_seconds: number;
}

export function compiledSignal({ registry }: Engine, name: string): CompiledSignal {
  const compiled = registry.signal(name);
  if (compiled === undefined) throw new Error(`no plugin registered a signal named '${name}'`);
  return compiled;
}

export type ItemColumns = ReturnType<typeof itemColumns>;

/**
 * The columns of items and users that requests give to plugins. They are the same for all requests.
 *
 * Plugins may read columns of NONE, which has no record. Reading index -1 of an array would return `undefined` and
 * slow down all later reads, so it is handled separately.
 */
export function itemColumns(state: State, { repeats }: Scratch) {
  const { items, users, groups, fields, item_places, user_places } = state;
  const author = (item: Ordinal): Ordinal => (item < 0 ? NONE : items.author(item));
  const user = (user_id: string): Ordinal => users.names.find(user_id);
  return {
    author,
    created_at: (item) => (item < 0 ? 0 : items.created_at(item)),
    is_reply: (item) => item >= 0 && items.is_reply(item),
    likes_count: (item) => (item < 0 ? 0 : items.likes_count(item)),
    comments_count: (item) => (item < 0 ? 0 : items.comments_count(item)),
    shares_count: (item) => (item < 0 ? 0 : items.shares_count(item)),
    engagement_since: (item, since) => (item < 0 ? 0 : engagementSince(state, item, since)),
    repeated_since: (item, since) => (item < 0 ? 0 : repeatedSince(state, repeats, item, since)),
    user,
    item: (item_id) => items.names.find(item_id),
    code: (column, value) => (column === 'author' ? user(value) : groups[column].code(value)),
    has(column, item, code) {
      if (column === 'author') return code !== NONE && author(item) === code;
      return groups[column].has(item, code);
    },
    any_value(column, item, test) {
      if (column !== 'author') return item >= 0 && groups[column].any(item, test);
      const code = author(item);
      return code !== NONE && test(code, 1);
    },
    label_score: (item, label_code) => groups.label.score(item, label_code),
    latitude(item) {
      const own = item_places.latitude(item);
      return Number.isNaN(own) ? user_places.latitude(author(item)) : own;
    },
    longitude(item) {
      const own = item_places.longitude(item);
      return Number.isNaN(own) ? user_places.longitude(author(item)) : own;
    },
    text: (item) => fields.text(item),
    item_field: (item, name) => fields.item(item, name),
    user_field: (user, name) => fields.user(user, name),
  } satisfies Partial<RequestContext>;
}

export interface EngineSettings {
  derived_lag_ms: number;
  ai_label_threshold: number;
  geo_radius_km: number;
  exploration_percent: number;
  /** Maximum age of shown items. Absent: no limit. */
  retention_days?: number;
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
    items_last_seconds: ages ? retention_days * DAY_SECONDS : Number.POSITIVE_INFINITY,
  };
}
