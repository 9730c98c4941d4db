import { NONE } from '../model/key.ts';
import type { FeedType } from '../plugin/index.ts';
import type { FeedRequest, FeedService } from '../serve/serve-feed.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { Catalog } from './catalog.ts';
import type { MetadataFetcher } from './metadata-fetcher.ts';
import { type MetadataSources, PageDescriber } from './page-metadata.ts';

/** One item of an answer. Spec 2.7. */
export interface WalletItem {
  itemId: string;
  /** In [0, 1]. */
  score: number;
  /** JSON text. */
  metadata: string;
}

export interface WalletPage {
  items: WalletItem[];
  /** The number of last items whose metadata did not fit the page. */
  left_out: number;
}

const SCORING = { 'for-you': 'wallet_v0.0.1', popular: 'wallet_popular_v0.0.1' } as const;

/** The signals whose rankings wallet feeds use. */
export const WALLET_RANKINGS: readonly string[] = ['popular_lately'];

/** The feeds of wallets, with the metadata of their items. They record nothing. */
export class WalletFeeds {
  readonly catalog: Catalog;
  private readonly describer = new PageDescriber();
  private readonly state: State;
  private readonly feeds: FeedService;

  /** @param fetcher gets metadata of a provider, which takes precedence over the catalog */
  constructor(
    { state, store, feeds }: { state: State; store: Store; feeds: FeedService },
    private readonly fetcher: MetadataFetcher | undefined,
  ) {
    this.state = state;
    this.feeds = feeds;
    this.catalog = new Catalog(state, store);
  }

  /**
   * Recommendations for a wallet, or popular items for a wallet without events.
   * @throws ServiceError as `FeedService.serve`; the reason of `given_up`
   */
  forYou(wallet_address: string, top_k: number, given_up?: AbortSignal): Promise<WalletPage> {
    const { users, interactions } = this.state;
    const user = users.names.find(wallet_address);
    if (user === NONE || interactions.by_user.length(user) === 0) return this.popular(top_k, given_up);
    return this.page('for-you', { user_id: wallet_address, top_k }, given_up);
  }

  /** Popular items. Parameters and errors as for `forYou`. */
  popular(top_k: number, given_up?: AbortSignal): Promise<WalletPage> {
    return this.page('popular', { top_k }, given_up);
  }

  private async page(
    feed_type: FeedType & keyof typeof SCORING,
    request: Pick<FeedRequest, 'user_id' | 'top_k'>,
    given_up: AbortSignal | undefined,
  ): Promise<WalletPage> {
    const unrecorded = { ...request, scoring: SCORING[feed_type], impression_count: 0 };
    const { items } = await this.feeds.serve(feed_type, unrecorded, given_up);
    const item_ids = items.map(({ item_id }) => item_id);
    const provided = this.fetcher?.describe(item_ids);
    const read = async (from: number, to: number): Promise<MetadataSources[]> => {
      const ids = item_ids.slice(from, to);
      const catalogued = await this.catalog.describe(ids, given_up);
      const of_provider = await provided;
      return ids.map((item_id, at) => [of_provider?.(item_id), catalogued[at]]);
    };
    const { texts, left_out } = await this.describer.describe(item_ids, read);
    const described = items.map(({ item_id, score }, at) => ({
      itemId: item_id,
      score,
      metadata: texts[at],
    }));
    return { items: described, left_out };
  }
}
