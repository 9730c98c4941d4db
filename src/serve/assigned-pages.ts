import { type Clock, monotonicMs } from '../clock.ts';
import type { AssignedVariant } from '../experiments/experiments.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import { REPEATS_SECONDS } from '../page/author-repeats.ts';
import { type FeedType, NONE } from '../plugin/index.ts';
import type { ImpressionChange } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import type { Built, PageBuilder } from './page-builder.ts';
import { type AssignedRequest, type ServedExperiments, underExperiment } from './under-experiment.ts';

export interface AssignedPagesOptions {
  state: State;
  store: Pick<Store, 'readImpressions'>;
  clock: Clock;
  /** Absent where none can run. */
  experiments?: ServedExperiments;
  builder: Pick<PageBuilder, 'build' | 'explain' | 'needsImpressions'>;
  /** The viewer of a request at this moment. */
  viewerOf(request: FeedRequest): string | undefined;
  /** Called before each page. */
  settle(): void;
}

/** A page with the variant that decided it. */
export interface AssignedPage extends Built {
  assigned?: AssignedVariant;
}

type Impressions = readonly ImpressionChange[];

/** Builds pages under the variants of their viewers. */
export class AssignedPages {
  constructor(private readonly options: AssignedPagesOptions) {}

  /**
   * Builds a page, and notes how long that took under a variant.
   * @param use called before anything else can change the state; its second argument is the viewer of the page
   * @throws ServiceError as `resolveFeed`; the reason of `given_up`
   */
  build<T>(
    feed_type: FeedType,
    asked: FeedRequest,
    given_up: AbortSignal | undefined,
    use: (page: AssignedPage, viewer_id: string | undefined) => T,
  ): Promise<T> {
    const { builder, experiments } = this.options;
    return this.underVariant(feed_type, asked, given_up, ({ request, assigned }, viewer_id, impressions) => {
      const start_ms = assigned === undefined ? 0 : monotonicMs();
      const page: AssignedPage = builder.build(feed_type, request, viewer_id, impressions);
      if (assigned !== undefined) experiments?.times.note(assigned.variant.arm, monotonicMs() - start_ms);
      page.assigned = assigned;
      return use(page, viewer_id);
    });
  }

  /** Explains the place of an item on a page, see `PageBuilder.explain`. */
  explain(
    feed_type: FeedType,
    asked: FeedRequest,
    item_id: string,
    given_up: AbortSignal | undefined,
  ): Promise<ReturnType<PageBuilder['explain']>> {
    return this.underVariant(feed_type, asked, given_up, ({ request }, viewer_id, impressions) =>
      this.options.builder.explain(feed_type, request, viewer_id, impressions, item_id),
    );
  }

  /**
   * Picks the variant of the viewer, reads the impressions that its page needs, and builds.
   *
   * The feed of a variant may be deleted while a request waits, or while impressions are read. So the variant is picked
   * again in the same step as the page is built: if its feed is gone, the viewer gets the feed itself.
   */
  private async underVariant<T>(
    feed_type: FeedType,
    asked: FeedRequest,
    given_up: AbortSignal | undefined,
    build: (picked: AssignedRequest, viewer_id: string | undefined, impressions: Impressions) => T,
  ): Promise<T> {
    const { builder, experiments, viewerOf, settle } = this.options;
    let impressions: Impressions | undefined;
    for (;;) {
      const viewer_id = viewerOf(asked);
      const picked = underExperiment(experiments, asked, viewer_id);
      if (impressions !== undefined || !builder.needsImpressions(feed_type, picked.request)) {
        settle();
        return build(picked, viewer_id, impressions ?? []);
      }
      impressions = await this.impressionsOf(viewer_id, given_up);
    }
  }

  /** The viewer's impressions of the last day. */
  private async impressionsOf(
    viewer_id: string | undefined,
    given_up: AbortSignal | undefined,
  ): Promise<Impressions> {
    const { state, store, clock } = this.options;
    const viewer = viewer_id === undefined ? NONE : state.users.names.find(viewer_id);
    if (viewer === NONE) return [];
    return store.readImpressions(state.users.names.key(viewer), clock.now() - REPEATS_SECONDS, given_up);
  }
}
