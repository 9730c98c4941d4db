import { type Random, seededRandom } from '../../../src/clock.ts';
import { eventPath } from '../../alpha/support.ts';
import { Client, Disconnected, type IngestBody } from './client.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { slices } from './simulation.ts';
import { type StoredWallets, storedWallets } from './wallet-tables.ts';
import { WalletWorkload } from './wallet-workload.ts';
import { type WalletOperation, WalletWorld } from './wallet-world.ts';

/** Number of concurrent clients. Each has one request under way. */
const CLIENTS = 8;
/** More items than exist, so a page of this length contains all that the wallet may be shown. */
const EVERYTHING = 500;
const ENV = {
  FEEDLOOM_CHECKPOINT_CHANGES: '1',
  FEEDLOOM_CHECKPOINT_SECONDS: '0',
  FEEDLOOM_EXPLORATION_PERCENT: '0',
};

interface Trader {
  world: WalletWorld;
  workload: WalletWorkload;
  /** Sent and not answered when the service was killed. */
  unanswered: WalletOperation | undefined;
}

export interface WalletKillPlan {
  /** Number of operations to acknowledge first. */
  acknowledged: number;
  /** Time from then until the kill. */
  delay_ms: number;
}

interface Page {
  items: { itemId: string; score: number; metadata: { name: string | null } }[];
}

/** A service that gets wallet events, is killed and restarted, and the answers that its clients got. */
export class WalletSimulation {
  readonly figures = {
    kills: 0,
    events_acknowledged: 0,
    catalog_records_acknowledged: 0,
    removals_acknowledged: 0,
    unanswered_stored: 0,
    unanswered_in_part: 0,
    unanswered_gone: 0,
    kills_before_anything_was_stored: 0,
    pages_checked: 0,
    checkpoints_written: 0,
  };
  private readonly traders: Trader[];
  private readonly random: Random;
  private service: ServiceProcess | undefined;
  private acknowledged = 0;

  constructor(
    readonly seed: number,
    private readonly data: string,
    private readonly removes: boolean,
  ) {
    this.random = seededRandom(seed);
    this.traders = Array.from({ length: CLIENTS }, (_, client) => ({
      world: new WalletWorld(),
      workload: new WalletWorkload(client, seededRandom(seed * CLIENTS + client), removes),
      unanswered: undefined,
    }));
  }

  /** The wallets that were erased. */
  get erased(): string[] {
    return this.traders.flatMap(({ world }) => world.erased);
  }

  /** Starts the service on the stored data. */
  async start(): Promise<Client> {
    this.service = await startService(this.data, { env: ENV });
    return new Client(this.service.address);
  }

  /** Kills the service during the first events, while their community is created, or right after. */
  planAtCreation(): WalletKillPlan {
    return { acknowledged: 0, delay_ms: Math.floor(this.random() * 120) };
  }

  plan(): WalletKillPlan {
    return { acknowledged: 100 + Math.floor(this.random() * 250), delay_ms: Math.floor(this.random() * 20) };
  }

  /** Lets all clients send until the plan is fulfilled, then kills the service at any point. */
  async runUntilKilled(client: Client, { acknowledged, delay_ms }: WalletKillPlan): Promise<void> {
    const service = this.service!;
    const goal = this.acknowledged + acknowledged;
    let killed: Promise<void> | undefined;
    const look = () => {
      if (this.acknowledged >= goal) killed ??= Bun.sleep(delay_ms).then(() => service.crash());
    };
    const drives = this.traders.map((trader) => this.drive(client, trader, look));
    await Promise.all(drives);
    await killed;
    this.figures.kills++;
    this.countCheckpoints();
  }

