import { type Clock, monotonicMs } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { Experiments } from '../experiments/experiments.ts';
import type { AssignedVariant } from '../experiments/served-variants.ts';
import type { FeedLearning } from '../feeds/compiled-feed.ts';
import {
  type FeedRequest,
  FeedResolver,
  type FeedResolverOptions,
  type ResolvedFeed,
} from '../feeds/resolve-feed.ts';
import type { PageOf } from '../page/learnt.ts';
import { type FeedType, NONE } from '../plugin/index.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import type { SeenRow } from '../seen/seen-row.ts';
import { feedNumber } from '../store/feeds.ts';
import { learningPlan, type PageLearning } from './page-learning.ts';

export type ServedExperiments = Pick<Experiments, 'served' | 'times'>;

export interface PreparerOptions extends FeedResolverOptions {
  clock: Clock;
  experiments?: ServedExperiments;
  /** Absent if pages of the community are never recorded. */
  seen?: Pick<SeenBook, 'viewerOf' | 'read' | 'cached'>;
}

/** What a page is built from: plain data, and the revisions that it was read at. */
export interface Prepared extends ResolvedFeed {
  feed_type: FeedType;
  /** The request, with the feed of the viewer's variant. */
  asked: FeedRequest;
  viewer_id: string | undefined;
  /** The variant of an experiment that decides the page. */
  assigned: AssignedVariant | undefined;
  learning: PageLearning;
  /** The viewer's row. Undefined without a viewer, and for plain pages without a `request_id`. */
  seen: SeenRow | undefined;
  /** Whether the row could not be read. Then nothing is recorded. */
  is_unread: boolean;
  /** Milliseconds that resolving the feed took. */
  resolve_ms: number;
  experiment: string | undefined;
  erasures: number;
}

/** Finds what a page is built from. All reads that wait are made here. */
export class PagePreparer {
  private readonly resolver: FeedResolver;

  constructor(private readonly options: PreparerOptions) {
    this.resolver = new FeedResolver(options);
  }

  /** The viewer of a request: the user, or the owner of the wallet at this moment. */
  viewerOf({ user_id, wallet_address }: FeedRequest): string | undefined {
    if (user_id !== undefined || wallet_address === undefined) return user_id;
    return this.ownerOf(wallet_address);
  }

  /** The user who listed a wallet address, written in any case. */
  ownerOf(wallet_address: string): string | undefined {
    const { users } = this.options.state;
    const user = users.ofWallet(wallet_address.toLowerCase());
    return user === undefined ? undefined : users.names.id(user);
  }

  /**
   * Picks the variant of the viewer, resolves the feed, and reads what the viewer has seen.
   *
   * While the store does not answer, a page that records nothing is built without it, with a warning.
   * @param is_eventual takes any cached row of the viewer
   * @throws ServiceError as `FeedResolver.resolve`, and `store_unavailable`
   */
  async prepare(
    feed_type: FeedType,
    request: FeedRequest,
    viewer_id: string | undefined,
    is_eventual = false,
  ): Promise<Prepared> {
    const { state, clock } = this.options;
    const { erasures } = state;
    const experiment = this.experimentOn(request);
    const { asked, assigned, warnings } = await this.underExperiment(feed_type, request, viewer_id);
    const start_ms = monotonicMs();
    const viewer = viewer_id === undefined ? NONE : state.users.names.find(viewer_id);
    const now = clock.now();
    const resolved = this.resolver.resolve(feed_type, asked, viewer, now);
    const resolve_ms = monotonicMs() - start_ms;
    const page_of = { feed_type, feed: feedNumber(asked.feed_id ?? '') ?? 0 };
    const is_foreign = this.isForeign(asked);
    const page_for = {
      viewer_id: request.unsaved === undefined ? viewer_id : undefined,
      is_in_experiment: experiment !== undefined,
      is_foreign,
    };
    const { plan, learning } = learningPlan(state, resolved.plan, page_of, page_for);
    if (experiment !== undefined && !is_foreign)
      learning.logged = await this.learningUnderExperiment(page_of, asked, learning);
    const of_row = await this.rowOf(viewer_id, asked, resolved, is_eventual);
    const of_viewer = { viewer_id, assigned, experiment, erasures, ...of_row };
    resolved.warnings.push(...warnings);
    return { ...resolved, plan, learning, feed_type, asked, resolve_ms, ...of_viewer };
  }

