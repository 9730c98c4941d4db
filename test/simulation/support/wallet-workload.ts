import type { Random } from '../../../src/clock.ts';
import { Draws } from '../../support/draws.ts';
import { KINDS, PRESENT, type SentEvent, type SentToken, type WalletWorld } from './wallet-world.ts';

/** The next request of a client: an event of one of its wallets, or records of its collection. */
export type WalletOperation = { kind: 'event'; event: SentEvent } | { kind: 'catalog'; records: SentToken[] };

/** The collection that all wallets trade in. No record describes it. */
const SHARED_COLLECTION = 0;
const SHARED_ITEMS = 40;
/** Together with those of all clients, fewer than one page can hold. */
const OWN_ITEMS = 50;
const OWN_WALLETS = 6;
/** Maximum age in seconds of events with a time. */
const PAST_SECONDS = 1_000;

function address(space: string, n: number): string {
  return `0x${n.toString(16).padStart(40, space)}`;
}

function itemOf(collection: number, n: number): string {
  const contract = `base.${address('c', collection)}`;
  return n === 0 ? contract : `${contract}.${n}`;
}

export class WalletWorkload extends Draws {
  readonly wallets: readonly string[];
  private texts = 0;

  /** @param client index from 0 */
  constructor(
    private readonly client: number,
    random: Random,
  ) {
    super(random);
    this.wallets = Array.from({ length: OWN_WALLETS }, (_, n) => address('a', client * OWN_WALLETS + n));
  }

  /** Whether no other client describes the item. */
  ownsItem(item_id: string): boolean {
    return item_id.startsWith(itemOf(this.client + 1, 0));
  }

  next(world: WalletWorld): WalletOperation {
    if (this.random() < 0.2) return { kind: 'catalog', records: this.records() };
    return { kind: 'event', event: this.event(world) };
  }

  /** Mostly a new event, sometimes one that was sent before. */
  event(world: WalletWorld): SentEvent {
    const wallet_address = this.pick(this.wallets);
    const held = [...world.held(wallet_address)];
    const releases = held.length > 0 && this.random() < 0.3;
    const item_id = releases ? this.pick(held) : this.anyItem();
    const event_type = releases ? this.pick(['sell', 'transfer', 'burn', 'swap']) : this.pick(KINDS);
    const event = { wallet_address, item_id, event_type };
    return this.random() < 0.5 ? event : { ...event, timestamp: PRESENT - 1 - this.below(PAST_SECONDS) };
  }

  private anyItem(): string {
    return this.random() < 0.5 ? itemOf(SHARED_COLLECTION, this.below(SHARED_ITEMS)) : this.ownItem();
  }

  private ownItem(): string {
    return itemOf(this.client + 1, this.below(OWN_ITEMS));
  }

  /** 1 to 1,200 records, many about the same items, sometimes with an invalid one. */
  private records(): SentToken[] {
    const draw = this.random();
    const count = draw < 0.5 ? 1 : draw < 0.8 ? 2 + this.below(19) : 100 + this.below(1_101);
    const records = Array.from({ length: count }, () => this.token());
    if (count > 1 && this.random() < 0.1) records.splice(this.below(count), 0, {});
    return records;
  }

  private token(): SentToken {
    const token = { item_id: this.ownItem(), name: `client ${this.client} name ${this.texts++}` };
    return this.random() < 0.5 ? token : { ...token, created_at: PRESENT - this.below(2 * PAST_SECONDS) };
  }
}
