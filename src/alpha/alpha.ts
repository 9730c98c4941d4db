import type { Clock } from '../clock.ts';
import { ServiceError, StartupError } from '../errors.ts';
import type { Ingest, Removed } from '../ingest/ingest.ts';
import { type IngestResult, Outcome } from '../ingest/outcome.ts';
import { parseAll } from '../ingest/record-kinds.ts';
import type { RemovalOptions } from '../ingest/removals.ts';
import type { Folder } from '../interchange/files.ts';
import type { ImportLog } from '../interchange/report.ts';
import { NONE } from '../model/key.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import type { FeedRequest, FeedService } from '../serve/serve-feed.ts';
import type { State } from '../state/state.ts';
import { shuttingDown } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';
import { Catalog } from './catalog.ts';
import { type DeletedEvents, deleteEvents } from './delete-events.ts';
import type { WalletEvent } from './event.ts';
import type { DatedEvent } from './formats.ts';
import { itemParts } from './identifiers.ts';
import { WalletImport, type WalletImportResult } from './import.ts';
import { catalogKind } from './ingest-catalog.ts';
import type { MetadataFetcher } from './metadata-fetcher.ts';
import { type MetadataSources, PageDescriber } from './page-metadata.ts';
import { recordEvent } from './record-events.ts';
import { ItemRedating } from './redate-items.ts';

/** The checkpoint writer of the wallets, which works beside the service until it is paused. */
interface WalletCheckpoints {
  pause(): Promise<void>;
  around(purge: () => Promise<void>): Promise<void>;
  writeOwn(state: State, onBegin: () => void): Promise<void>;
  readonly seq: number;
  /** Totals since the start. */
  readonly figures: { written: number; failed: number; bytes: number; milliseconds: number };
}

/** The community of wallets, tokens and NFTs. */
export interface WalletCommunity {
  state: State;
  store: Store;
  ingest: Ingest;
  feeds: FeedService;
  seen: SeenBook;
  /** As in `Community`: the real time, and the clock that changes are stamped with. */
  clock: Clock;
  stamps: Clock;
  checkpoints?: WalletCheckpoints;
  /** Runs until it is stopped. */
  retention?: { readonly retired: number; stop(): Promise<void> };
}

/** One item of an answer. Spec 2.7. */
export interface AlphaItem {
  itemId: string;
  /** In [0, 1]. */
  score: number;
  /** JSON text. */
  metadata: string;
}

export interface AlphaPage {
  items: AlphaItem[];
  /** The number of last items whose metadata did not fit the page. */
  left_out: number;
}

export interface AlphaOptions {
  chain: string;
  registry: Registry;
  /** Opens the stored community. Without one, creates it if `create` is true, and otherwise returns undefined. */
  open(create: boolean): Promise<WalletCommunity | undefined>;
  close(community: WalletCommunity): Promise<void>;
}

const SCORING = { 'for-you': 'wallet_v0.0.1', popular: 'wallet_popular_v0.0.1' } as const;

/** The signals whose rankings wallet feeds use. */
export const WALLET_RANKINGS: readonly string[] = ['popular_lately'];

interface Opened {
  community: WalletCommunity;
  catalog: Catalog;
}

/**
 * The token and NFT API. Spec 4.3.
 *
 * Wallets are a separate community beside the one of content. It is created at the first event, so a service without
 * wallets has no cost.
 */
export class Alpha {
  /** Fetches metadata of a provider, which takes precedence over the catalog. Undefined: no provider. */
  fetcher: MetadataFetcher | undefined;
  private readonly describer = new PageDescriber();
  private opened: Opened | undefined;
  private opening: Promise<Opened> | undefined;
  private begin: (community: WalletCommunity) => void = () => {};
  private has_ended = false;

  constructor(private readonly options: AlphaOptions) {}

  get chain(): string {
    return this.options.chain;
  }

  get registry(): Registry {
    return this.options.registry;
  }

  get community(): WalletCommunity | undefined {
    return this.opened?.community;
  }

  /** Calls back with the community: immediately if it exists, otherwise when it is created. */
  whenThere(begin: (community: WalletCommunity) => void): void {
    this.begin = begin;
    if (this.opened !== undefined) begin(this.opened.community);
  }

  /** Opens the stored community, if there is one. @throws StartupError as `openStore`; `other_chain` */
  async load(): Promise<void> {
    const community = await this.options.open(false);
    if (community === undefined) return;
    const stored = storedChain(community.state);
    if (stored !== undefined && stored !== this.chain) {
      await this.options.close(community);
      throw new StartupError(
        'other_chain',
        `the stored wallets belong to the chain '${stored}', not '${this.chain}'`,
        `start with --chain ${stored}, or name another folder with --data`,
      );
    }
    this.opened = this.around(community);
    this.begin(community);
  }

  /**
   * Records an event. Resolves when it is durable and applied.
   * @returns warnings
   * @throws ServiceError `invalid_value`, `write_queue_full`, `store_unavailable`
   */
  async recordEvent(event: WalletEvent): Promise<string[]> {
    const { ingest, stamps } = (this.opened ?? (await this.create())).community;
    return recordEvent(event, ingest, stamps.now());
  }

  /**
   * Erases a wallet. Resolves when that is durable and applied.
   * @throws ServiceError `not_found` if the wallet is unknown and no time was given, `write_queue_full`,
   * `store_unavailable`
   */
  async eraseWallet(wallet_address: string, options: RemovalOptions): Promise<Removed> {
    const { ingest, state } = await this.toRemoveFrom(`there is no wallet '${wallet_address}'`, options);
    return ingest.deleteUser(wallet_address, options, new ItemRedating(state));
  }

