import { seededRandom } from '../clock.ts';
import { compileFeed, type FeedSettings } from '../feeds/compile-feed.ts';
import type { FeedLearning } from '../feeds/compiled-feed.ts';
import { createEngine, type Engine } from '../page/engine.ts';
import type { LearntModel } from '../page/learnt.ts';
import { createContext, type PageContext } from '../page/page-context.ts';
import { buildList } from '../page/pipeline.ts';
import { type ConnectorRecord, type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import type { Read } from '../plugin/reads.ts';
import { newPage } from '../seen/head.ts';
import { SeenRow } from '../seen/seen-row.ts';
import { nextRow } from '../seen/seen-write.ts';
import { Fields } from '../state/fields.ts';
import { State } from '../state/state.ts';
import { History } from './history.ts';
import type { TestRegistry } from './other-signals.ts';
import { TEST_NOW, type TestWorld } from './test-world.ts';

const HOUR = 3600;
const PAGE_LENGTH = 25;
/** The defaults of the settings, except that derived data never lags, and new items get no slots of their own. */
const SETTINGS = { derived_lag_ms: 0, ai_label_threshold: 0.6, geo_radius_km: 100, exploration_percent: 0 };

interface Dated {
  at: number;
  change: ConnectorRecord;
}

/** How a request differs from that of its world. */
export type Changes = Partial<Pick<TestWorld, 'viewer' | 'now' | 'seed'>>;

/** The community of a test in the service's state, with the service's engine. */
export class SmallWorld {
  readonly engine: Engine;
  /** The described items, in the order in which the test names them. */
  readonly items: readonly Ordinal[];
  private readonly state: State;
  readonly now: number;

  /** @param reads the fields that the state holds for plugins */
  constructor(
    private readonly given: TestWorld,
    registry: TestRegistry,
    reads: Iterable<Read>,
  ) {
    this.state = new State({ fields: new Fields(reads) });
    const has_preferences = Object.values(given.users ?? {}).some(
      ({ preferences }) => preferences !== undefined,
    );
    if (has_preferences || [...reads].includes('words')) {
      this.state.words.turnOn();
      this.state.words.finish();
    }
    this.now = given.now ?? TEST_NOW;
    const history = new History(this.state);
    const changes = changesOf(given, this.now).sort((one, other) => one.at - other.at);
    for (const { at, change } of changes) history.take(change, Math.min(at, this.now));
    for (const [user_id, { preferences }] of Object.entries(given.users ?? {}))
      if (preferences !== undefined) history.prefer(user_id, preferences, this.now);
    for (const [signal, values] of Object.entries(given.signals ?? {})) {
      const byItem = Object.entries(values).map(([id, value]) => [this.names.items.find(id), value] as const);
      registry.replace(signal, new Map(byItem));
    }
    // The clock does not run, so no request is too costly.
    this.engine = createEngine(this.state, registry, { ...SETTINGS, monotonicMs: () => 0 });
    const { names, size } = this.state.items;
    const named = Object.keys(given.items ?? {}).map((item_id) => names.find(item_id));
    const all = new Set([...named, ...Array.from({ length: size }, (_, item) => item)]);
    this.items = [...all].filter((item) => this.state.items.described(item));
  }

  get names() {
    return { users: this.state.users.names, items: this.state.items.names };
  }

  idOf(item: Ordinal): string {
    return this.state.items.names.id(item);
  }

  /** A request without state of earlier ones, in which all eligible items are candidates. */
  request(changes: Changes = {}): PageContext {
    const context = this.context(changes);
    const admission = context.restrictTo({ filtered: context.eligible, visible: () => true });
    for (const item of this.items) admission.offer(item);
    return context;
  }

  /** The items that a feed shows, best first. @throws ServiceError if the feed is invalid, or an extension fails */
  shownBy(feed_type: FeedType, settings: FeedSettings): Ordinal[] {
    const feed = compileFeed(this.engine.registry, feed_type, settings);
    return buildList(feed, this.context({})).map(({ item }) => item);
  }

  private context(changes: Changes): PageContext {
    const { viewer, seed = 1, now = this.now } = { ...this.given, ...changes };
    return createContext(this.engine, {
      viewer: viewer === undefined ? NONE : this.names.users.find(viewer),
      now,
      page_length: PAGE_LENGTH,
      seen: viewer === undefined ? undefined : this.seenBy(viewer),
      modelFor: this.given.learnt && ((learning) => modelOf(learning, this.given.learnt)),
      random: seededRandom(seed),
    });
  }

  private seenBy(viewer: string): SeenRow {
    const { seen = [] } = this.given.users?.[viewer] ?? {};
    const known = seen.map((item_id) => this.names.items.find(item_id)).filter((item) => item !== NONE);
    const keys = Uint32Array.from(known, (item) => this.names.items.key(item));
    const pages = [newPage({ time: this.now, page_id: 1, feed: 0, arm: 0, keys })];
    return nextRow(SeenRow.none(viewer), { pages }, this.now).row;
  }
}

/** What a test says was learnt. */
function modelOf({ signals, keys }: FeedLearning, learnt: TestWorld['learnt'] = {}): LearntModel {
  const names = new Map(['default', ...signals].map((name, at) => [keys[at], name]));
  const weights: Record<string, number> = { intercept: 0, default: 1, ...learnt };
  return { intercept: weights.intercept, weightOf: (key) => weights[names.get(key) ?? ''] ?? 0 };
}

/** All changes of a world with their times. Profiles, follows and blocks were there before anything else. */
function changesOf(
  { items = {}, users = {}, interactions = [], records = [] }: TestWorld,
  now: number,
): Dated[] {
  const described = Object.entries(items).map(([item_id, { created_at = now - HOUR, ...fields }]) => {
    const updated_at = fields.updated_at ?? (hasCounts(fields) ? created_at : undefined);
    const record = { item_id, created_at, ...fields, updated_at };
    return { at: updated_at ?? created_at, change: { kind: 'item', record } as const };
  });
  const acts = interactions.map((act) => {
    const record = { timestamp: now, ...act };
    return { at: record.timestamp, change: { kind: 'interaction', record } as const };
  });
  const others = records.map((change) => ({ at: timeOf(change.record, now), change }));
  const dated = [...described, ...acts, ...others];
  const start = Math.min(now, ...dated.map(({ at }) => at));
  const known = Object.entries(users).flatMap(
    ([user_id, { follows = [], blocks = [], seen: _, preferences: __, ...fields }]) => [
      { kind: 'user' as const, record: { user_id, ...fields } },
      ...follows.map((target_user_id) => ({ kind: 'follow' as const, record: { user_id, target_user_id } })),
      ...blocks.map((target_user_id) => ({ kind: 'block' as const, record: { user_id, target_user_id } })),
    ],
  );
  return [...known.map((change) => ({ at: start, change })), ...dated];
}

function hasCounts({
  likes_count,
  comments_count,
  shares_count,
}: NonNullable<TestWorld['items']>[string]): boolean {
  return likes_count !== undefined || comments_count !== undefined || shares_count !== undefined;
}

function timeOf({ timestamp, updated_at, created_at }: ConnectorRecord['record'], now: number): number {
  const time = timestamp ?? updated_at ?? created_at;
  return typeof time === 'number' ? time : now;
}
