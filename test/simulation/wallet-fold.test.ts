import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { freshSeed, ManualClock, seededRandom } from '../../src/clock.ts';
import type { Service } from '../../src/service.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService, START, type TestServiceOptions } from '../support/service.ts';
import { WalletWorkload } from './support/wallet-workload.ts';
import { WalletWorld } from './support/wallet-world.ts';

const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
const CLIENTS = 8;
/** The share of operations that erase a wallet. */
const ERASURES = 0.05;

const folder = temporaryFolder('wallet-fold');

interface Trader {
  workload: WalletWorkload;
  world: WalletWorld;
}

/** Rounds in which all traders concurrently send an event, a catalog record or an erasure each. */
async function trade({ alpha }: Service, clock: ManualClock, traders: readonly Trader[]): Promise<void> {
  const random = seededRandom(SEED);
  for (let round = 0; round < 30; round++) {
    if (random() < 0.7) clock.advance(random() * 600);
    await Promise.all(
      traders.map(async ({ workload, world }) => {
        if (random() < ERASURES) {
          const [wallet_address] = workload.wallets;
          await alpha.eraseWallet(wallet_address, { timestamp: clock.now() });
          return;
        }
        const operation = workload.next(world);
        if (operation.kind === 'event') {
          await alpha.recordEvent(operation.event as never);
          world.record(operation.event);
          await alpha.forYou(operation.event.wallet_address, 20);
        } else {
          await alpha.ingestItems(operation.records);
          world.catalogue(operation.records);
        }
      }),
    );
  }
}

async function pagesOf({ alpha }: Service, traders: readonly Trader[]): Promise<string[]> {
  const pages = [await alpha.popular(500)];
  for (const { workload } of traders)
    for (const wallet of workload.wallets) pages.push(await alpha.forYou(wallet, 500));
  return pages.map(({ items }) =>
    items.map(({ itemId, score, metadata }) => `${itemId} ${score} ${JSON.parse(metadata).name}`).join('\n'),
  );
}

async function pagesAfterStart(options: TestServiceOptions, traders: readonly Trader[]): Promise<string[]> {
  await using opened = await openTestService(options);
  return await pagesOf(opened.service, traders);
}

test(`a replay of the stored wallet events gives the pages of the running service (seed ${SEED})`, async () => {
  const data = join(folder, 'data');
  const copied = join(folder, 'copy');
  const clock = new ManualClock(START);
  const traders = Array.from({ length: CLIENTS }, (_, client) => ({
    workload: new WalletWorkload(client, seededRandom(SEED * CLIENTS + client)),
    world: new WalletWorld(),
  }));
  const opened = await openTestService({ data, clock });
  await trade(opened.service, clock, traders);
  const live = await pagesOf(opened.service, traders);
  cpSync(data, copied, { recursive: true });
  await opened.close();
  expect(await pagesAfterStart({ data: copied, clock }, traders)).toEqual(live);
  expect(await pagesAfterStart({ data, clock }, traders)).toEqual(live);
});
