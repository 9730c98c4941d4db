import type { BitSet } from '../bit-set.ts';
import { NONE } from './change.ts';
import { Slabs } from './slabs.ts';
import { joinTime, msPart, secondsPart } from './time.ts';

/** Bit of the `low` column above the milliseconds. */
const REMOVED = 1 << 13;

/** What is known of a comment: when it was last said to have happened, or to have been taken back. */
export interface CommentFact {
  time: number;
  removed: boolean;
}

/**
 * Each user's comments with an `event_id`. Identifiers are kept as two independent 32-bit hashes:
 * 18 bytes each. O(the user's comments with identifiers).
 */
export class CommentIds {
  private readonly slabs = new Slabs({
    item: new Uint32Array(64),
    hash_a: new Int32Array(64),
    hash_b: new Int32Array(64),
    seconds: new Uint32Array(64),
    low: new Uint16Array(64),
  });

  /** Undefined when the comment is not known. */
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
      this.slabs.columns.hash_a[at] = hashText(event_id, 0x811c9dc5);
      this.slabs.columns.hash_b[at] = hashText(event_id, 0x2b5ad7c1);
    }
    this.slabs.columns.seconds[at] = secondsPart(time);
    this.slabs.columns.low[at] = msPart(time) | (removed ? REMOVED : 0);
  }

  /** Forgets the user's comments on some items. */
  clearItems(user: number, items: BitSet): void {
    this.slabs.filter(user, (at) => !items.has(this.slabs.columns.item[at]));
  }

  clear(user: number): void {
    this.slabs.clear(user);
  }

  private find(user: number, item: number, event_id: string): number {
    const { columns } = this.slabs;
    const hash_a = hashText(event_id, 0x811c9dc5);
    const hash_b = hashText(event_id, 0x2b5ad7c1);
    for (let at = this.slabs.end(user) - 1; at >= this.slabs.start(user); at--) {
      if (columns.item[at] === item && columns.hash_a[at] === hash_a && columns.hash_b[at] === hash_b)
        return at;
    }
    return NONE;
  }
}

function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
