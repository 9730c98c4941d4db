import type { Random } from '../../../src/clock.ts';
import { Draws } from '../../support/draws.ts';
import { PRESENT, type SentEvent } from './wallet-world.ts';

/** What a client sends. Its wallets and items belong to no other client. */
export type ErasureOperation =
  | { kind: 'event'; event: SentEvent }
  | { kind: 'delete event'; event: SentEvent }
  | { kind: 'erase wallet'; wallet_address: string };

const TYPES = ['mint', 'buy', 'sell', 'like', 'burn'];
const ACQUIRING = ['mint', 'buy'];
const RELEASING = ['sell', 'burn'];
const OWN_ITEMS = 12;
const WALLETS_AT_A_TIME = 4;
const PAST_SECONDS = 200;

interface Known {
  event: SentEvent;
  /** Events without a time are later than all others, in the order of their arrival. */
  time: number;
}

/** A second, simple implementation of events, deletions and erasures: what one client knows to be stored. */
export class ErasureWorld {
  private events: Known[] = [];
  /** Deleted events, and deleted types of events, which are not stored when they are sent with a time. */
  private readonly deleted = new Set<string>();
  private arrivals = 0;
  readonly erased: string[] = [];

  clone(): ErasureWorld {
    const copy = new ErasureWorld();
    copy.events = [...this.events];
    for (const name of this.deleted) copy.deleted.add(name);
    copy.arrivals = this.arrivals;
    copy.erased.push(...this.erased);
    return copy;
  }

  apply(operation: ErasureOperation): void {
    switch (operation.kind) {
      case 'event':
        this.record(operation.event);
        break;
      case 'delete event':
        this.delete(operation.event);
        break;
      case 'erase wallet':
        this.erased.push(operation.wallet_address);
        this.deleted.add(operation.wallet_address);
        this.keep(({ wallet_address }) => wallet_address !== operation.wallet_address);
        break;
    }
  }

  /** Items that have an event. */
  get items(): Set<string> {
    return new Set(this.events.map(({ event }) => event.item_id));
  }

  /** The names of the events with a time, as they are stored. */
  get dated(): string[] {
    return this.events
      .map(({ event }) => event)
      .filter(({ timestamp }) => timestamp !== undefined)
      .map(nameOf);
  }

  known(wallet_address: string): SentEvent[] {
    return this.events.map(({ event }) => event).filter((event) => event.wallet_address === wallet_address);
  }

  /** The items that a wallet holds: the latest event that takes or gives them away decides. */
  held(wallet_address: string): Set<string> {
    const held = new Set<string>();
    const own = this.events.filter(({ event }) => event.wallet_address === wallet_address);
    for (const { event } of own.toSorted((one, other) => one.time - other.time)) {
      if (ACQUIRING.includes(event.event_type)) held.add(event.item_id);
      if (RELEASING.includes(event.event_type)) held.delete(event.item_id);
    }
    return held;
  }

  private record(event: SentEvent): void {
    const { timestamp, wallet_address } = event;
    const dated = timestamp !== undefined;
    const names = [wallet_address, typeOf(event), nameOf(event)];
    if (dated && names.some((name) => this.deleted.has(name))) return;
    if (dated && this.events.some((known) => nameOf(known.event) === nameOf(event))) return;
    this.events.push({ event, time: dated ? Number(timestamp) : PRESENT + this.arrivals++ });
  }

  private delete(event: SentEvent): void {
    const all = event.timestamp === undefined;
    this.deleted.add(all ? typeOf(event) : nameOf(event));
    const isMeant = (other: SentEvent) =>
      all ? typeOf(other) === typeOf(event) : nameOf(other) === nameOf(event);
    this.keep((other) => !isMeant(other));
  }

  private keep(stays: (event: SentEvent) => boolean): void {
    this.events = this.events.filter(({ event }) => stays(event));
  }
}

/** Chooses what a client does next. */
export class ErasureWorkload extends Draws {
  /** All wallets that ever acted. An erased one acts again only by old events. */
  readonly wallets: string[] = [];
  private readonly sent: SentEvent[] = [];

  /** @param client index from 0 */
  constructor(
    private readonly client: number,
    random: Random,
  ) {
    super(random);
  }

  ownsItem(item_id: string): boolean {
    return item_id.startsWith(`base.${address('c', this.client)}`);
  }

  next(world: ErasureWorld): ErasureOperation {
    const draw = this.random();
    const acting = this.wallets.filter((wallet) => world.known(wallet).length > 0);
    if (draw < 0.1 && acting.length > 0) return { kind: 'erase wallet', wallet_address: this.pick(acting) };
    if (draw < 0.3 && acting.length > 0) return { kind: 'delete event', event: this.deletion(world, acting) };
    if (draw < 0.45 && this.sent.length > 0) {
      const event = this.pick(this.sent);
      if (event.timestamp !== undefined) return { kind: 'event', event };
    }
    return { kind: 'event', event: this.event(world) };
  }

  private event(world: ErasureWorld): SentEvent {
    const item_id = `base.${address('c', this.client)}.${1 + this.below(OWN_ITEMS)}`;
    const event = { wallet_address: this.wallet(world), item_id, event_type: this.pick(TYPES) };
    const timestamp = PRESENT - 1 - this.below(PAST_SECONDS);
    const sent = this.random() < 0.4 ? event : { ...event, timestamp };
    this.sent.push(sent);
    return sent;
  }

  /** Deletes an event by its time, or all of its type. */
  private deletion(world: ErasureWorld, acting: readonly string[]): SentEvent {
    const event = this.pick(world.known(this.pick(acting)));
    return this.random() < 0.5 ? event : { ...event, timestamp: undefined };
  }

  private wallet(world: ErasureWorld): string {
    const left = this.wallets.filter((wallet) => !world.erased.includes(wallet));
    if (left.length >= WALLETS_AT_A_TIME) return this.pick(left);
    const wallet = address('a', this.client * 100_000 + this.wallets.length);
    this.wallets.push(wallet);
    return wallet;
  }
}

function address(space: string, n: number): string {
  return `0x${n.toString(16).padStart(40, space)}`;
}

function typeOf({ wallet_address, item_id, event_type }: SentEvent): string {
  return `${wallet_address} ${item_id} ${event_type}`;
}

function nameOf(event: SentEvent): string {
  return `${typeOf(event)} ${event.timestamp}`;
}
