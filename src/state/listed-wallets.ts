import { Dictionary } from '../columns/dictionary.ts';
import type { HashKey } from '../columns/keyed-hash.ts';
import { Slabs } from '../columns/slabs.ts';
import { NONE } from '../model/key.ts';
import { STATE_LIMITS, type StateLimits } from './limits.ts';

/**
 * The wallet addresses that users list, and the user of each address.
 *
 * If several users list an address, it leads to the user whose profile was stored last. Takes about 90 bytes an address
 * and 9 a user. Objects would take several times that, and a second at each start.
 */
export class ListedWallets {
  private readonly addresses: Dictionary;
  private readonly listers: Slabs<{ user: Uint32Array<ArrayBuffer> }>;
  private readonly listed: Slabs<{ address: Uint32Array<ArrayBuffer> }>;

  constructor(hash_key?: HashKey, limits: Pick<StateLimits, 'wallets' | 'wallet_bytes'> = STATE_LIMITS) {
    const { wallets, wallet_bytes } = limits;
    this.addresses = new Dictionary(hash_key, { count_max: wallets, bytes_max: wallet_bytes });
    this.listers = new Slabs({ user: new Uint32Array(64) }, { elements_max: wallets });
    this.listed = new Slabs({ address: new Uint32Array(64) }, { elements_max: wallets });
  }

  get size(): number {
    return this.listed.size;
  }

  /** Bytes of all addresses, measured by `textBytes`. */
  get address_bytes(): number {
    return this.addresses.live_bytes;
  }

  count(user: number): number {
    return this.listed.length(user);
  }

  user(address: string): number | undefined {
    const known = this.addresses.find(address);
    return known === NONE ? undefined : this.listers.columns.user[this.listers.end(known) - 1];
  }

  list(user: number, addresses: readonly string[]): void {
    this.drop(user);
    for (const address of new Set(addresses)) this.take(user, address);
  }

  /** Removes a user's addresses. Each leads to its previous user again, if that user still lists it. */
  drop(user: number): void {
    for (let at = this.listed.start(user); at < this.listed.end(user); at++) {
      this.release(user, this.listed.columns.address[at]);
    }
    this.listed.clear(user);
  }

  private take(user: number, text: string): void {
    const address = this.addresses.intern(text);
    // Inserting may replace the columns, so they are read afterwards.
    const lister = this.listers.insert(address, 0);
    this.listers.columns.user[lister] = user;
    const at = this.listed.insert(user, 0);
    this.listed.columns.address[at] = address;
  }

  /** O(users who list the address). */
  private release(user: number, address: number): void {
    const start = this.listers.start(address);
    const users = this.listers.columns.user.subarray(start, this.listers.end(address));
    this.listers.remove(address, start + users.lastIndexOf(user));
    if (this.listers.length(address) > 0) return;
    this.listers.clear(address);
    this.addresses.remove(address);
    this.addresses.release(address);
  }
}