  /** Whether a page of a saved feed is for a key of another account. */
  private isForeign({ feed_id, account }: FeedRequest): boolean {
    if (feed_id === undefined || account === undefined) return false;
    return this.options.saved_feeds.find(feed_id, account)?.account !== account;
  }

  /** All pages of a feed with a running experiment are logged alike, if one of its variants learns. */
  private async learningUnderExperiment(
    { feed_type }: PageOf,
    { feed_id = '' }: FeedRequest,
    { logged }: PageLearning,
  ): Promise<FeedLearning | undefined> {
    try {
      return (await this.options.experiments?.served.learningOn(feed_id, feed_type)) ?? logged;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') throw error;
      return logged;
    }
  }

  private async rowOf(
    viewer_id: string | undefined,
    { impression_count, request_id }: FeedRequest,
    { offset, warnings }: ResolvedFeed,
    is_eventual: boolean,
  ): Promise<Pick<Prepared, 'seen' | 'is_unread'>> {
    const { seen } = this.options;
    const is_needed = offset === undefined || request_id !== undefined;
    if (seen === undefined || viewer_id === undefined || !is_needed)
      return { seen: undefined, is_unread: false };
    const viewer = seen.viewerOf(viewer_id);
    try {
      return { seen: await seen.read(viewer, is_eventual), is_unread: false };
    } catch (error) {
      if (impression_count > 0) throw error;
      warnings.push('what this viewer has seen cannot be read now, so items may be shown again');
      return { seen: seen.cached(viewer), is_unread: true };
    }
  }

  /** Whether nothing that a page was prepared from has changed since. */
  isCurrent({ feeds, asked, viewer_id, experiment, erasures }: Prepared): boolean {
    const { state, saved_feeds } = this.options;
    return (
      erasures === state.erasures &&
      viewer_id === this.viewerOf(asked) &&
      experiment === this.experimentOn(asked) &&
      feeds.every(({ feed_id, revision }) => saved_feeds.revisionOf(feed_id) === revision)
    );
  }

  private experimentOn({ feed_id, unsaved }: FeedRequest): string | undefined {
    if (feed_id === undefined || unsaved) return undefined;
    return this.options.experiments?.served.revisionOn(feed_id);
  }

  /**
   * Assigns the viewer of a request to a variant. Without a saved feed or a viewer, nothing changes.
   *
   * Nor does it for a key of another account: it could make up viewers, and would be shown the private feed of a variant.
   */
  private async underExperiment(
    feed_type: FeedType,
    asked: FeedRequest,
    viewer_id: string | undefined,
  ): Promise<{ asked: FeedRequest; assigned: AssignedVariant | undefined; warnings: string[] }> {
    const { feed_id, unsaved, account } = asked;
    const { experiments } = this.options;
    const without = { asked, assigned: undefined, warnings: [] };
    if (experiments === undefined || feed_id === undefined || viewer_id === undefined || unsaved)
      return without;
    const assigned = experiments.served.variantOf(feed_id, viewer_id);
    const is_foreign = account !== undefined && account !== assigned?.account;
    if (assigned === undefined || is_foreign) return without;
    try {
      const [feed, rival] = (await experiments.served.pinnedFeeds(assigned, feed_type)) ?? [];
      if (feed === undefined) return without;
      const { account: owner, teams } = assigned;
      const instead = { feed, account: owner, rival: teams && { feed: rival, teams } };
      return { asked: { ...asked, instead }, assigned, warnings: [] };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') throw error;
      return { ...without, warnings: [UNREAD_VARIANT] };
    }
  }
}

const UNREAD_VARIANT =
  'the variant of this viewer in an experiment cannot be read now, so this is the feed itself, and the page is not counted';
