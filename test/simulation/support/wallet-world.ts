/**
 * A second, simple implementation of wallet events and catalog records, deletions and erasures: the records that one
 * client of a simulation knows to be stored. It shares no code with the service.
 */

export interface SentEvent {
  wallet_address: string;
  item_id: string;
  event_type: string;
  timestamp?: number;
}

export interface SentToken {
  item_id?: string;
  name?: string;
  created_at?: number;
}

/** What a client sends. */
export type WalletOperation =
  | { kind: 'event'; event: SentEvent }
  | { kind: 'catalog'; records: SentToken[] }
  /** Without a time: all events of the type. */
  | { kind: 'delete event'; event: SentEvent }
  | { kind: 'erase wallet'; wallet_address: string };

/** In the order of their stored codes. */
export const KINDS = ['mint', 'buy', 'sell', 'swap', 'transfer', 'bid', 'list', 'burn', 'like', 'view'];
const ACQUIRING = ['mint', 'buy', 'swap'];
const RELEASING = ['sell', 'transfer', 'burn'];

/** Every event with a time is earlier, and every one without is later. */
export const PRESENT = 1_750_000_000;
const NO_TIME = 'now';

/** `<wallet> <item> <kind> <timestamp>`, the last `now` if none was sent. */
export function nameOf(event: SentEvent): string {
  return `${typeOf(event)} ${event.timestamp ?? NO_TIME}`;
}

function typeOf({ wallet_address, item_id, event_type }: SentEvent): string {
  return `${wallet_address} ${item_id} ${event_type}`;
}

export class WalletWorld {
  /** In the order of their arrival. */
  private events: SentEvent[] = [];
  /** Names of items in the catalog. */
  readonly names = new Map<string, string>();
  /** Wallets, types of events and events that were deleted, which are not stored when they are sent with a time. */
  private readonly deleted = new Set<string>();
  readonly erased: string[] = [];

  clone(): WalletWorld {
    const copy = new WalletWorld();
    copy.events = [...this.events];
    for (const [item_id, name] of this.names) copy.names.set(item_id, name);
    for (const name of this.deleted) copy.deleted.add(name);
    copy.erased.push(...this.erased);
    return copy;
  }

  apply(operation: WalletOperation): void {
    switch (operation.kind) {
      case 'event':
        this.record(operation.event);
        break;
      case 'catalog':
        this.catalogue(operation.records);
        break;
      case 'delete event': {
        const name = operation.event.timestamp === undefined ? typeOf : nameOf;
        this.delete(name(operation.event), name);
        break;
      }
      case 'erase wallet':
        this.erased.push(operation.wallet_address);
        this.delete(operation.wallet_address, ({ wallet_address }) => wallet_address);
        break;
    }
  }

  /** Items that have an event or a name. */
  get items(): Set<string> {
    return new Set([...this.events.map(({ item_id }) => item_id), ...this.names.keys()]);
  }

  /** How often each event happened. */
  get counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const event of this.events) counts.set(nameOf(event), (counts.get(nameOf(event)) ?? 0) + 1);
    return counts;
  }

  known(wallet_address: string): SentEvent[] {
    return this.events.filter((event) => event.wallet_address === wallet_address);
  }

  /** The items that a wallet holds: the latest event that takes or gives them away decides. */
  held(wallet_address: string): Set<string> {
    const held = new Set<string>();
    const timeOf = ({ timestamp = PRESENT }: SentEvent) => timestamp;
    for (const { event_type, item_id } of this.known(wallet_address).toSorted(
      (one, other) => timeOf(one) - timeOf(other),
    )) {
      if (ACQUIRING.includes(event_type)) held.add(item_id);
      if (RELEASING.includes(event_type)) held.delete(item_id);
    }
    return held;
  }

  private record(event: SentEvent): void {
    const names = [event.wallet_address, typeOf(event), nameOf(event)];
    const is_dated = event.timestamp !== undefined;
    if (is_dated && names.some((name) => this.deleted.has(name))) return;
    if (is_dated && this.events.some((known) => nameOf(known) === nameOf(event))) return;
    this.events.push(event);
  }

  /** Without records that the service rejects. */
  private catalogue(records: readonly SentToken[]): void {
    for (const { item_id, name } of records)
      if (item_id !== undefined && name !== undefined) this.names.set(item_id, name);
  }

  private delete(name: string, nameIn: (event: SentEvent) => string): void {
    this.deleted.add(name);
    this.events = this.events.filter((event) => nameIn(event) !== name);
  }
}
