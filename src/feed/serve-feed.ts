import { type Clock, monotonicMs, systemTimers } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { View } from '../ingest/views.ts';
import type { Engine } from '../pipeline/engine.ts';
import { rankedBy } from '../pipeline/request.ts';
import type { Effort, FeedType, Ordinal, PluginLog } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { HugePages } from '../state/huge-pages.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import type { AnswerItem, Draft } from './answer.ts';
import { createEngine, type EngineSettings } from './create-engine.ts';
import type { PagesElsewhere } from './elsewhere.ts';
import type { ExplainedItem } from './explain-item.ts';
import type { AnswerTrace } from './explanation.ts';
import { FeedMeter } from './feed-meter.ts';
import { Gathering } from './gathering.ts';
import { IdleWork } from './idle-work.ts';
import { JsonText } from './json-bytes.ts';
import type { LoadGauge } from './load-gauge.ts';
import { type Answered, type Built, PageBuilder, seenOf } from './page-builder.ts';
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

/** What a feed request is answered with. */
export interface ServedPage {
  items: AnswerItem[];
  /** Only of explained requests. */
  trace: AnswerTrace | undefined;
  warnings: string[];
  /** Whether it is made of whom others than the viewer follow. */
  asks_of_others: boolean;
}

/** What is to be recorded once the page is on its way; absent: nothing. */
interface Shown<Answer extends Draft | JsonText> {
  built: Answered<Answer>;
  view: View | undefined;
}

/** Builds a page for a viewer. @param records what the viewer will have seen is to be recorded */
type Show<Answer extends Draft | JsonText> = (
  viewer_id: string | undefined,
  records: boolean,
) => Shown<Answer> | Promise<Shown<Answer>>;

/** Of a page that came as text. */
const OF_TEXT = { return_metadata: false, trace: undefined, warnings: [], asks_of_others: false };