  /** Deletes a token or NFT. Otherwise as `eraseWallet`. */
  async deleteItem(item_id: string, options: RemovalOptions): Promise<Removed> {
    const { ingest } = await this.toRemoveFrom(`there is no item '${item_id}'`, options);
    return ingest.deleteItem(item_id, options);
  }

  /**
   * Deletes the event at a time, or all events of its type by a wallet on an item.
   * @throws ServiceError `not_found` if there is none and no time was given, `write_queue_full`, `store_unavailable`
   */
  async deleteEvent(event: WalletEvent, account?: string): Promise<DeletedEvents> {
    const missing = `there is no event of wallet '${event.wallet_address}'`;
    const { ingest } = await this.toRemoveFrom(missing, event);
    return deleteEvents(event, ingest, account);
  }

  /**
   * Imports files of events and of the catalog. There must be no other writer meanwhile.
   * @throws StartupError, ServiceError as `WalletImport.files`
   */
  async importFiles(found: Pick<Folder, 'wallet_files'>, log: ImportLog): Promise<WalletImportResult> {
    const { community } = this.opened ?? (await this.create());
    return new WalletImport(community, this.chain).files(found, log);
  }

  /** Imports events that are in order of time. */
  async importEvents(events: readonly DatedEvent[]): Promise<void> {
    const { community } = this.opened ?? (await this.create());
    await new WalletImport(community, this.chain).takeEvents(events);
  }

  /** Adds records to the catalog. @throws ServiceError `write_queue_full`, `store_unavailable` */
  async ingestItems(records: readonly unknown[], account?: string): Promise<IngestResult> {
    const kind = catalogKind(this.chain);
    if (this.opened === undefined) {
      const outcome = new Outcome();
      // A request without a valid record must not create the community.
      if (parseAll(kind, records, 0, outcome).length === 0) return outcome.result();
    }
    const { community } = this.opened ?? (await this.create());
    return community.ingest.ingest(kind, records, account);
  }

  readonly catalogued: Catalog['describe'] = async (item_ids) =>
    this.opened === undefined ? item_ids.map(() => ({})) : this.opened.catalog.describe(item_ids);

  /**
   * Recommendations for a wallet, or popular items for a wallet without events. Records nothing.
   * @throws ServiceError as `FeedService.serve`; the reason of `given_up`
   */
  forYou(wallet_address: string, top_k: number, given_up?: AbortSignal): Promise<AlphaPage> {
    if (!this.hasEvents(wallet_address)) return this.popular(top_k, given_up);
    const request = { user_id: wallet_address, top_k, scoring: SCORING['for-you'] };
    return this.page('for-you', request, given_up);
  }

  /** Popular items. Parameters and errors as for `forYou`. */
  popular(top_k: number, given_up?: AbortSignal): Promise<AlphaPage> {
    return this.page('popular', { top_k, scoring: SCORING.popular }, given_up);
  }

  /**
   * Refuses changes from now on, and starts no more background work that writes. Resolves when earlier changes are
   * stored.
   */
  async endWriting(): Promise<void> {
    this.has_ended = true;
    await this.opening?.catch(() => {});
    const { store, retention, checkpoints } = this.opened?.community ?? {};
    void retention?.stop();
    void checkpoints?.pause();
    await store?.endWriting();
  }

  /** Drains the queue and closes the store. */
  async close(): Promise<void> {
    await this.opening?.catch(() => {});
    if (this.opened !== undefined) await this.options.close(this.opened.community);
  }

  private hasEvents(wallet_address: string): boolean {
    const { users, interactions } = this.opened?.community.state ?? {};
    const user = users?.names.find(wallet_address) ?? NONE;
    return user !== NONE && interactions !== undefined && interactions.by_user.length(user) > 0;
  }

  private async page(
    feed_type: FeedType,
    request: Omit<FeedRequest, 'impression_count'>,
    given_up: AbortSignal | undefined,
  ): Promise<AlphaPage> {
    if (this.opened === undefined) return { items: [], left_out: 0 };
    const { community, catalog } = this.opened;
    const unrecorded = { ...request, impression_count: 0 };
    const { items } = await community.feeds.serve(feed_type, unrecorded, given_up);
    const item_ids = items.map(({ item_id }) => item_id);
    const provided = this.fetcher?.describe(item_ids);
    const read = async (from: number, to: number): Promise<MetadataSources[]> => {
      const ids = item_ids.slice(from, to);
      const catalogued = await catalog.describe(ids, given_up);
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

  /** The community to delete from. A deletion with a time is remembered, so it creates the community. */
  private async toRemoveFrom(missing: string, { timestamp }: RemovalOptions): Promise<WalletCommunity> {
    if (this.opened === undefined && timestamp === undefined) throw new ServiceError('not_found', missing);
    const { community } = this.opened ?? (await this.create());
    return community;
  }

  /** Concurrent calls share one creation. After a failure the next call tries again. */
  private create(): Promise<Opened> {
    if (this.has_ended) return Promise.reject(shuttingDown());
    this.opening ??= this.openNew().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async openNew(): Promise<Opened> {
    const community = await this.options.open(true);
    if (community === undefined) throw new Error('the community was not created');
    this.opened = this.around(community);
    this.begin(community);
    return this.opened;
  }

  private around(community: WalletCommunity): Opened {
    return { community, catalog: new Catalog(community.state, community.store) };
  }
}

/** The chain of the stored items. Undefined if there are none. */
function storedChain({ items }: State): string | undefined {
  for (let item = 0; item < items.size; item++) {
    const item_id = items.names.id(item);
    if (item_id !== '') return itemParts(item_id).chain;
  }
  return undefined;
}
