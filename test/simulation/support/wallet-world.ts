/**
 * A second, simple implementation of wallet events and catalog records: the records that one client of a simulation
 * knows to be stored. It shares no code with the service.
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

/** In the order of their stored codes. */
export const KINDS = ['mint', 'buy', 'sell', 'swap', 'transfer', 'bid', 'list', 'burn', 'like', 'view'];
const ACQUIRING = ['mint', 'buy', 'swap'];
const RELEASING = ['sell', 'transfer', 'burn'];

/** Every event with a time is earlier, and every one without is later. */
export const PRESENT = 1_750_000_000;
export const NO_TIME = 'now';

interface Holding {
  holds: boolean;
  time: number;
}

export class WalletWorld {
  /** How often each event happened: `<wallet> <item> <kind> <timestamp>`, the last `now` if none was sent. */
  readonly events = new Map<string, number>();
  /** Names of items in the catalog. */
  readonly names = new Map<string, string>();
  /** All named items. */
  readonly items = new Set<string>();
  /** By wallet and item. */
  private readonly holdings = new Map<string, Holding>();
  private ticks = 0;

  clone(): WalletWorld {
    const copy = new WalletWorld();
    for (const [event, count] of this.events) copy.events.set(event, count);
    for (const [item_id, name] of this.names) copy.names.set(item_id, name);
    for (const item_id of this.items) copy.items.add(item_id);
    for (const [pair, holding] of this.holdings) copy.holdings.set(pair, holding);
    copy.ticks = this.ticks;
    return copy;
  }

  record({ wallet_address, item_id, event_type, timestamp }: SentEvent): void {
    const event = `${wallet_address} ${item_id} ${event_type} ${timestamp ?? NO_TIME}`;
    const known = this.events.get(event) ?? 0;
    if (timestamp !== undefined && known > 0) return;
    this.events.set(event, known + 1);
    this.items.add(item_id);
    const holds = ACQUIRING.includes(event_type);
    if (!holds && !RELEASING.includes(event_type)) return;
    const pair = `${wallet_address} ${item_id}`;
    const time = timestamp ?? PRESENT + this.ticks++;
    if (time >= (this.holdings.get(pair)?.time ?? 0)) this.holdings.set(pair, { holds, time });
  }

  /** Without records that the service rejects. */
  catalogue(records: readonly SentToken[]): void {
    for (const { item_id, name } of records) {
      if (item_id === undefined) continue;
      this.items.add(item_id);
      if (name !== undefined) this.names.set(item_id, name);
    }
  }

  held(wallet_address: string): Set<string> {
    const held = new Set<string>();
    for (const [pair, { holds }] of this.holdings) {
      const [wallet, item_id] = pair.split(' ');
      if (holds && wallet === wallet_address) held.add(item_id);
    }
    return held;
  }
}
