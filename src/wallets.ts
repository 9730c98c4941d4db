import { FOR_WALLETS } from '../plugins/index.ts';
import { catalogProvider } from './alpha/catalog.ts';
import { MetadataFetcher } from './alpha/metadata-fetcher.ts';
import { openProvider } from './alpha/provider.ts';
import { WalletFeeds, type WalletPage } from './alpha/wallet-feeds.ts';
import { systemTimers } from './clock.ts';
import {
  type Community,
  type CommunityOptions,
  checkpointsOf,
  logOf,
  purgeCommunity,
  startCommunity,
  upgradeLog,
} from './community.ts';
import { rootReasonOf, ServiceError, StartupError } from './errors.ts';
import type { Ingest, Removed } from './ingest/ingest.ts';
import { type IngestResult, Outcome } from './ingest/outcome.ts';
import { parseAll } from './ingest/record-kinds.ts';
import type { RemovalOptions } from './ingest/removals.ts';
import { requireNotAhead, walletKinds } from './ingest/wallet-kinds.ts';
import { WITHOUT_KEY } from './ingest/write-turns.ts';
import { limitedLog } from './limited-log.ts';
import type { WalletEvent } from './model/records/wallet-event.ts';
import { itemParts } from './model/values/tokens.ts';
import type { Metadata } from './plugin/index.ts';
import { Registry } from './registry/registry.ts';
import type { Settings } from './settings.ts';
import { State } from './state/state.ts';
import { WALLETS } from './state/vocabulary.ts';
import { foldOptions } from './store/fold-options.ts';
import { openStore } from './store/open-store.ts';
import { shuttingDown, takenOver, writtenElsewhere } from './store/refusals.ts';
import type { Store } from './store/store.ts';
import { VolatileStore } from './store/volatile.ts';

export interface WalletsOptions extends CommunityOptions {
  /** As in `StoreOptions`. */
  command: string;
  /** Keeps the community in memory, whatever the settings are. */
  in_memory: boolean;
  /** Whether another process has taken over the data. Then this one must not open the wallets. */
  is_stopped: () => boolean;
}

const NOT_TIDIED =
  'what was learnt about wallets could not be stored, or erased data not removed; the next start does it';

export function walletRegistry(): Registry {
  const registry = new Registry();
  registry.addBuiltIn(FOR_WALLETS);
  return registry;
}

/**
 * Opens the community of wallets beside a community of content, whose lock covers both.
 * @param plugins contains metadata providers; `catalog` is added
 * @throws StartupError for unusable data and an unknown metadata provider
 */
export async function openWallets(
  settings: Settings,
  plugins: Registry,
  options: WalletsOptions,
): Promise<Wallets> {
  const wallets = new Wallets(settings, options);
  plugins.addBuiltIn({ integrations: { catalog: catalogProvider(wallets.catalogued) } });
  const id = settings.metadata_provider;
  const provide = openProvider(plugins, settings);
  if (id !== 'catalog') {
    const { monotonicMs, timers = systemTimers } = options;
    const parts = { monotonicMs, timers, log: limitedLog(logOf(options), monotonicMs) };
    wallets.fetcher = new MetadataFetcher({ id, provide, ...parts });
  }
  await wallets.load();
  return wallets;
}

interface Opened {
  community: Community;
  feeds: WalletFeeds;
}

/**
 * The token and NFT API. Spec 4.3.
 *
 * Wallets are a separate community beside the one of content. It is created at the first event or record of the catalog,
 * so a service without wallets has no cost.
 */
export class Wallets {
  readonly registry = walletRegistry();
  /** Fetches metadata of a provider. Undefined: no provider. */
  fetcher: MetadataFetcher | undefined;
  private readonly kinds;
  private opened: Opened | undefined;
  private opening: Promise<Opened> | undefined;
  private begin: (community: Community) => void = () => {};
  private has_ended = false;

  constructor(
    private readonly settings: Settings,
    private readonly options: WalletsOptions,
  ) {
    this.kinds = walletKinds(settings.chain);
  }

  get chain(): string {
    return this.settings.chain;
  }

