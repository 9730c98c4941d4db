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

  /** The user who listed this address (lower case) last, undefined when nobody did. */
  ofWallet(address: string): number | undefined {
    return this.by_wallet.get(address);
  }

  describe(user: number, content: UserContent, seq: number): void {
    this.flags[user] = DESCRIBED | (content.hidden ? HIDDEN : 0);
    this.version[user] = seq;
    this.dropWallets(user);
    if (!content.wallet_addresses?.length) return;
    this.wallets_of.set(user, content.wallet_addresses);
    for (const address of content.wallet_addresses) this.by_wallet.set(address, user);
  }

  erase(user: number): void {
    this.flags[user] = 0;
    this.version[user] = 0;
    this.dropWallets(user);
    this.names.forget(user);
  }

  private dropWallets(user: number): void {
    for (const address of this.wallets_of.get(user) ?? []) {
      if (this.by_wallet.get(address) === user) this.by_wallet.delete(address);
    }
    this.wallets_of.delete(user);
  }
}
