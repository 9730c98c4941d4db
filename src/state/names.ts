import { type Key, NONE } from './change.ts';
import { Dictionary } from './dictionary.ts';
import { grown } from './growable.ts';

/**
 * The three names of a user or item: its public identifier, the key that the store gave it, and its
 * ordinal in memory. Keys are dense, so key → ordinal is an array.
 */
export class Names {
  private readonly dictionary = new Dictionary();
  private key_of = new Uint32Array(64);
  /** ordinal + 1; 0 is unknown or erased. */
  private ordinal_of = new Uint32Array(64);
  /** The key that the next new name gets: above every key ever used. */
  next_key: Key = 0;

  /** Keys below `key` were given once, even if nobody bears them any more. */
  skipTo(key: Key): void {
    this.next_key = Math.max(this.next_key, key);
  }

  /** Ordinals given out so far, forgotten ones included. */
  get size(): number {
    return this.dictionary.size;
  }

  /** Gives `key` its identifier. A name that is known already keeps its first key. */
  add(key: Key, id: string): void {
    if (key >= this.next_key) this.next_key = key + 1;
    if (this.dictionary.find(id) !== NONE) return;
    const ordinal = this.dictionary.intern(id);
    this.key_of = grown(this.key_of, ordinal + 1);
    this.ordinal_of = grown(this.ordinal_of, key + 1);
    this.key_of[ordinal] = key;
    this.ordinal_of[key] = ordinal + 1;
  }

  /** The ordinal of an identifier, NONE when unknown. */
  find(id: string): number {
    return this.dictionary.find(id);
  }

  /** The ordinal of a key, NONE when it was never named or has been forgotten. */
  ordinal(key: Key): number {
    return key >= 0 && key < this.ordinal_of.length ? this.ordinal_of[key] - 1 : NONE;
  }

  key(ordinal: number): Key {
    return this.key_of[ordinal];
  }

  id(ordinal: number): string {
    return this.dictionary.id(ordinal);
  }

  /** Forgets identifier and key; the ordinal stays used so that stale references stay harmless. */
  forget(ordinal: number): void {
    this.dictionary.remove(ordinal);
    this.ordinal_of[this.key_of[ordinal]] = 0;
  }
}
