import type { BitSet } from '../bit-set.ts';
import { EncodedText, FIXED_HASH_KEY, type HashKey, halfSipHash } from '../columns/keyed-hash.ts';
import { Slabs } from '../columns/slabs.ts';
import { joinTime, msPart, secondsPart } from '../columns/time.ts';
import { NONE } from '../model/key.ts';

/** A bit of the `low` column above the milliseconds. */
const REMOVED = 1 << 13;

/** The last known event of a comment: when it was made or removed. */
export interface CommentFact {
  time: number;
  removed: boolean;
}

export interface StoredComment {
  hash_a: number;
  hash_b: number;
  seconds: number;
  low: number;
}

/** Changes the key for the second hash of an identifier. */
const SECOND_KEY = 0x2b5ad7c1;

/**
 * The comments with an `event_id` of each user, 18 bytes each.
 *
 * Identifiers are stored as two keyed 32-bit hashes. Lookups are O(the user's comments with identifiers).
 */
export class CommentIds {
  static readonly transient = ['probe'];
  private readonly slabs: Slabs<ReturnType<typeof newColumns>>;
  private readonly key_low: number;
  private readonly key_high: number;
  private readonly probe = new EncodedText();

  /** @param hash_key the key of the hashes; must be secret if untrusted clients choose identifiers */
  constructor([low, high]: HashKey = FIXED_HASH_KEY, comments_max?: number) {
    this.key_low = low;
    this.key_high = high;
    this.slabs = new Slabs(newColumns(), { elements_max: comments_max });
  }

  get size(): number {
    return this.slabs.size;
  }

  /** Undefined if the comment is unknown. */
  fact(user: number, item: number, event_id: string): CommentFact | undefined {
    const at = this.find(user, item, event_id);
    if (at === NONE) return undefined;
    const { seconds, low } = this.slabs.columns;
    return { time: joinTime(seconds[at], low[at]), removed: (low[at] & REMOVED) !== 0 };
  }

  set(user: number, item: number, event_id: string, time: number, removed: boolean): void {
    let at = this.find(user, item, event_id);
    if (at === NONE) {
      at = this.slabs.insert(user, 0);
      this.slabs.columns.item[at] = item;
      this.slabs.columns.hash_a[at] = this.hash(0);
      this.slabs.columns.hash_b[at] = this.hash(SECOND_KEY);
    }
    this.slabs.columns.seconds[at] = secondsPart(time);
    this.slabs.columns.low[at] = msPart(time) | (removed ? REMOVED : 0);
  }

  /** The user's comments on an item from a time on. O(the user's comments). */
  from(user: number, item: number, time: number): StoredComment[] {
    const { item: items, hash_a, hash_b, seconds, low } = this.slabs.columns;
    const found: StoredComment[] = [];
    for (let at = this.slabs.start(user); at < this.slabs.end(user); at++) {
      if (items[at] !== item || joinTime(seconds[at], low[at]) < time) continue;
      found.push({ hash_a: hash_a[at], hash_b: hash_b[at], seconds: seconds[at], low: low[at] });
    }
    return found;
  }

  restore(user: number, item: number, comments: readonly StoredComment[]): void {
    for (const comment of comments) {
      const at = this.slabs.insert(user, 0);
      const { columns } = this.slabs;
      columns.item[at] = item;
      columns.hash_a[at] = comment.hash_a;
      columns.hash_b[at] = comment.hash_b;
      columns.seconds[at] = comment.seconds;
      columns.low[at] = comment.low;
    }
  }

  clearItems(user: number, items: BitSet): void {
    this.slabs.filter(user, (at) => !items.has(this.slabs.columns.item[at]));
  }

  clear(user: number): void {
    this.slabs.clear(user);
  }

  private find(user: number, item: number, event_id: string): number {
    this.probe.set(event_id);
    const { item: items, hash_a: hashes_a, hash_b: hashes_b } = this.slabs.columns;
    const hash_a = this.hash(0);
    const hash_b = this.hash(SECOND_KEY);
    const start = this.slabs.start(user);
    for (let at = this.slabs.end(user) - 1; at >= start; at--) {
      if (hashes_a[at] === hash_a && hashes_b[at] === hash_b && items[at] === item) return at;
    }
    return NONE;
  }

  private hash(key_change: number): number {
    const { probe, key_low, key_high } = this;
    return halfSipHash(probe.words, probe.length_bytes, key_low ^ key_change, key_high);
  }
}

function newColumns() {
  return {
    item: new Uint32Array(64),
    hash_a: new Int32Array(64),
    hash_b: new Int32Array(64),
    seconds: new Uint32Array(64),
    low: new Uint16Array(64),
  };
}