/** How often it is seen to rankings that nobody asks for. */
const LOOK_SECONDS = 5;

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
  private elsewhere: PagesElsewhere | undefined;
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
    this.replies = new Replies(state, clock);
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

  /** Has some pages built elsewhere from now on. */
  buildElsewhere(elsewhere: PagesElsewhere): void {
    this.elsewhere = elsewhere;
  }

  /** There may be something to do. */
  wake(): void {
    this.idle.wake();
  }

  /** Runs what changes the state while nobody else reads it; what is derived from it takes note. */
  apply(changes: () => void): void {
    if (this.elsewhere === undefined) changes();
    else this.elsewhere.exclusively(changes);
    this.engine.rankings.keepUp(this.options.clock.now());
    this.builder.keepUp();
  }

  /** What pages are built from here, for whoever builds some elsewhere. */
  get shared(): Pick<Engine, 'state' | 'walk'> {
    return this.engine;
  }

  /** Neighbour lists that are kept, that are waited for, and whether they are still built ahead. */
  get lists(): { kept: number; waiting: number; warming: boolean } {
    return { ...this.engine.walk.lists, warming: this.warming };
  }

  /** Threads that build pages beside this one, and pages that they have built. */
  get threads(): { threads: number; pages: number } {
    return this.elsewhere?.figures ?? { threads: 0, pages: 0 };
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
    const show: Show<Draft> = (viewer_id, records) =>
      this.shown(this.builder.build(feed_type, request, viewer_id), request, records ? viewer_id : undefined);
    const { answer, trace, warnings, asks_of_others } = await this.built(request, show, given_up);
    return { items: answer.items, trace, warnings, asks_of_others };
  }

  /**
   * The same, or at once the body of the answer, where that costs less: to be let go when it has been copied.
   * @param warnings of the request, before those of the page
   * @param given_up as of `serve`
   * @throws as `serve`
   */
  async serveText(
    feed_type: FeedType,
    request: FeedRequest,
    warnings: readonly string[],
    given_up?: AbortSignal,
  ): Promise<ServedPage | JsonText> {
    const show: Show<Draft | JsonText> = (viewer_id, records) => {
      const recorded = records ? viewer_id : undefined;
      const here = () =>
        this.shown(this.builder.buildText(feed_type, request, viewer_id, warnings), request, recorded);
      const order = { feed_type, request, viewer_id, warnings };
      const { elsewhere } = this;
      if (elsewhere === undefined || !elsewhere.takes(order)) return here();
      // As of now: whoever is erased before the page is built is not recorded.
      const viewer = recorded === undefined ? undefined : this.options.ingest.views.viewer(recorded);
      const built = (answer: JsonText, items: Uint32Array<ArrayBuffer>) => ({
        built: { answer, ...OF_TEXT },
        view: viewer && items.length > 0 ? { ...viewer, items } : undefined,
      });
      return elsewhere.build<Shown<Draft | JsonText>>(order, { here, built });
    };
    const { answer, ...page } = await this.built(request, show, given_up);
    if (answer instanceof JsonText) return answer;
    const { trace, warnings: of_page, asks_of_others } = page;
    return { items: answer.items, trace, warnings: of_page, asks_of_others };
  }

  private async built<Answer extends Draft | JsonText>(
    request: FeedRequest,
    show: Show<Answer>,
    given_up: AbortSignal | undefined,
  ): Promise<Answered<Answer>> {
    this.options.ingest.pace.reading();
    await this.gathering.together(given_up);
    const viewer_id = this.viewerOf(request);
    if (viewer_id === undefined || request.impression_count === 0) {
      const { built } = await show(viewer_id, false);
      return this.complete(built, given_up);
    }
    const showAndRecord = async () => {
      const viewer_now = this.viewerOf(request);
      // While it waited, whoever the wallet stood for was erased or gave it away: nothing is recorded of them.
      const { built, view } = await show(viewer_now, viewer_now === viewer_id);
      // Whoever does not get the page has not seen it: what can fail comes before it is recorded.
      await this.complete(built, given_up);
      if (view !== undefined) await this.options.ingest.impressions(view);
      return built;
    };
    return this.turns.take(viewer_id, showAndRecord, given_up);
  }

  /** A page with what its viewer will have seen of it, as long as its ordinals mean these items. */
  private shown<Answer extends Draft | JsonText>(
    built: Built<Answer>,
    request: FeedRequest,
    viewer_id: string | undefined,
  ): Shown<Answer> {
    return { built, view: this.viewOf(viewer_id, seenOf(built, request)) };
  }

  private viewOf(viewer_id: string | undefined, seen: readonly Ordinal[]): View | undefined {
    const records = viewer_id !== undefined && seen.length > 0;
    return records ? this.options.ingest.views.of(viewer_id, seen) : undefined;
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
    return this.builder.explain(feed_type, request, this.viewerOf(request), item_id);
  }

  /** One step of what is better done before somebody waits for it; false when there is nothing to do. */
  private workAhead(): boolean {
    const { walk, rankings, pools } = this.engine;
    const now = this.options.clock.now();
    // What others read is changed when they do not; they see to it that this is tried again.
    if (this.elsewhere?.reading) return rankings.buildStep(now) || rankings.renew(now) || pools.buildStep();
    if (walk.forgetSome() || rankings.buildStep(now) || rankings.renew(now)) return true;
    // In turns, so that neither waits until the other has nothing to do.
    this.pools_first = !this.pools_first;
    if (this.pools_first && pools.buildStep()) return true;
    if (walk.buildQueued() || pools.buildStep()) return true;
    // A step of the latter takes milliseconds: once, when lists are there, and never again beside requests.
    this.warming &&= walk.warmUp() || this.huge_pages.step();
    return this.warming;
  }

  private viewerOf({ user_id, wallet_address }: FeedRequest): string | undefined {
    if (user_id !== undefined || wallet_address === undefined) return user_id;
    const { users } = this.options.state;
    const user = users.ofWallet(wallet_address.toLowerCase());
    return user === undefined ? undefined : users.names.id(user);
  }

  /** @throws the reason of `given_up`, also when it was aborted while the store was read */
  private async complete<Answer extends Draft | JsonText>(
    built: Answered<Answer>,
    given_up: AbortSignal | undefined,
  ): Promise<Answered<Answer>> {
    const { answer, return_metadata } = built;
    if (return_metadata && !(answer instanceof JsonText)) await this.contents.addTo(answer, given_up);
    given_up?.throwIfAborted();
    return built;
  }
}
