import { grown } from '../columns/growable.ts';
import { isHidden } from '../model/hiding.ts';
import type { UserContent } from '../model/records/user.ts';
import { ListedWallets } from './listed-wallets.ts';
import { Names } from './names.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';

const DESCRIBED = 1;
const HIDDEN = 2;
/** A label hides the user. */
const LABELLED = 4;

export class Users {
  readonly names: Names;
  private flags = new Uint8Array(64);
  /** While 0, no flags are read, which saves a cache line per candidate. */
  private hidden_users = 0;
  private version = new Float64Array(64);
  readonly wallets: ListedWallets;

  constructor({ hash_key, limits }: Setup = DEFAULT_SETUP) {
    this.names = new Names(hash_key, { count_max: limits.users, bytes_max: limits.user_id_bytes });
    this.wallets = new ListedWallets(hash_key, limits);
  }

  get size(): number {
    return this.names.size;
  }

  extend(): void {
    this.flags = grown(this.flags, this.size);
    this.version = grown(this.version, this.size);
  }

  described(user: number): boolean {
    return (this.flags[user] & DESCRIBED) !== 0;
  }

  get any_hidden(): boolean {
    return this.hidden_users > 0;
  }

  /** Whether a moderator, the network or a label removed the user's items from every feed. Their acts do not count either. */
  hidden(user: number): boolean {
    return this.hidden_users > 0 && isHiding(this.flags[user]);
  }

  /** @param labelled whether a label hides the user */
  hideByLabel(user: number, labelled: boolean): void {
    this.setFlags(user, (this.flags[user] & ~LABELLED) | (labelled ? LABELLED : 0));
  }

  /** `seq` of the stored row with the profile. 0 without one. */
  content_seq(user: number): number {
    return this.version[user];
  }

  /** The user whose profile listed this address (lower case) last. Undefined without one. */
  ofWallet(address: string): number | undefined {
    return this.wallets.user(address);
  }

  describe(user: number, content: UserContent, seq: number): void {
    this.setFlags(user, DESCRIBED | (isHidden(content) ? HIDDEN : 0) | (this.flags[user] & LABELLED));
    this.version[user] = seq;
    this.wallets.list(user, content.wallet_addresses ?? []);
  }

  erase(user: number): void {
    this.setFlags(user, 0);
    this.version[user] = 0;
    this.wallets.drop(user);
    this.names.forget(user);
  }

  private setFlags(user: number, flags: number): void {
    this.hidden_users += Number(isHiding(flags)) - Number(this.hidden(user));
    this.flags[user] = flags;
  }
}

function isHiding(flags: number): boolean {
  return (flags & (HIDDEN | LABELLED)) !== 0;
}
