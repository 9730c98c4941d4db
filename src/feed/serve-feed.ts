import type { ExplainedItem } from '../answer/explained-item.ts';
import type { ServedPage } from '../answer/page-answer.ts';
import { type Clock, monotonicMs, systemTimers } from '../clock.ts';
import { isStateFull } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Engine } from '../pipeline/engine.ts';
import { rankedBy } from '../pipeline/request.ts';
import type { Effort, FeedType, PluginLog } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { HugePages } from '../state/huge-pages.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { createEngine, type EngineSettings } from './create-engine.ts';
import { FeedMeter } from './feed-meter.ts';
import { Gathering } from './gathering.ts';
import { IdleWork } from './idle-work.ts';
import type { LoadGauge } from './load-gauge.ts';
import { type Built, PageBuilder } from './page-builder.ts';
import { PageContents } from './page-contents.ts';
import { PluginTiming } from './plugin-timing.ts';
import { Replies } from './replies.ts';
import type { FeedRequest } from './resolve-feed.ts';
import type { SavedFeeds } from './saved-feeds.ts';
import { Turns } from './turns.ts';

export type { FeedRequest } from './resolve-feed.ts';

export interface FeedServiceOptions extends EngineSettings {
  state: State;
  store: Store;
  ingest: Ingest;
  registry: Registry;
  saved_feeds: SavedFeeds;
  clock: Clock;
  overfetch_factor: number;
  cold_start_min_interactions: number;
  cold_start_inactive_days: number;
  /** Tells how much effort requests are worth; absent: all of it. */
  load?: Pick<LoadGauge, 'effort'>;
  log: PluginLog;
}

/** How often it is seen to rankings that nobody asks for. */
const LOOK_SECONDS = 5;

/** Acts of users who were hidden or shown again that are settled with the change itself: some milliseconds' worth … */
const SETTLED_AT_ONCE = 8_000;
/** … so many at a time, as rankings must keep up with what changes, … */
const SETTLED_AT_A_TIME = 1_000;
/** … and by one step of background work. */
const SETTLED_IN_STEP = 256;

/** Serves the feeds of one community. */
export class FeedService {
  /** What feed requests cost so far. */
  readonly meter = new FeedMeter(monotonicMs);
  /** Answers to requests that may be sent again. */
  readonly replies: Replies;
  /** What third parties' plugins cost, by a sample. */
  readonly timing: PluginTiming;
  private readonly engine: Engine;
  private readonly idle: IdleWork;
  private readonly huge_pages: HugePages;
  private warming = false;
  private pools_first = false;
  private readonly builder: PageBuilder;
  private readonly gathering = new Gathering();
  private readonly turns = new Turns('requests of this viewer');
  private readonly contents: PageContents;

  constructor(private readonly options: FeedServiceOptions) {
    const { state, store, registry, clock, derived_lag_ms } = options;
    const engine = createEngine(state, registry, options);
    // A page that repeats is the same however busy the machine is.
    const effort = (): Effort => (derived_lag_ms === 0 ? 1 : (options.load?.effort ?? 1));
    this.engine = engine;
    this.huge_pages = new HugePages(
      [state, engine.walk, engine.trend_rates, engine.latest_acts],
      monotonicMs,
    );
    this.idle = new IdleWork(() => this.workAhead(), {
      monotonicMs,
      timers: systemTimers,
      effort,
      crowded: () => options.ingest.pace.crowded,
    });
    state.recycler.watch(() => this.idle.wake());
    this.timing = new PluginTiming(registry, monotonicMs, options.log);
    this.builder = new PageBuilder(engine, { ...options, effort }, this.meter, this.timing, () =>
      this.idle.wake(),
    );
    this.replies = new Replies(state, clock, options.saved_feeds);
    this.contents = new PageContents(store, options.ai_label_threshold);
  }

  /**
   * Has the rankings of some signals and neighbour lists built ahead of the first requests, whenever there is nothing
   * else to do, and rankings built anew while nobody asks. @returns what ends the latter
   */
  warmUp(signals: readonly string[]): () => void {
    for (const signal of signals) this.engine.rankings.expect(rankedBy(this.engine, signal));
    this.warming = true;
    this.idle.wake();
    return this.idle.lookEvery(LOOK_SECONDS);
  }

  /** Updates what is derived from the state; to be called whenever changes were applied. */
  keepUp(): void {
    const { clock, state } = this.options;
    const now = clock.now();
    this.engine.rankings.keepUp(now);
    for (let acts = 0; acts < SETTLED_AT_ONCE && state.is_settling; acts += SETTLED_AT_A_TIME) {
      this.settleSome(SETTLED_AT_A_TIME, now);
    }
    if (state.is_settling) this.idle.wake();
  }

  /** Neighbour lists that are kept, that are waited for, and whether they are still built ahead. */
  get lists(): { kept: number; waiting: number; warming: boolean } {
    return { ...this.engine.walk.lists, warming: this.warming };
  }

  /** Pools of the items that filters keep. */
  get pools(): { kept: number; waiting: number; bytes: number } {
    return this.engine.pools.figures;
  }

