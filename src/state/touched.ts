import { NONE } from './change.ts';
import { grown } from './growable.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';
import { SubjectSets } from './subject-sets.ts';

/** What a user has had to do with an item, as bits. */
export const TOUCHED = {
  /** It was on a page that was recorded as seen. */
  impression: 1,
  viewed: 2,
  /** A like, comment, share or bookmark stands. */
  interacted: 4,
  /** A hide or report stands. */
  hidden: 8,
  /** The user's log holds an entry of this item, perhaps one that was taken back. */
  logged: 16,
} as const;

/** Seen as the visibility rule understands it: shown, or viewed elsewhere. */
export const SEEN = TOUCHED.impression | TOUCHED.viewed;

const FLAG_BITS = 5;

/** What one user has had to do with items. Reads all of a small set at once, so that it is at hand for many questions. */
export class TouchedBy {
  /** The bits that any item has; of a large set all there are. */
  readonly any: number;
  private readonly start: number;
  private readonly end: number;

  constructor(
    private readonly tables: SubjectSets,
    user: number,
  ) {
    this.start = tables.start(user);
    this.end = tables.end(user);
    this.any = tables.flagsOfAny(this.start, this.end);
  }

  /** The bits of `TOUCHED` for an item, 0 when they never met. O(1). */
  flags(item: number): number {
    if (this.any === 0) return 0;
    const at = this.tables.findIn(this.start, this.end - this.start, item);
    return at === NONE ? 0 : this.tables.flags(at);
  }

  /** How many items have one of the bits, or, of a large set, more. O(the set). */
  countWith(bits: number): number {
    return (this.any & bits) === 0 ? 0 : this.tables.countWith(this.start, this.end, bits);
  }
}

/**
 * The exact set of items that each user was shown, viewed, interacted with or hid: one probe answers all
 * of it. 4 bytes an item at 0.7 to 0.875 full: 5 to 6 bytes.
 */
export class Touched {
  static readonly transient = ['batch'];
  private batch = new Uint32Array(64);
  private readonly tables: SubjectSets;

  constructor({ ordinal_hash, limits }: Setup = DEFAULT_SETUP) {
    const { seen_items: keys_max, per_subject: subject_keys_max } = limits;
    this.tables = new SubjectSets(FLAG_BITS, ordinal_hash, { keys_max, subject_keys_max });
  }

  /** Pairs of a user and an item that ever met. */
  get size(): number {
    return this.tables.keys;
  }

  /** Items of the user who ever met most. */
  get fullest(): number {
    return this.tables.fullest;
  }

  /** They met, whether or not that has left a trace; nobody and nothing (`NONE`) never did. O(1). */
  has(user: number, item: number): boolean {
    return item !== NONE && this.tables.find(user, item) !== NONE;
  }

  /** The bits of `TOUCHED` for this user and item, 0 when they never met. O(1). */
  flags(user: number, item: number): number {
    const at = this.tables.find(user, item);
    return at === NONE ? 0 : this.tables.flags(at);
  }

  /** Reads what is known of where a user's set lies, for `readAhead`: a number without meaning. */
  glance(user: number): number {
    return this.tables.glance(user);
  }

  /** The same for one user and many items. Valid until the next change. */
  of(user: number): TouchedBy {
    return new TouchedBy(this.tables, user);
  }

  /** Where the items of one user are put that `setAll` is asked about next. */
  batchOf(length: number): Uint32Array {
    this.batch = grown(this.batch, length);
    return this.batch;
  }

  /** Sets bits of the first `count` items of the batch. O(these and the user's set) when that is not much larger. */
  setAll(user: number, count: number, bits: number): void {
    this.tables.addAll(user, this.batch, count, bits);
  }

  set(user: number, item: number, bits: number): void {
    this.tables.addOne(user, item, bits);
  }

  unset(user: number, item: number, bits: number): void {
    const at = this.tables.find(user, item);
    if (at !== NONE) this.tables.setFlags(at, this.tables.flags(at) & ~bits);
  }

  /**
   * Takes items out of a user's set, with those that left no trace, and makes its table as small as it can be.
   * O(the user's table). @returns the slots looked at
   */
  forget(user: number, isGone: (item: number) => boolean): number {
    const { tables } = this;
    const start = tables.start(user);
    const end = tables.end(user);
    const kept: number[] = [];
    let gone = false;
    for (let at = start; at < end; at++) {
      const item = tables.key(at);
      if (item === NONE) continue;
      if (isGone(item)) gone = true;
      else if (tables.flags(at) !== 0) kept.push(item, tables.flags(at));
    }
    if (!gone) return end - start;
    tables.clear(user);
    if (kept.length > 0) tables.makeRoom(user, kept.length / 2);
    for (let at = 0; at < kept.length; at += 2) this.set(user, kept[at], kept[at + 1]);
    return end - start;
  }

  clear(user: number): void {
    this.tables.clear(user);
  }

  /** Items the user ever met. */
  count(user: number): number {
    return this.tables.count(user);
  }

  /** Every item the user met, with its bits, in no particular order. */
  *entries(user: number): Generator<{ item: number; flags: number }> {
    for (let at = this.tables.start(user); at < this.tables.end(user); at++) {
      const item = this.tables.key(at);
      if (item !== NONE) yield { item, flags: this.tables.flags(at) };
    }
  }
}
