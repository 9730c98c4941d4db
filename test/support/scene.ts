import { BUILT_IN } from '../../plugins/index.ts';
import { seededRandom } from '../../src/clock.ts';
import type { Change } from '../../src/model/change.ts';
import type { Key, Space } from '../../src/model/key.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import { NO_PREFERENCES, type Preferences, withAuthors } from '../../src/model/records/preferences.ts';
import type { UserContent } from '../../src/model/records/user.ts';
import { NO_SIGNALS, type ShownPage } from '../../src/model/shown-page.ts';
import { columnsOf, type Engine } from '../../src/page/engine.ts';
import { FilterPools, type PoolLimits } from '../../src/page/filter-pools.ts';
import { createContext, type PageContext } from '../../src/page/page-context.ts';
import { NONE, type Ordinal, type Reached } from '../../src/plugin/index.ts';
import { Registry } from '../../src/registry/registry.ts';
import { newPage } from '../../src/seen/head.ts';
import { SeenRow } from '../../src/seen/seen-row.ts';
import { nextRow } from '../../src/seen/seen-write.ts';
import type { Effort } from '../../src/signals/effort.ts';
import { GlobalRankings } from '../../src/signals/global-rankings.ts';
import { LatestActs } from '../../src/signals/latest-acts.ts';
import { Meanings } from '../../src/signals/meanings.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import { TrendRates } from '../../src/signals/trend-rates.ts';
import { Walk } from '../../src/signals/walk.ts';
import { applyChange } from '../../src/state/apply.ts';
import { State } from '../../src/state/state.ts';
import { viewerOf } from './random-history.ts';

/** Default time of a scene, seconds. */
export const NOW = 1_700_000_000;
export const HOUR = 3600;
export const DAY = 86_400;

type Unstamped<C extends Change> = C extends Change ? Omit<C, 'seq' | 'applied_at'> : never;

/**
 * A small community in memory, described by calls. Identifiers get keys at their first use, and every event happens at
 * `now`.
 */
export class Scene {
  /** All changes so far. */
  readonly changes: Change[] = [];
  now = NOW;
  private readonly next = { user: 0, item: 0 };
  private readonly seen = new Map<string, SeenRow>();

  constructor(readonly state = new State()) {}

  user(id: string, content: UserContent = {}): this {
    return this.apply({ kind: 'user', user: this.key('user', id), content });
  }

  item(id: string, content: Partial<ItemContent> & { author?: string } = {}): this {
    const { author, ...rest } = content;
    const author_key = author === undefined ? NONE : this.key('user', author);
    const whole = { created_at: this.now, ...rest };
    return this.apply({ kind: 'item', item: this.key('item', id), author: author_key, content: whole });
  }

  count(id: string, likes_count: number, comments_count = 0, shares_count = 0): this {
    const counts = { likes_count, comments_count, shares_count, updated_at: this.now };
    return this.apply({ kind: 'engagement', item: this.key('item', id), ...counts });
  }

  act(user: string, event: string, item: string, timestamp = this.now, event_id = ''): this {
    return this.interaction(user, event, item, timestamp, 1, event_id);
  }

  unact(user: string, event: string, item: string, timestamp = this.now, event_id = ''): this {
    return this.interaction(user, event, item, timestamp, 0, event_id);
  }

  follow(user: string, target: string): this {
    const pair = { user: this.key('user', user), target: this.key('user', target) };
    return this.apply({ kind: 'follow', ...pair, action: 1, timestamp: this.now });
  }

  /** Sets preferences of a user. Authors are named by their ids. */
  prefer(user: string, preferences: Partial<Preferences>): this {
    const content = withAuthors({ ...NO_PREFERENCES, ...preferences }, (id) => this.key('user', id));
    return this.apply({
      kind: 'preferences',
      user: this.key('user', user),
      content,
      named: Uint32Array.of(),
    });
  }

  block(user: string, target: string): this {
    const pair = { user: this.key('user', user), target: this.key('user', target) };
    return this.apply({ kind: 'block', ...pair, action: 1, timestamp: this.now });
  }

  /** Changes a list of users, which has no owner. */
  list(list_id: string, added: readonly string[], removed: readonly string[] = []): this {
    const keys = (ids: readonly string[]) => Uint32Array.from(ids, (id) => this.key('user', id));
    const facts = { list_id, owner: NONE, name: '', action: 1, by_record: 0 };
    return this.apply({ kind: 'user_list', ...facts, added: keys(added), removed: keys(removed) });
  }

  /** Records a page of a viewer, who need not be a user. See `seenBy`. */
  show(user: string, ...items: string[]): this {
    const keys = Uint32Array.from(items, (item) => this.key('item', item));
    const pages = [newPage({ time: this.now, page_id: 1, feed: 0, arm: 0, keys })];
    this.seen.set(user, nextRow(this.seenBy(user), { pages }, this.now).row);
    return this;
  }

  /** Logs a page of a viewer, who need not be a user. A state without `viewerOf` does not see who acts on it. */
  log(user: string, items: readonly string[], page: Partial<ShownPage> = {}, halvings = 0): this {
    const keys = Uint32Array.from(items, (item) => this.key('item', item));
    const slots = Uint16Array.from(items, (_, at) => at + 1);
    const of_items = { items: keys, slots, origins: new Uint8Array(items.length), ...NO_SIGNALS };
    const whole = { time: this.now, feed: 0, feed_type: 'for-you' as const, ...of_items, ...page };
    return this.apply({ kind: 'shown', viewer: viewerOf(user), halvings, page: whole });
  }

