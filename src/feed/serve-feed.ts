import { type Clock, freshSeed, monotonicMs, seededRandom } from '../clock.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { CompiledFeed } from '../pipeline/compiled-feed.ts';
import { buildPage, type PageItem } from '../pipeline/pipeline.ts';
import { type Engine, Request } from '../pipeline/request.ts';
import { type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { AccumulatorPool } from '../signals/accumulator.ts';
import { GlobalRankings } from '../signals/global-rankings.ts';
import { Walk } from '../signals/walk.ts';
import type { ItemContent, UserContent } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { type AnswerItem, addMetadata, type Draft, draftAnswer } from './answer.ts';
import { isCold } from './cold-start.ts';
import { composePage } from './compose-page.ts';
import { ContentCache } from './content-cache.ts';
import { FeedMeter } from './feed-meter.ts';
import { IdleWork } from './idle-work.ts';
import type { FeedPlan } from './plan.ts';
import { type FeedRequest, type ResolvedFeed, resolveFeed } from './resolve-feed.ts';
import type { SavedFeeds } from './saved-feeds.ts';
import { Turns } from './turns.ts';

export type { FeedRequest } from './resolve-feed.ts';

export interface FeedServiceOptions {
  state: State;
  store: Store;
  ingest: Ingest;
  registry: Registry;
  saved_feeds: SavedFeeds;
  clock: Clock;
  derived_lag_ms: number;
  ai_label_threshold: number;
  geo_radius_km: number;
  overfetch_factor: number;
  cold_start_min_interactions: number;
  cold_start_inactive_days: number;
}

/** A page, and what is left to be done with it. */
interface Built {
  draft: Draft;
  page: PageItem[];
  /** A plain page: nothing is recorded. */
  plain: boolean;
  return_metadata: boolean;
  warnings: string[];
}

/** What a feed request is answered with. */
export interface ServedPage {
  items: AnswerItem[];
  warnings: string[];
}

/** Contents kept in memory for answers with metadata. */
const CONTENTS_CACHED_MAX = 20_000;

/** Serves the feeds of one community. */
export class FeedService {
  /** What feed requests cost so far. */
  readonly meter = new FeedMeter(monotonicMs);
  private readonly engine: Engine;
  private readonly turns = new Turns();
  private readonly idle: IdleWork;
  private readonly contents: ContentCache<ItemContent>;
  private readonly profiles: ContentCache<UserContent>;

  constructor(private readonly options: FeedServiceOptions) {
    const { state, store, registry, derived_lag_ms, ai_label_threshold, geo_radius_km } = options;
    this.engine = {
      state,
      registry,
      walk: new Walk(state, derived_lag_ms === 0),
      rankings: new GlobalRankings(state, derived_lag_ms, monotonicMs),
      accumulators: new AccumulatorPool(),
      defaults: { ai_label_threshold, geo_radius_km },
    };
    this.idle = new IdleWork(() => this.engine.walk.buildQueued() || this.engine.rankings.buildStep());
    this.contents = new ContentCache(CONTENTS_CACHED_MAX, (seqs) => store.readItems(seqs));
    this.profiles = new ContentCache(CONTENTS_CACHED_MAX, (seqs) => store.readUsers(seqs));
  }

  /**
   * One page, spec 4.1. Requests of one viewer that record impressions take turns, from building the page
   * to the acknowledged impression, so two at once never show the same item.
   * @throws ServiceError as `resolveFeed`, and `store_unavailable`
   */
  async serve(feed_type: FeedType, request: FeedRequest): Promise<ServedPage> {
    const viewer_id = request.user_id ?? this.userOfWallet(request.wallet_address);
    if (viewer_id === undefined || request.impression_count === 0) {
      return this.complete(this.draft(feed_type, request, viewer_id));
    }
    return this.turns.take(viewer_id, async () => {
      const built = this.draft(feed_type, request, viewer_id);
      const seen = built.plain ? [] : built.page.slice(0, request.impression_count);
      if (seen.length > 0) {
        await this.options.ingest.impressions(
          viewer_id,
          seen.map(({ item }) => item),
        );
      }
      return this.complete(built);
    });
  }

  private userOfWallet(address: string | undefined): string | undefined {
    const { users } = this.options.state;
    const user = address === undefined ? undefined : users.ofWallet(address.toLowerCase());
    return user === undefined ? undefined : users.names.id(user);
  }

  /** Synchronous: page and facts see one state. */
  private draft(feed_type: FeedType, request: FeedRequest, viewer_id: string | undefined): Built {
    const { state, registry, saved_feeds, clock, overfetch_factor } = this.options;
    this.meter.start();
    const resolved = resolveFeed(registry, saved_feeds, feed_type, request, this.options);
    const { top_k, offset, return_metadata, warnings } = resolved;
    const viewer: Ordinal = viewer_id === undefined ? NONE : state.users.names.find(viewer_id);
    const random = seededRandom(request.seed ?? freshSeed());
    try {
      const context = new Request(this.engine, viewer, clock.now(), random, top_k);
      const plan = this.planFor(resolved, request, context);
      const build = (feed: CompiledFeed, length: number) =>
        buildPage(feed, context.forPage(length), this.meter);
      const page = composePage(plan, top_k, offset, {
        build,
        request: context,
        random,
        overfetch_factor,
        warnings,
      });
      this.meter.enter('answer');
      const draft = draftAnswer(context, feed_type, page, return_metadata);
      this.meter.finish(plan.compiled, page.length);
      return { draft, page, plain: resolved.offset !== undefined, return_metadata, warnings };
    } finally {
      this.engine.accumulators.takeBack();
      this.idle.wake();
    }
  }

  /** The feed itself, or the one for cold viewers. Without anybody who asks, nobody is cold. */
  private planFor(
    resolved: ResolvedFeed,
    { user_id, wallet_address }: FeedRequest,
    context: Request,
  ): FeedPlan {
    const { cold_start, plan } = resolved;
    if (cold_start === undefined || (user_id === undefined && wallet_address === undefined)) return plan;
    const { min_interactions, inactive_days } = cold_start;
    const cold = isCold(this.options.state, context.viewer, context.now, min_interactions, inactive_days);
    return cold ? cold_start.plan() : plan;
  }

  private async complete({ draft, return_metadata, warnings }: Built): Promise<ServedPage> {
    if (!return_metadata) return { items: draft.items, warnings };
    const { facts } = draft;
    const contents = await this.contents.get(facts.map(({ seq }) => seq));
    const authors = new Set(facts.map(({ author_seq }) => author_seq).filter((seq) => seq > 0));
    const profiles = await this.profiles.get([...authors]);
    addMetadata(draft, contents, profiles, this.options.ai_label_threshold);
    return { items: draft.items, warnings };
  }
}
