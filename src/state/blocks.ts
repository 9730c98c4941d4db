import { SubjectTables } from '../columns/subject-tables.ts';
import { NONE } from './change.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';

const STANDING = 1;

/** Which users block which. The last message wins. */
export class Blocks {
  private readonly out: SubjectTables<Record<never, never>>;
  /** For each user, all users who ever blocked them. */
  private readonly back: SubjectTables<Record<never, never>>;
  /** Recorded pairs. While 0, no lookup is needed. */
  private pairs = 0;

  constructor({ ordinal_hash, limits }: Setup = DEFAULT_SETUP) {
    const table_limits = { keys_max: limits.blocks, subject_keys_max: limits.per_subject };
    this.out = new SubjectTables({}, 1, ordinal_hash, table_limits);
    this.back = new SubjectTables({}, 0, ordinal_hash, table_limits);
  }

  /** The number of known pairs, from the direction with more. */
  get size(): number {
    return Math.max(this.out.keys, this.back.keys);
  }

  /** The largest number of pairs of one user in one direction. */
  get fullest(): number {
    return Math.max(this.out.fullest, this.back.fullest);
  }

  /** Whether the user ever blocked the target. */
  isKnown(user: number, target: number): boolean {
    return this.out.find(user, target) !== NONE;
  }

  /** The number of pairs of a user, from the direction with more. */
  pairsOf(user: number): number {
    return Math.max(this.out.count(user), this.back.count(user));
  }

  blocks(user: number, target: number): boolean {
    if (this.pairs === 0) return false;
    const at = this.out.find(user, target);
    return at !== NONE && this.out.flags(at) === STANDING;
  }

  /** Whether the user may be in a block in either direction. Most users are in none. */
  any(user: number): boolean {
    return this.pairs > 0 && this.out.count(user) + this.back.count(user) > 0;
  }

  /** Whether either user blocks the other. Neither gets items or social proof of the other. */
  between(one: number, other: number): boolean {
    // Only the tables of `one` are read, since most of the other users are unrelated.
    if (!this.any(one)) return false;
    return this.blocks(one, other) || (this.back.find(one, other) !== NONE && this.blocks(other, one));
  }

  record(user: number, target: number, add: boolean): boolean {
    if (this.blocks(user, target) === add) return false;
    const at = this.out.put(user, target);
    this.out.setFlags(at, add ? STANDING : 0);
    this.back.put(target, user);
    this.pairs++;
    return true;
  }

  /** All users that the user blocks. */
  blocked(user: number): number[] {
    const found: number[] = [];
    for (let at = this.out.start(user); at < this.out.end(user); at++) {
      if (this.out.key(at) !== NONE && this.out.flags(at) === STANDING) found.push(this.out.key(at));
    }
    return found;
  }

  /** Forgets a user in both directions. */
  eraseUser(user: number): void {
    this.out.clear(user);
    for (let at = this.back.start(user); at < this.back.end(user); at++) {
      const blocker = this.back.key(at);
      const pair = blocker === NONE ? NONE : this.out.find(blocker, user);
      if (pair !== NONE) this.out.setFlags(pair, 0);
    }
    this.back.clear(user);
  }
}
