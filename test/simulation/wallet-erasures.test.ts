import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshSeed, type Random, seededRandom } from '../../src/clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { times } from '../support/long.ts';
import { audit, STOPPED } from './support/audit.ts';
import { Client, Disconnected } from './support/client.ts';
import { type ErasureOperation, ErasureWorkload, ErasureWorld } from './support/erasure-world.ts';
import { killAll, type ServiceProcess, startService } from './support/service-process.ts';
import { expectSoundCheckpoint } from './support/sound-checkpoint.ts';
import { storedWallets, WALLETS_FILE } from './support/wallet-tables.ts';
import { NO_TIME } from './support/wallet-world.ts';

/**
 * Erasures of wallets and deletions of events under concurrent load, with the service killed at any moment. To repeat a
 * run: `FEEDLOOM_SIMULATION_SEED=123 bun test test/simulation/wallet-erasures.test.ts`
 */
const KILLS = times(1, 15);
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
const CLIENTS = 4;
const OPERATIONS_MIN = 40;
const OPERATIONS_MORE = 160;
const DELAY_MS = 15;
const ROUND_MS_MAX = 60_000;
/** More items than exist, so a page of this length contains all that the wallet may be shown. */
const EVERYTHING = 500;
const ENV = {
  FEEDLOOM_CHECKPOINT_CHANGES: '1',
  FEEDLOOM_CHECKPOINT_SECONDS: '0',
  FEEDLOOM_EXPLORATION_PERCENT: '0',
};

afterAll(killAll);
const data = temporaryFolder('wallet-erasures');

interface Trader {
  world: ErasureWorld;
  workload: ErasureWorkload;
  /** Sent and not answered when the service was killed. */
  unanswered?: ErasureOperation;
}

function send(client: Client, operation: ErasureOperation) {
  if (operation.kind === 'event') return client.call('POST', '/base/events', operation.event);
  if (operation.kind === 'erase wallet')
    return client.call('DELETE', `/base/wallets/${operation.wallet_address}`);
  const { timestamp, ...event } = operation.event;
  const query = new URLSearchParams(event);
  if (timestamp !== undefined) query.set('timestamp', String(timestamp));
  return client.call('DELETE', `/base/events?${query}`);
}

/** Lets all clients send until the service is killed at any point after some operations. */
async function runUntilKilled(
  service: ServiceProcess,
  client: Client,
  traders: Trader[],
  random: Random,
): Promise<void> {
  const goal = OPERATIONS_MIN + random() * OPERATIONS_MORE;
  const delay_ms = random() * DELAY_MS;
  let acknowledged = 0;
  let killed: Promise<void> | undefined;
  await Promise.all(
    traders.map(async (trader) => {
      for (;;) {
        const operation = trader.workload.next(trader.world);
        trader.unanswered = operation;
        try {
          const { status, body } = await send(client, operation);
          if (status !== 200) throw new Error(`${JSON.stringify(operation)}: ${JSON.stringify(body)}`);
        } catch (error) {
          if (error instanceof Disconnected) return;
          throw error;
        }
        trader.world.apply(operation);
        trader.unanswered = undefined;
        if (++acknowledged >= goal) killed ??= Bun.sleep(delay_ms).then(() => service.crash());
      }
    }),
  );
  await killed;
}

async function page(client: Client, feed: string): Promise<string[]> {
  const { status, body } = await client.call<{ items: { itemId: string }[] }>(
    'GET',
    `/base/feed/${feed}?top_k=${EVERYTHING}`,
  );
  expect(status).toBe(200);
  return body.items.map(({ itemId }) => itemId);
}

/** The client's items on the popular page and on the pages of its wallets, as its world says. */
function expectedPages({ workload }: Trader, world: ErasureWorld): string[][] {
  const items = [...world.items].toSorted();
  const pages = workload.wallets.map((wallet) => {
    const held = world.held(wallet);
    return items.filter((item_id) => !held.has(item_id));
  });
  return [items, ...pages];
}

/**
 * Every client must find the pages of its world, with its unanswered operation or without it. Then that operation is
 * sent again, which changes the same whether or not it was stored.
 */
async function settle(client: Client, trader: Trader): Promise<void> {
  const { workload, world, unanswered } = trader;
  const found: string[][] = [];
  for (const feed of ['popular', ...workload.wallets.map((wallet) => `for-you/${wallet}`)])
    found.push((await page(client, feed)).filter((item_id) => workload.ownsItem(item_id)).toSorted());
  const before = expectedPages(trader, world);
  if (unanswered === undefined) {
    expect(found).toEqual(before);
    return;
  }
  const { status } = await send(client, unanswered);
  const possible = unanswered.kind === 'event' ? [200] : [200, 404];
  expect(possible).toContain(status);
  world.apply(unanswered);
  expect([before, expectedPages(trader, world)]).toContainEqual(found);
  trader.unanswered = undefined;
}

async function expectSound(): Promise<void> {
  if (storedWallets(data) === undefined) return;
  expect(audit(data, { ...STOPPED, file: WALLETS_FILE })).toEqual([]);
  await expectSoundCheckpoint(data, 'wallets');
}

/** The texts that are still in files of the folder. */
function found(texts: readonly string[]): string[] {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  return texts.filter((text) => bytes.some((content) => content.includes(text)));
}

test(
  `erased wallets and deleted events stay away over ${KILLS} kills, and a clean stop leaves no row of them (seed ${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const traders = Array.from({ length: CLIENTS }, (_, client): Trader => {
      const workload = new ErasureWorkload(client, seededRandom(SEED * CLIENTS + client));
      return { world: new ErasureWorld(), workload };
    });
    let service = await startService(data, { env: ENV });
    let client = new Client(service.address);
    for (let kill = 0; kill < KILLS; kill++) {
      await runUntilKilled(service, client, traders, random);
      await expectSound();
      service = await startService(data, { env: ENV });
      client = new Client(service.address);
      for (const trader of traders) await settle(client, trader);
    }
    expect(await service.stop()).toBe(0);
    await expectSound();
    const erased = traders.flatMap(({ world }) => world.erased);
    expect(erased.length).toBeGreaterThan(0);
    expect(found(erased)).toEqual([]);
    const stored = [...storedWallets(data)!.events.keys()].filter((event) => !event.endsWith(NO_TIME));
    expect(stored.toSorted()).toEqual(traders.flatMap(({ world }) => world.dated).toSorted());
    service = await startService(data, { env: ENV });
    for (const trader of traders) await settle(new Client(service.address), trader);
    expect(await service.stop()).toBe(0);
  },
  ROUND_MS_MAX * (KILLS + 1),
);