  /**
   * Checks the tables of a restarted, idle service. Acknowledged events must be there as often as they happened, and
   * unanswered ones completely or not at all (of a body the first slices).
   *
   * This must run after the restart: while a checkpoint process of the killed service lives, SQLite hides transactions
   * that the service had not announced.
   * @returns the faults
   */
  settle(): string[] {
    const stored = storedWallets(this.data, this.removes);
    if (stored === undefined) this.figures.kills_before_anything_was_stored++;
    const faults = [...(stored?.faults ?? [])];
    for (const trader of this.traders) {
      const { workload, unanswered } = trader;
      const found = viewOf(workload, stored ?? new WalletWorld());
      const worlds = outcomes(trader);
      const at = worlds.findLastIndex((world) => Bun.deepEquals(viewOf(workload, world), found));
      if (at < 0) {
        const nearest = viewOf(workload, trader.world);
        faults.push(`stored ${difference(found, nearest)} beside ${JSON.stringify(unanswered)}`);
        continue;
      }
      trader.world = worlds[at];
      trader.unanswered = undefined;
      if (unanswered === undefined) continue;
      if (at === worlds.length - 1) this.figures.unanswered_stored++;
      else if (at === 0) this.figures.unanswered_gone++;
      else this.figures.unanswered_in_part++;
    }
    return faults;
  }

  /** Every wallet must be shown all items that it does not hold, with the names of the catalog. */
  async verify(client: Client): Promise<void> {
    const items = new Set(this.traders.flatMap(({ world }) => [...world.items]));
    const names = new Map(this.traders.flatMap(({ world }) => [...world.names]));
    const expectPage = (what: string, page: Page['items'], held: ReadonlySet<string>) => {
      const expected = [...items].filter((item_id) => !held.has(item_id)).sort();
      const found = page.map(({ itemId }) => itemId).sort();
      if (!Bun.deepEquals(found, expected)) throw new Error(`${what}: ${difference(found, expected)}`);
      for (const { itemId, metadata } of page) {
        const name = names.get(itemId) ?? null;
        if (metadata.name !== name) throw new Error(`${itemId} is called ${metadata.name}, not ${name}`);
      }
      this.figures.pages_checked++;
    };
    expectPage('popular', await this.popular(client), new Set());
    for (const { world, workload } of this.traders) {
      for (const wallet of workload.wallets) {
        expectPage(wallet, await this.forYou(client, wallet), world.held(wallet));
      }
    }
  }

  /** The popular page and those of all wallets: score by item. */
  async pages(client: Client): Promise<Map<string, number>[]> {
    const wallets = this.traders.flatMap(({ workload }) => workload.wallets);
    const pages = [await this.popular(client)];
    for (const wallet of wallets) pages.push(await this.forYou(client, wallet));
    return pages.map((page) => new Map(page.map(({ itemId, score }) => [itemId, score])));
  }

  /** Lets all clients send until the running service has written a checkpoint of the wallets. */
  async checkpointed(client: Client): Promise<void> {
    while (!this.service!.log.some(tellsOfCheckpoint))
      for (const { world, workload } of this.traders) await this.send(client, world, workload.next(world));
  }

  /** Stops the service cleanly. */
  async stop(): Promise<void> {
    const code = await this.service!.stop();
    this.countCheckpoints();
    if (code !== 0) throw new Error(`the service ended with ${code} after SIGTERM`);
  }

  /** One line for the report. */
  report(): string {
    const counts = Object.entries(this.figures).map(
      ([name, count]) => `${count} ${name.replaceAll('_', ' ')}`,
    );
    return `seed ${this.seed}: ${counts.join(', ')}`;
  }

  private countCheckpoints(): void {
    this.figures.checkpoints_written += this.service!.log.filter(tellsOfCheckpoint).length;
  }

  private async drive(client: Client, trader: Trader, look: () => void): Promise<void> {
    for (;;) {
      const operation = trader.workload.next(trader.world);
      trader.unanswered = operation;
      try {
        const answer = this.send(client, trader.world, operation);
        look();
        await answer;
        trader.unanswered = undefined;
        this.acknowledged++;
        look();
        if (operation.kind === 'event') await this.verifyNext(client, trader.world, operation.event);
      } catch (error) {
        if (!(error instanceof Disconnected)) throw error;
        return;
      }
    }
  }

