import { DAY_SECONDS, monotonicMs as machineMs } from '../clock.ts';
import {
  type Defaults,
  type ItemColumns,
  type ItemField,
  NONE,
  type Ordinal,
  type UserColumns,
} from '../plugin/index.ts';
import type { CompiledSignal, Registry } from '../registry/registry.ts';
import { GlobalRankings } from '../signals/global-rankings.ts';
import { LatestActs } from '../signals/latest-acts.ts';
import { Meanings } from '../signals/meanings.ts';
import { Scratch } from '../signals/scratch.ts';
import { TrendRates } from '../signals/trend-rates.ts';
import { Walk } from '../signals/walk.ts';
import { engagementSince, repeatedSince } from '../state/engagement.ts';
import type { State } from '../state/state.ts';
import { limitedMatcherOf } from '../state/word-matcher.ts';
import { FilterPools } from './filter-pools.ts';
import { labelledItems, labelledTest } from './labelled.ts';

export interface Engine {
  state: State;
  registry: Registry;
  walk: Walk;
  meanings: Meanings;
  latest_acts: LatestActs;
  rankings: GlobalRankings;
  trend_rates: TrendRates;
  scratch: Scratch;
  columns: Columns;
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

export interface Columns {
  item: ItemColumns;
  user: Omit<UserColumns, 'following'>;
}

/**
 * The columns of items and users that requests give to plugins. They are the same for all requests.
 *
 * Plugins may read columns of NONE, which has no record. Reading index -1 of an array would return `undefined` and
 * slow down all later reads, so it is handled separately.
 */
export function columnsOf(state: State, { repeats }: Scratch): Columns {
  const { items, users, user_lists, groups, fields, item_places, user_places } = state;
  const author = (item: Ordinal): Ordinal => (item < 0 ? NONE : items.author(item));
  function field(item: Ordinal, name: 'text'): string;
  function field(item: Ordinal, name: ItemField): unknown;
  function field(item: Ordinal, name: ItemField): unknown {
    return name === 'text' ? fields.text(item) : fields.item(item, name);
  }
  const item: ItemColumns = {
    find: (item_id) => items.names.find(item_id),
    author,
    created_at: (item) => (item < 0 ? 0 : items.created_at(item)),
    is_reply: (item) => item >= 0 && items.is_reply(item),
    likes_count: (item) => (item < 0 ? 0 : items.likes_count(item)),
    comments_count: (item) => (item < 0 ? 0 : items.comments_count(item)),
    shares_count: (item) => (item < 0 ? 0 : items.shares_count(item)),
    engagement_since(item, since, once_per_user = false) {
      if (item < 0) return 0;
      const engagement =
        since === Number.NEGATIVE_INFINITY
          ? items.likes_count(item) + items.comments_count(item) + items.shares_count(item)
          : engagementSince(state, item, since);
      return once_per_user ? engagement - repeatedSince(state, repeats, item, since) : engagement;
    },
    latitude(item) {
      const own = item_places.latitude(item);
      return Number.isNaN(own) ? user_places.latitude(author(item)) : own;
    },
    longitude(item) {
      const own = item_places.longitude(item);
      return Number.isNaN(own) ? user_places.longitude(author(item)) : own;
    },
    code: (column, value) => (column === 'author' ? users.names.find(value) : groups[column].code(value)),
    has(column, item, wanted) {
      if (column !== 'author') {
        if (typeof wanted === 'number') return groups[column].has(item, wanted);
        return item >= 0 && groups[column].any(item, wanted);
      }
      const code = author(item);
      return code !== NONE && (typeof wanted === 'number' ? code === wanted : wanted(code, 1));
    },
    labelled: (labels, now) => labelledTest(state, labels, now),
    labelled_items: (labels) => labelledItems(state, labels),
    field,
    words: (lists) => limitedMatcherOf(state.words, lists).bind(),
  };
  const user = {
    find: (user_id: string) => users.names.find(user_id),
    field: (user: Ordinal, name: string) => fields.user(user, name),
    list: (list_id: string) => user_lists.get(list_id),
  };
  // Frozen, because plugins get the objects.
  return { item: Object.freeze(item), user: Object.freeze(user) };
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
    columns: columnsOf(state, scratch),
    pools: new FilterPools(state, monotonicMs),
    monotonicMs,
    // Frozen, because plugins get the object.
    defaults: Object.freeze({ ai_label_threshold, geo_radius_km }),
    exploration_percent,
    items_last_seconds: ages ? retention_days * DAY_SECONDS : Number.POSITIVE_INFINITY,
  };
}
