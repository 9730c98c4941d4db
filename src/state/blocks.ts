import { SubjectTables } from '../columns/subject-tables.ts';
import { NONE } from '../model/key.ts';
import { DatedPairs, type PairEntry } from './dated-pairs.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';

/** Which users block which. The later timestamp wins, ties by arrival. */
export class Blocks {
  private readonly out: DatedPairs;
  /** For each user, all users who ever blocked or unblocked them. */
  private readonly back: SubjectTables<Record<never, never>>;
  /** Recorded pairs. While 0, no lookup is needed. */
  private pairs = 0;

  constructor({ ordinal_hash, limits }: Setup = DEFAULT_SETUP) {
    const table_limits = { keys_max: limits.blocks, subject_keys_max: limits.per_subject };
    this.out = new DatedPairs(ordinal_hash, table_limits);
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

  pairsOf(user: number): number {
    return Math.max(this.out.count(user), this.back.count(user));
  }

  blocks(user: number, target: number): boolean {
    if (this.pairs === 0) return false;
    const at = this.out.find(user, target);
    return at !== NONE && this.out.isCurrent(at);
  }

  known(user: number, target: number): { stands: boolean; time: number } | undefined {
    return this.out.known(user, target);
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

  record(user: number, target: number, add: boolean, time: number): boolean {
    const known = this.out.find(user, target);
    if (!this.out.differs(known, add, time)) return false;
    this.out.write(user, target, known, add, time);
    if (known !== NONE) return true;
    this.back.put(target, user);
    this.pairs++;
    return true;
  }

  blocked(user: number): number[] {
    return this.out.currentTargets(user);
  }

  entries(user: number): Generator<PairEntry> {
    return this.out.entries(user);
  }

  /** Forgets a user in both directions. O(their pairs). */
  eraseUser(user: number): void {
    for (const { target } of this.out.entries(user)) this.back.remove(target, user);
    this.out.clear(user);
    for (let at = this.back.start(user); at < this.back.end(user); at++) {
      const blocker = this.back.key(at);
      if (blocker !== NONE) this.out.remove(blocker, user);
    }
    this.back.clear(user);
  }
}
