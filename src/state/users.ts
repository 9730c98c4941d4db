import type { UserContent } from './change.ts';
import { grown } from './growable.ts';
import { Names } from './names.ts';

const DESCRIBED = 1;
const HIDDEN = 2;

/** Columns of every user by ordinal, and the wallets that lead to them. */
export class Users {
  readonly names = new Names();
  private flags = new Uint8Array(64);
  private version = new Float64Array(64);
  private readonly by_wallet = new Map<string, number>();
  /** Users who still list an address that another listed after them, the latest last. */
  private readonly earlier_listers = new Map<string, number[]>();
  private readonly wallets_of = new Map<number, string[]>();

  get size(): number {
    return this.names.size;
  }

  /** Makes room in every column for the user that was named last. */
  extend(): void {
    this.flags = grown(this.flags, this.size);
    this.version = grown(this.version, this.size);
  }

  /** A profile was ingested. */
  described(user: number): boolean {
    return (this.flags[user] & DESCRIBED) !== 0;
  }

  /** Moderation took all of the user's items out of every feed. */
  hidden(user: number): boolean {
    return (this.flags[user] & HIDDEN) !== 0;
  }

  /** `seq` of the stored row that holds the profile; 0 without one. */
  content_seq(user: number): number {
    return this.version[user];
  }

  /** Of the users who list this address (lower case), the one who did so last; undefined without any. */
  ofWallet(address: string): number | undefined {
    return this.by_wallet.get(address);
  }

  describe(user: number, content: UserContent, seq: number): void {
    this.flags[user] = DESCRIBED | (content.hidden ? HIDDEN : 0);
    this.version[user] = seq;
    this.dropWallets(user);
    if (!content.wallet_addresses?.length) return;
    const addresses = [...new Set(content.wallet_addresses)];
    this.wallets_of.set(user, addresses);
    for (const address of addresses) this.takeWallet(user, address);
  }

  erase(user: number): void {
    this.flags[user] = 0;
    this.version[user] = 0;
    this.dropWallets(user);
    this.names.forget(user);
  }

  private takeWallet(user: number, address: string): void {
    const before = this.by_wallet.get(address);
    this.by_wallet.set(address, user);
    if (before === undefined) return;
    const earlier = this.earlier_listers.get(address) ?? [];
    this.earlier_listers.set(address, [...earlier, before]);
  }

  /** An address goes back to whoever listed it before and still does. */
  private dropWallets(user: number): void {
    for (const address of this.wallets_of.get(user) ?? []) {
      const earlier = (this.earlier_listers.get(address) ?? []).filter((lister) => lister !== user);
      if (this.by_wallet.get(address) === user) {
        const heir = earlier.pop();
        if (heir === undefined) this.by_wallet.delete(address);
        else this.by_wallet.set(address, heir);
      }
      if (earlier.length > 0) this.earlier_listers.set(address, earlier);
      else this.earlier_listers.delete(address);
    }
    this.wallets_of.delete(user);
  }
}