  /** Sends an operation and applies acknowledged records to the client's world. */
  private async send(client: Client, world: WalletWorld, operation: WalletOperation): Promise<void> {
    const [method, path, sent] = requestOf(operation);
    const { status, body } = await client.call<IngestBody>(method, `/base/${path}`, sent);
    if (status !== 200) throw new Error(`${operation.kind}: ${status} ${JSON.stringify(body)}`);
    if (operation.kind === 'event') this.figures.events_acknowledged++;
    else if (operation.kind === 'catalog') {
      const valid = operation.records.filter(({ item_id }) => item_id !== undefined).length;
      if (body.accepted !== valid) throw new Error(JSON.stringify(body));
      this.figures.catalog_records_acknowledged += valid;
    } else this.figures.removals_acknowledged++;
    world.apply(operation);
  }

  /** Checks the next page of a wallet after its acknowledged event. */
  private async verifyNext(
    client: Client,
    world: WalletWorld,
    { wallet_address, item_id }: { wallet_address: string; item_id: string },
  ): Promise<void> {
    const page = (await this.forYou(client, wallet_address)).map(({ itemId }) => itemId);
    const held = world.held(wallet_address);
    const shown = page.filter((shown_id) => held.has(shown_id));
    if (shown.length > 0) throw new Error(`${wallet_address} is shown ${shown} that it holds`);
    if (world.items.has(item_id) && !held.has(item_id) && !page.includes(item_id))
      throw new Error(`${wallet_address} is not shown ${item_id}, which it does not hold`);
    this.figures.pages_checked++;
  }

  private forYou(client: Client, wallet: string): Promise<Page['items']> {
    return this.page(client, `for-you/${wallet}`);
  }

  private popular(client: Client): Promise<Page['items']> {
    return this.page(client, 'popular');
  }

  private async page(client: Client, feed: string): Promise<Page['items']> {
    const { status, body } = await client.call<Page>('GET', `/base/feed/${feed}?top_k=${EVERYTHING}`);
    if (status !== 200) throw new Error(`${feed} was answered with ${status}`);
    return body.items;
  }
}

function requestOf(operation: WalletOperation): [method: string, path: string, body?: unknown] {
  if (operation.kind === 'event') return ['POST', 'events', operation.event];
  if (operation.kind === 'catalog') return ['POST', 'items', operation.records];
  if (operation.kind === 'erase wallet') return ['DELETE', `wallets/${operation.wallet_address}`];
  return ['DELETE', eventPath(operation.event)];
}

function tellsOfCheckpoint(line: string): boolean {
  return line.includes('checkpoint written') && line.includes('"community":"wallets"');
}

/** The stored records that a client knows. No other client sends events of its wallets or names of its items. */
interface View {
  events: string[];
  names: string[];
}

function viewOf(workload: WalletWorkload, { counts, names }: Pick<StoredWallets, 'counts' | 'names'>): View {
  const own_events = [...counts].filter(([event]) => workload.wallets.includes(event.split(' ')[0]));
  const own_names = [...names].filter(([item_id]) => workload.ownsItem(item_id));
  return {
    events: own_events.map(([event, count]) => `${event} ×${count}`).sort(),
    names: own_names.map(([item_id, name]) => `${item_id} ${name}`).sort(),
  };
}

/** The possible worlds after an unanswered operation. The first is without it. */
function outcomes({ world, unanswered }: Trader): WalletWorld[] {
  const worlds = [world];
  if (unanswered === undefined) return worlds;
  const parts: WalletOperation[] =
    unanswered.kind === 'catalog'
      ? slices(unanswered.records).map((records) => ({ kind: 'catalog', records }))
      : [unanswered];
  for (const part of parts) {
    const after = worlds[worlds.length - 1].clone();
    after.apply(part);
    worlds.push(after);
  }
  return worlds;
}

function difference(found: View | string[], expected: View | string[]): string {
  const [one, other] = [Object.values(found).flat(), Object.values(expected).flat()];
  const missing = other.filter((entry) => !one.includes(entry));
  const surplus = one.filter((entry) => !other.includes(entry));
  return `without [${missing}], with [${surplus}]`;
}