  get community(): Community | undefined {
    return this.opened?.community;
  }

  /** Calls back with the community: immediately if it exists, otherwise when it is created. */
  whenThere(begin: (community: Community) => void): void {
    this.begin = begin;
    if (this.opened !== undefined) begin(this.opened.community);
  }

  /** Opens the stored community, if there is one. @throws StartupError as `openStore`; `other_chain` */
  async load(): Promise<void> {
    const community = await this.open(false);
    if (community === undefined) return;
    const stored = storedChain(community.state);
    if (stored !== undefined && stored !== this.chain) {
      await this.closeCommunity(community);
      throw new StartupError(
        'other_chain',
        `the stored wallets belong to the chain '${stored}', not '${this.chain}'`,
        `start with --chain ${stored}, or name another folder with --data`,
      );
    }
    this.take(community);
  }

  /** The community, which is created if there is none. Concurrent calls share one creation. */
  async create(): Promise<Community> {
    if (this.opened !== undefined) return this.opened.community;
    if (this.has_ended) throw shuttingDown();
    // After a failure the next call tries again.
    this.opening ??= this.openNew().finally(() => {
      this.opening = undefined;
    });
    return (await this.opening).community;
  }

  /** Records an event that was parsed. @returns and @throws as `Ingest.one`, and as `requireNotAhead` */
  async recordEvent(event: WalletEvent): Promise<readonly string[]> {
    const { ingest, stamps } = await this.create();
    requireNotAhead(event, stamps.now());
    return ingest.one(this.kinds.events, event, WITHOUT_KEY);
  }

  /** Adds records to the catalog. @throws ServiceError as `Ingest.ingest` */
  async ingestItems(records: readonly unknown[], account?: string): Promise<IngestResult> {
    const outcome = new Outcome();
    // A request without a valid record must not create the community.
    if (this.opened === undefined && parseAll(this.kinds.items, records, 0, outcome).length === 0)
      return outcome.result();
    const { ingest } = await this.create();
    return ingest.ingest(this.kinds.items, records, account);
  }

  /** @throws ServiceError as `Ingest.deleteUser` */
  async eraseWallet(wallet_address: string, options: RemovalOptions): Promise<Removed> {
    const ingest = await this.toRemoveFrom(`there is no wallet '${wallet_address}'`, options);
    return ingest.deleteUser(wallet_address, options);
  }

  /** @throws ServiceError as `Ingest.deleteItem` */
  async deleteItem(item_id: string, options: RemovalOptions): Promise<Removed> {
    const ingest = await this.toRemoveFrom(`there is no item '${item_id}'`, options);
    return ingest.deleteItem(item_id, options);
  }

  /** @throws ServiceError as `Ingest.deleteEvents` */
  async deleteEvents(event: WalletEvent, account?: string): Promise<Removed & { count: number }> {
    const ingest = await this.toRemoveFrom(`there is no event of wallet '${event.wallet_address}'`, event);
    return ingest.deleteEvents(event, account);
  }

  readonly catalogued = async (item_ids: readonly string[]): Promise<Metadata[]> =>
    this.opened?.feeds.catalog.describe(item_ids) ?? item_ids.map(() => ({}));

  /** @throws ServiceError as `WalletFeeds.forYou` */
  async forYou(wallet_address: string, top_k: number, given_up?: AbortSignal): Promise<WalletPage> {
    return this.opened?.feeds.forYou(wallet_address, top_k, given_up) ?? { items: [], left_out: 0 };
  }

  /** @throws ServiceError as `WalletFeeds.forYou` */
  async popular(top_k: number, given_up?: AbortSignal): Promise<WalletPage> {
    return this.opened?.feeds.popular(top_k, given_up) ?? { items: [], left_out: 0 };
  }

  /**
   * Refuses changes from now on, and starts no more background work that writes. Resolves when earlier changes are
   * stored.
   */
  async endWriting(): Promise<void> {
    this.has_ended = true;
    await this.opening?.catch(() => {});
    const { store, retention, checkpoints } = this.community ?? {};
    void retention?.stop();
    void checkpoints?.pause();
    await store?.endWriting();
  }