  /** Freezes, thaws or resets a model, or notes that it fell back. */
  model(action: 'freeze' | 'thaw' | 'reset' | 'fall_back', feed = 0): this {
    return this.apply({
      kind: 'model',
      feed_type: 'for-you',
      feed,
      action,
      numbers: new Float64Array(),
      actor: '',
    });
  }

  seenBy(user: string): SeenRow {
    return this.seen.get(user) ?? SeenRow.none(user);
  }

  delete(item: string): this {
    return this.apply({ kind: 'deletion', item: this.key('item', item) });
  }

  /** Deletes all acts of a type by a user on an item. */
  forget(user: string, event: string, item: string): this {
    const of = { user: this.key('user', user), item: this.key('item', item) };
    return this.apply({ kind: 'act_deletion', ...of, event_type: this.state.vocabulary.code(event) });
  }

  erase(user: string): this {
    return this.apply({ kind: 'erasure', user: this.key('user', user), viewer: viewerOf(user) });
  }

  /** Retires items for good. */
  retire(...items: string[]): this {
    const keys = Uint32Array.from(items, (item) => this.key('item', item));
    return this.apply({ kind: 'retirement', items: keys });
  }

  /** Advances the time with other changes until ordinals of retired items can be reused. */
  recycle(): this {
    this.now += HOUR;
    for (let left = 10_000; this.state.recycler.size > 0; left--) {
      if (left === 0) throw new Error('ordinals are never freed');
      this.user('passer-by');
    }
    return this;
  }

  private interaction(
    user: string,
    event: string,
    item: string,
    timestamp: number,
    action: number,
    event_id = '',
  ): this {
    const pair = { user: this.key('user', user), item: this.key('item', item) };
    const event_type = this.state.vocabulary.code(event);
    if (event_type === NONE) throw new Error(`there is no kind '${event}'`);
    const act = { event_type, action, timestamp, event_id };
    return this.apply({ kind: 'interaction', ...pair, ...act });
  }

  private key(space: Space, id: string): Key {
    const { names } = space === 'user' ? this.state.users : this.state.items;
    const known = names.find(id);
    if (known !== NONE) return names.key(known);
    const key = this.next[space]++;
    this.apply({ kind: 'name', space, key, id });
    return key;
  }

  private apply(change: Unstamped<Change>): this {
    const stamped = { ...change, seq: this.state.seq + 1, applied_at: this.now } as Change;
    this.changes.push(stamped);
    applyChange(this.state, stamped);
    return this;
  }
}

/** A registry with the built-in plugins. */
export function builtIn(): Registry {
  const registry = new Registry();
  registry.addBuiltIn(BUILT_IN);
  return registry;
}

export interface EngineOptions {
  registry?: Registry;
  /** Lag of caches. Default 0, never. */
  lag_ms?: number;
  monotonicMs?: () => number;
  pool_limits?: PoolLimits;
  /** Default 0: pages are ordered by scores alone. */
  exploration_percent?: number;
}

/** The caches that requests on a state share. */
export function engineOn(state: State, options: EngineOptions = {}): Engine {
  const { registry = builtIn(), lag_ms = 0, monotonicMs = () => 0 } = options;
  const scratch = new Scratch(state);
  const walk = new Walk(state, lag_ms === 0);
  return {
    state,
    registry,
    walk,
    meanings: new Meanings(state, walk.steps, lag_ms === 0),
    latest_acts: new LatestActs(state),
    trend_rates: new TrendRates(state, lag_ms === 0),
    rankings: new GlobalRankings(state, lag_ms, monotonicMs),
    scratch,
    columns: columnsOf(state, scratch),
    pools: new FilterPools(state, monotonicMs, options.pool_limits),
    monotonicMs,
    exploration_percent: options.exploration_percent ?? 0,
    items_last_seconds: Number.POSITIVE_INFINITY,
    defaults: { ai_label_threshold: 0.6, geo_radius_km: 100 },
  };
}

export interface RequestOptions {
  viewer?: string;
  now?: number;
  page_length?: number;
  effort?: Effort;
  seed?: number;
  seen?: SeenRow;
}

export function requestOn(engine: Engine, options: RequestOptions = {}): PageContext {
  const { viewer, now = NOW, page_length = 25, seed = 1, effort, seen } = options;
  const ordinal: Ordinal = viewer === undefined ? NONE : engine.state.users.names.find(viewer);
  const start = { viewer: ordinal, now, page_length, effort, seen };
  return createContext(engine, { ...start, random: seededRandom(seed) });
}

/** A request on a scene, with caches that never lag. */
export function requestIn(scene: Scene, options: RequestOptions = {}): PageContext {
  const seen = options.viewer === undefined ? undefined : scene.seenBy(options.viewer);
  return requestOn(engineOn(scene.state), { now: scene.now, seen, ...options });
}

export function itemIds(state: State, items: Iterable<Ordinal>): string[] {
  return Array.from(items, (item) => state.items.names.id(item));
}

export function itemOf(scene: Scene, id: string): Ordinal {
  return scene.state.items.names.find(id);
}

/** Results of a computation: item → weight, in order of arrival. */
export function weightsOf(reached: Reached): Map<Ordinal, number> {
  const weights = new Map<Ordinal, number>();
  reached.forEach((item, weight) => {
    weights.set(item, weight);
  });
  return weights;
}