  /**
   * One page, spec 4.1. Requests of one viewer that record impressions take turns, from building the page
   * to the acknowledged impression, so two at once never show the same item.
   * @param given_up once it is aborted nothing is built any more, and nothing recorded that is not on its way to the store
   * @throws ServiceError as `resolveFeed`, and `store_unavailable`; the reason of `given_up`
   */
  async serve(feed_type: FeedType, request: FeedRequest, given_up?: AbortSignal): Promise<ServedPage> {
    const { ingest } = this.options;
    ingest.pace.reading();
    await this.gathering.together(given_up);
    const viewer_id = this.viewerOf(request);
    if (viewer_id === undefined || request.impression_count === 0) {
      return this.complete(this.build(feed_type, request, viewer_id), given_up);
    }
    const buildAndRecord = async () => {
      const viewer_now = this.viewerOf(request);
      const built = this.build(feed_type, request, viewer_now);
      // The wallet changed hands or its user was erased while the request waited: record nothing.
      if (viewer_now !== viewer_id) return this.complete(built, given_up);
      const shown = built.plain ? [] : built.page.slice(0, request.impression_count);
      // Taken now: once anything is awaited, ordinals may mean other items.
      const seen = shown.map(({ item }) => item);
      const view = seen.length > 0 ? ingest.views.of(viewer_id, seen) : undefined;
      // Whatever can fail comes first: an impression is recorded only if the page is delivered.
      const page = await this.complete(built, given_up);
      return view === undefined ? page : recorded(page, ingest.impressions(view));
    };
    return this.turns.take(viewer_id, buildAndRecord, given_up);
  }

  /**
   * Where an item stands on the page of a request, or why it does not. Records nothing.
   * @param given_up as of `serve`
   * @throws ServiceError as `resolveFeed`, and `not_found` for an unknown item; the reason of `given_up`
   */
  async explain(
    feed_type: FeedType,
    request: FeedRequest,
    item_id: string,
    given_up?: AbortSignal,
  ): Promise<{ item: ExplainedItem; warnings: string[] }> {
    await this.gathering.together(given_up);
    this.settleIfExact();
    return this.builder.explain(feed_type, request, this.viewerOf(request), item_id);
  }

  /** One step of what is better done before somebody waits for it; false when there is nothing to do. */
  private workAhead(): boolean {
    const { walk, rankings, pools } = this.engine;
    const now = this.options.clock.now();
    if (this.options.state.is_settling) {
      this.settleSome(SETTLED_IN_STEP, now);
      return true;
    }
    if (walk.forgetSome() || rankings.buildStep(now) || rankings.renew(now)) return true;
    // In turns, so that neither waits until the other has nothing to do.
    this.pools_first = !this.pools_first;
    if (this.pools_first && pools.buildStep()) return true;
    if (walk.buildQueued() || pools.buildStep()) return true;
    // A step of the latter takes milliseconds: once, when lists are there, and never again beside requests.
    this.warming &&= walk.warmUp() || this.huge_pages.step();
    return this.warming;
  }

  /** The user who listed a wallet address, written in any case. */
  ownerOf(wallet_address: string): string | undefined {
    const { users } = this.options.state;
    const user = users.ofWallet(wallet_address.toLowerCase());
    return user === undefined ? undefined : users.names.id(user);
  }

  /** Suspends or resumes some acts of users who were hidden or shown again, and has caches take that in. */
  private settleSome(acts: number, now: number): void {
    this.options.state.settle(acts);
    this.engine.rankings.keepUp(now);
  }

  private build(...asked: Parameters<PageBuilder['build']>): Built {
    this.settleIfExact();
    return this.builder.build(...asked);
  }

  /** Pages that repeat are of a state that is settled. */
  private settleIfExact(): void {
    if (this.options.derived_lag_ms === 0) this.options.state.settle(Number.POSITIVE_INFINITY);
  }

  private viewerOf({ user_id, wallet_address }: FeedRequest): string | undefined {
    if (user_id !== undefined || wallet_address === undefined) return user_id;
    return this.ownerOf(wallet_address);
  }

  /** @throws the reason of `given_up`, also when it was aborted while the store was read */
  private async complete(built: Built, given_up: AbortSignal | undefined): Promise<ServedPage> {
    const { draft, return_metadata, trace, warnings, asks_of_others, feeds } = built;
    const warning = return_metadata ? await this.contents.addTo(draft, given_up) : undefined;
    given_up?.throwIfAborted();
    if (warning !== undefined) warnings.push(warning);
    return { items: draft.items, trace, warnings, asks_of_others, feeds };
  }
}

/** The page, when its impressions are recorded; also, with a warning, when the state has no room for them. */
async function recorded(page: ServedPage, recording: Promise<void>): Promise<ServedPage> {
  try {
    await recording;
    return page;
  } catch (error) {
    if (!isStateFull(error)) throw error;
    const warning = `what was shown is not recorded as seen, and may be shown again: ${error.detail}`;
    return { ...page, warnings: [...page.warnings, warning] };
  }
}
