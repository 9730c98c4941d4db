import { type ManualClock, type Random, seededRandom } from '../../../src/clock.ts';
import type { Service } from '../../../src/service.ts';
import { WalletWorkload } from './wallet-workload.ts';
import { type WalletOperation, WalletWorld } from './wallet-world.ts';

const CLIENTS = 8;

/** Concurrent clients within one process that send events, catalog records and removals. */
export class Trading {
  private readonly traders: { world: WalletWorld; workload: WalletWorkload }[];

  constructor(
    private readonly clock: ManualClock,
    private readonly random: Random,
  ) {
    this.traders = Array.from({ length: CLIENTS }, (_, client) => ({
      world: new WalletWorld(),
      workload: new WalletWorkload(client, seededRandom(Math.floor(random() * 2 ** 31)), true),
    }));
  }

  /** Rounds of concurrent writes. Time passes between some of them. */
  async run(service: Service, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      if (this.random() < 0.7) this.clock.advance(this.random() * 600);
      await Promise.all(
        this.traders.map(async ({ workload, world }) => {
          const operation = workload.next(world);
          await this.send(service, operation);
          world.apply(operation);
        }),
      );
    }
  }

  /** The popular page and those of all wallets. */
  async pages({ alpha }: Service): Promise<Map<string, string>> {
    const pages = new Map([['popular', JSON.stringify(await alpha.popular(500))]]);
    for (const { workload } of this.traders)
      for (const wallet of workload.wallets)
        pages.set(wallet, JSON.stringify(await alpha.forYou(wallet, 500)));
    return pages;
  }

  private async send({ alpha }: Service, operation: WalletOperation): Promise<void> {
    const timestamp = this.clock.now();
    switch (operation.kind) {
      case 'event':
        await alpha.recordEvent(operation.event as never);
        await alpha.forYou(operation.event.wallet_address, 20);
        break;
      case 'catalog':
        await alpha.ingestItems(operation.records);
        break;
      case 'delete event':
        await alpha.deleteEvents(operation.event as never);
        break;
      case 'erase wallet':
        await alpha.eraseWallet(operation.wallet_address, { timestamp });
        break;
    }
  }
}
