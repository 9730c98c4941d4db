import { type Key, NONE } from './change.ts';
import { CHANGES_KEPT, ChangeRing } from './change-ring.ts';
import { Dictionary, type DictionaryLimits } from './dictionary.ts';
import { grown } from './growable.ts';
import { KeyMap } from './key-map.ts';
import type { HashKey } from './keyed-hash.ts';

/**
 * The three names of a user or item: its public identifier, the key that the store gave it, and its
 * ordinal in memory.
 */
export class Names {
  private readonly dictionary: Dictionary;
  private key_of = new Uint32Array(64);
  private readonly ordinal_of = new KeyMap();
  /** The ordinals that were given last. */
  private readonly latest = new ChangeRing();
  /** Named and not forgotten. */
  count = 0;
  /** The key that the next new name gets: above every key ever used. */
  next_key: Key = 0;

  /** As of `Dictionary`. */
  constructor(hash_key?: HashKey, limits?: DictionaryLimits) {
    this.dictionary = new Dictionary(hash_key, limits);
  }

  /** Ordinals that cannot be given to others. */
  get in_use(): number {
    return this.dictionary.count;
  }

  /** Bytes of all identifiers, each as of `textBytes`. */
  get id_bytes(): number {
    return this.dictionary.live_bytes;
  }

  /** Keys below `key` were given once, even if nobody bears them any more. */
  skipTo(key: Key): void {
    this.next_key = Math.max(this.next_key, key);
  }

  /** Ordinals below this were given out, forgotten and released ones included. */
  get size(): number {
    return this.dictionary.size;
  }

  /** Ordinals that wait to be given out again. */
  get released(): number {
    return this.dictionary.released;
  }

  /** Names given so far. */
  get given(): number {
    return this.latest.version;
  }

  /**
   * The ordinals of all names but the first `given`, perhaps repeated, forgotten ones included; undefined when
   * those are more than `CHANGES_KEPT`.
   */
  givenSince(given: number): number[] | undefined {
    return this.given - given > CHANGES_KEPT ? undefined : this.latest.since(given, CHANGES_KEPT);
  }

  /** What identifiers and keys take, unused room included. */
  get size_bytes(): number {
    return this.dictionary.size_bytes + this.ordinal_of.size_bytes;
  }

  /**
   * Gives `key` its identifier. A name that is known already keeps its first key.
   * @returns the ordinal, NONE when the name was known
   */
  add(key: Key, id: string): number {
    if (key >= this.next_key) this.next_key = key + 1;
    if (this.dictionary.find(id) !== NONE) return NONE;
    const ordinal = this.dictionary.intern(id);
    this.key_of = grown(this.key_of, ordinal + 1);
    this.key_of[ordinal] = key;
    this.ordinal_of.set(key, ordinal);
    this.latest.note(ordinal);
    this.count++;
    return ordinal;
  }

  /** The ordinal of an identifier, NONE when unknown. */
  find(id: string): number {
    return this.dictionary.find(id);
  }

  /** The ordinal of a key, NONE when it was never named or has been forgotten. */
  ordinal(key: Key): number {
    return this.ordinal_of.get(key);
  }

  /** Whether an ordinal is somebody's: it was named and not forgotten. */
  holds(ordinal: number): boolean {
    return this.dictionary.holds(ordinal);
  }

  key(ordinal: number): Key {
    return this.key_of[ordinal];
  }

  keysOf(ordinals: readonly number[]): Uint32Array<ArrayBuffer> {
    const keys = new Uint32Array(ordinals.length);
    for (let at = 0; at < ordinals.length; at++) keys[at] = this.key_of[ordinals[at]];
    return keys;
  }

  id(ordinal: number): string {
    return this.dictionary.id(ordinal);
  }

  /** The order of two identifiers by code unit: negative when `one` comes first. */
  compare(one: number, other: number): number {
    return this.dictionary.compare(one, other);
  }

  /** Forgets identifier and key; the ordinal stays used so that stale references stay harmless. */
  forget(ordinal: number): void {
    this.dictionary.remove(ordinal);
    this.ordinal_of.delete(this.key_of[ordinal]);
    this.count--;
  }

  /** Nothing refers to an ordinal that was forgotten any more: it may be given out again. */
  release(ordinal: number): void {
    this.dictionary.release(ordinal);
  }
}
