import { NONE } from './change.ts';
import type { IntegerHash } from './keyed-hash.ts';
import { SubjectTables } from './subject-tables.ts';

const STANDING = 1;

/** Who blocks whom; the last message counts. */
export class Blocks {
  private readonly out: SubjectTables<Record<never, never>>;
  /** Of each user: who ever blocked them. */
  private readonly back: SubjectTables<Record<never, never>>;
  /** Pairs ever recorded: while 0, nothing needs to be looked up. */
  private pairs = 0;

  /** @param hash as of `SubjectTables` */
  constructor(hash?: IntegerHash) {
    this.out = new SubjectTables({}, 1, hash);
    this.back = new SubjectTables({}, 0, hash);
  }

  blocks(user: number, target: number): boolean {
    if (this.pairs === 0) return false;
    const at = this.out.find(user, target);
    return at !== NONE && this.out.flags(at) === STANDING;
  }

  /** Whether the user may be in a block with anybody, either way: most are in none. */
  any(user: number): boolean {
    return this.pairs > 0 && this.out.count(user) + this.back.count(user) > 0;
  }

  /** Either blocks the other: neither's items nor social proof reach the other. */
  between(one: number, other: number): boolean {
    // Only tables of `one` are read, and of the others most are strangers.
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

  /** Everybody the user blocks. */
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
