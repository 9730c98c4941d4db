import { NONE } from './change.ts';
import { Dictionary } from './dictionary.ts';
import { grown } from './growable.ts';
import type { HashKey } from './keyed-hash.ts';
import { Slabs } from './slabs.ts';

/**
 * The wallet addresses that users list, and whom each leads to: of several users the one whose profile was stored last. Some
 * 80 bytes an address and 9 a user; as objects they would be several times that, and a second of each start.
 */
export class ListedWallets {
  private readonly addresses: Dictionary;
  /** Of each address: the user whom it leads to. */
  private lister = new Uint32Array(64);
  /** Of an address: users who still list it although another did after them, the latest last. */
  private readonly earlier = new Map<number, number[]>();
  /** Of each user: what they list. */
  private readonly listed = new Slabs({ address: new Uint32Array(64) });

  /** @param hash_key as of `Dictionary` */
  constructor(hash_key?: HashKey) {
    this.addresses = new Dictionary(hash_key);
  }

  /** The user whom an address leads to; undefined without any. */
  user(address: string): number | undefined {
    const known = this.addresses.find(address);
    return known === NONE ? undefined : this.lister[known];
  }

  /** A user lists these addresses from now on, and no others. */
  list(user: number, addresses: readonly string[]): void {
    this.drop(user);
    for (const address of new Set(addresses)) this.take(user, address);
  }

  /** A user lists nothing any more: each address goes back to whoever listed it before and still does. */
  drop(user: number): void {
    for (let at = this.listed.start(user); at < this.listed.end(user); at++) {
      this.giveBack(user, this.listed.columns.address[at]);
    }
    this.listed.clear(user);
  }

  private take(user: number, text: string): void {
    const known = this.addresses.find(text);
    const address = known === NONE ? this.addresses.intern(text) : known;
    if (known !== NONE)
      this.earlier.set(address, [...(this.earlier.get(address) ?? []), this.lister[address]]);
    this.lister = grown(this.lister, address + 1);
    this.lister[address] = user;
    // Inserting may replace the column: it must be looked up afterwards.
    const at = this.listed.insert(user, 0);
    this.listed.columns.address[at] = address;
  }

  private giveBack(user: number, address: number): void {
    const earlier = (this.earlier.get(address) ?? []).filter((lister) => lister !== user);
    if (this.lister[address] === user) {
      const heir = earlier.pop();
      if (heir === undefined) {
        this.addresses.remove(address);
        this.addresses.release(address);
      } else this.lister[address] = heir;
    }
    if (earlier.length > 0) this.earlier.set(address, earlier);
    else this.earlier.delete(address);
  }
}