  /** Drains the queue and closes the store. */
  async close(): Promise<void> {
    await this.opening?.catch(() => {});
    if (this.community !== undefined) await this.closeCommunity(this.community);
  }

  /** A deletion with a time is remembered, so it creates the community. */
  private async toRemoveFrom(missing: string, { timestamp }: RemovalOptions): Promise<Ingest> {
    if (this.opened === undefined && timestamp === undefined) throw new ServiceError('not_found', missing);
    return (await this.create()).ingest;
  }

  private async openNew(): Promise<Opened> {
    const community = await this.open(true);
    if (community === undefined) throw new Error('the community was not created');
    return this.take(community);
  }

  private take(community: Community): Opened {
    const feeds = new WalletFeeds(community, this.fetcher);
    this.opened = { community, feeds };
    this.begin(community);
    return this.opened;
  }

  /** Opens the stored community. Without one, creates it if `create` is true, and otherwise returns undefined. */
  private async open(create: boolean): Promise<Community | undefined> {
    const { settings, registry } = this;
    // A community that is created while the service runs is not part of the start, so the start's signal does not
    // apply.
    const options = create ? { ...this.options, stopping: undefined } : this.options;
    const store = await storeOf(settings, create, options);
    if (store === undefined) return undefined;
    try {
      const state = new State({
        vocabulary: WALLETS,
        ...(await foldOptions(store)),
        limits: options.limits,
      });
      const checkpoints = checkpointsOf(store, settings, 'wallets', { ...options, reads: [], state });
      return await startCommunity(
        { store, state, registry, checkpoints, name: 'wallets' },
        settings,
        options,
      );
    } catch (error) {
      await store.close();
      throw create ? notCreated(error) : error;
    }
  }

  private async closeCommunity(community: Community): Promise<void> {
    const { store, checkpoints, retention } = community;
    store.stopWaiting();
    await retention?.stop();
    await checkpoints?.pause();
    const { is_lost, has_peers } = this.options.cluster ?? {};
    // Among nodes, the next leader purges.
    if (store.writes && is_lost !== true && has_peers !== true) {
      await purgeCommunity(community).catch((error) =>
        logOf(this.options).warn({ cause: rootReasonOf(error) }, NOT_TIDIED),
      );
    }
    await store.close();
  }
}

/** Opens the store. Undefined if there is no data and none is to be created. */
async function storeOf(
  settings: Settings,
  create: boolean,
  options: WalletsOptions,
): Promise<Store | undefined> {
  const { command, in_memory, is_stopped, stopping, cluster } = options;
  if (in_memory) return create ? new VolatileStore() : undefined;
  // Only the node that leads may create a schema.
  if (create && cluster?.role === 'follower') throw writtenElsewhere();
  if (is_stopped()) {
    if (!create) throw takenOver();
    const detail = 'writes are rejected until the service is restarted';
    throw new ServiceError('store_unavailable', detail, undefined, 5);
  }
  try {
    const role = cluster === undefined ? 'serve' : 'node';
    const place = {
      ...settings,
      community: 'wallets',
      role,
      command,
      stopping,
      onUpgrade: upgradeLog(options),
    } as const;
    return await openStore({ ...place, must_exist: !create });
  } catch (error) {
    if (create) throw notCreated(error);
    if (error instanceof StartupError && error.code === 'no_data') return undefined;
    throw error;
  }
}

/** The error for the sender of the first event, if the wallets' store cannot be created. The log gets the reason. */
function notCreated(error: unknown): unknown {
  if (!(error instanceof StartupError)) return error;
  const detail = 'the store of wallet events cannot be created; the log says why';
  return new ServiceError('store_unavailable', detail, undefined, 5, { cause: error });
}

/** The chain of the stored items. Undefined if there are none. */
function storedChain({ items }: State): string | undefined {
  for (let item = 0; item < items.size; item++) {
    const item_id = items.names.id(item);
    if (item_id !== '') return itemParts(item_id).chain;
  }
  return undefined;
}
