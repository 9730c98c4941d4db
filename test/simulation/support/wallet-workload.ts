import type { Random } from '../../../src/clock.ts';
import { Draws } from '../../support/draws.ts';
import {
  KINDS,
  PRESENT,
  type SentEvent,
  type SentToken,
  type WalletOperation,
  type WalletWorld,
} from './wallet-world.ts';

/** The collection that all wallets trade in. No record describes it. */
const SHARED_COLLECTION = 0;
const SHARED_ITEMS = 40;
/** Together with those of all clients, fewer than one page can hold. */
const OWN_ITEMS = 50;
const WALLETS_AT_A_TIME = 6;
/** Maximum age in seconds of events with a time. */
const PAST_SECONDS = 1_000;

/** Shares of operations. */
const ERASURES = 0.08;
const DELETIONS = 0.12;
const REPEATED_EVENTS = 0.06;
const CATALOG = 0.2;

/** Different numbers have the same length, so that no padding makes them equal. */
function address(space: string, n: number): string {
  return `0x${(0x1_000_000 + n).toString(16).padStart(40, space)}`;
}

function itemOf(collection: number, n: number): string {
  const contract = `base.${address('c', collection)}`;
  return n === 0 ? contract : `${contract}.${n}`;
}

/** Chooses what a client does next: events of its wallets, records of its collection, and removals. */
export class WalletWorkload extends Draws {
  /** All wallets that ever acted. An erased one acts again only by old events. */
  readonly wallets: string[] = [];
  private readonly dated: SentEvent[] = [];
  private texts = 0;

  /**
   * @param client index from 0
   * @param removes whether it deletes events and erases wallets, too
   */
  constructor(
    private readonly client: number,
    random: Random,
    private readonly removes: boolean,
  ) {
    super(random);
  }

  /** Whether no other client describes the item. */
  ownsItem(item_id: string): boolean {
    return item_id.startsWith(itemOf(this.client + 1, 0));
  }

  next(world: WalletWorld): WalletOperation {
    const removal = this.removes ? this.removal(world) : undefined;
    if (removal !== undefined) return removal;
    if (this.chance(CATALOG)) return { kind: 'catalog', records: this.records() };
    return { kind: 'event', event: this.event(world) };
  }

  private removal(world: WalletWorld): WalletOperation | undefined {
    const draw = this.random();
    if (draw > ERASURES + DELETIONS) return undefined;
    const acting = this.wallets.filter((wallet) => world.known(wallet).length > 0);
    if (acting.length === 0) return undefined;
    const wallet_address = this.pick(acting);
    if (draw < ERASURES) return { kind: 'erase wallet', wallet_address };
    const event = this.pick(world.known(wallet_address));
    return { kind: 'delete event', event: this.chance(0.5) ? event : { ...event, timestamp: undefined } };
  }

  /** Mostly a new event, sometimes one that was sent before. */
  private event(world: WalletWorld): SentEvent {
    if (this.dated.length > 0 && this.chance(REPEATED_EVENTS)) return this.pick(this.dated);
    const wallet_address = this.wallet(world);
    const held = [...world.held(wallet_address)];
    const releases = held.length > 0 && this.chance(0.3);
    const item_id = releases ? this.pick(held) : this.anyItem();
    const event_type = releases ? this.pick(['sell', 'transfer', 'burn', 'swap']) : this.pick(KINDS);
    const event = { wallet_address, item_id, event_type };
    if (this.chance(0.5)) return event;
    const dated = { ...event, timestamp: PRESENT - 1 - this.below(PAST_SECONDS) };
    this.dated.push(dated);
    return dated;
  }

  private wallet(world: WalletWorld): string {
    const left = this.wallets.filter((wallet) => !world.erased.includes(wallet));
    if (left.length >= WALLETS_AT_A_TIME) return this.pick(left);
    const wallet = address('a', this.client * 100_000 + this.wallets.length);
    this.wallets.push(wallet);
    return wallet;
  }

  private anyItem(): string {
    return this.chance(0.5) ? itemOf(SHARED_COLLECTION, this.below(SHARED_ITEMS)) : this.ownItem();
  }

  private ownItem(): string {
    return itemOf(this.client + 1, this.below(OWN_ITEMS));
  }

  /** 1 to 1,200 records, many about the same items, sometimes with an invalid one. */
  private records(): SentToken[] {
    const draw = this.random();
    const count = draw < 0.5 ? 1 : draw < 0.8 ? 2 + this.below(19) : 100 + this.below(1_101);
    const records = Array.from({ length: count }, () => this.token());
    if (count > 1 && this.chance(0.1)) records.splice(this.below(count), 0, {});
    return records;
  }

  private token(): SentToken {
    const token = { item_id: this.ownItem(), name: `client ${this.client} name ${this.texts++}` };
    return this.chance(0.5) ? token : { ...token, created_at: PRESENT - this.below(2 * PAST_SECONDS) };
  }
}
