import { CHANGES_KEPT, ChangeRing } from '../columns/change-ring.ts';
import { Dictionary, type DictionaryLimits } from '../columns/dictionary.ts';
import { grown } from '../columns/growable.ts';
import { KeyMap } from '../columns/key-map.ts';
import type { HashKey } from '../columns/keyed-hash.ts';
import { type Key, NONE } from '../model/key.ts';

/** The three names of a user or item: the public identifier, the key in the store, and the ordinal in memory. */
export class Names {
  private readonly dictionary: Dictionary;
  private key_of = new Uint32Array(64);
  private readonly ordinal_of = new KeyMap();
  /** The ordinals that were assigned last. */
  private readonly latest = new ChangeRing();
  /** The number of named ordinals that were not forgotten. */
  count = 0;
  /** The key that the next new name gets. It is above every key ever used. */
  next_key: Key = 0;

  constructor(hash_key?: HashKey, limits?: DictionaryLimits) {
    this.dictionary = new Dictionary(hash_key, limits);
  }

  get in_use(): number {
    return this.dictionary.count;
  }

  get id_bytes(): number {
    return this.dictionary.live_bytes;
  }

  /** Marks keys below `key` as used, even if no name has them any more. */
  skipTo(key: Key): void {
    this.next_key = Math.max(this.next_key, key);
  }

  get size(): number {
    return this.dictionary.size;
  }

  get released(): number {
    return this.dictionary.released;
  }

  get given(): number {
    return this.latest.version;
  }

  /**
   * The ordinals of all names after the first `given`, possibly repeated, including forgotten ones.
   *
   * Undefined if there are more than `CHANGES_KEPT`.
   */
  givenSince(given: number): number[] | undefined {
    return this.given - given > CHANGES_KEPT ? undefined : this.latest.since(given, CHANGES_KEPT);
  }

  /** The memory of identifiers and keys in bytes, including unused space. */
  get size_bytes(): number {
    return this.dictionary.size_bytes + this.ordinal_of.size_bytes;
  }

  /** Assigns an identifier to `key`. A known identifier keeps its first key. */
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

  find(id: string): number {
    return this.dictionary.find(id);
  }

  /** The ordinal of a key. NONE if it was never named or has been forgotten. */
  ordinal(key: Key): number {
    return this.ordinal_of.get(key);
  }

  /** Whether an ordinal was named and not forgotten. */
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

  /** Whether an identifier begins with this text in UTF-8. False if it was forgotten. */
  startsWith(ordinal: number, prefix: Uint8Array): boolean {
    return this.dictionary.startsWith(ordinal, prefix);
  }

  /** Compares two identifiers by code unit. Negative if `one` comes first. */
  compare(one: number, other: number): number {
    return this.dictionary.compare(one, other);
  }

  /** Forgets the identifier and the key. The ordinal stays reserved, so stale references are harmless. */
  forget(ordinal: number): void {
    this.dictionary.remove(ordinal);
    this.ordinal_of.delete(this.key_of[ordinal]);
    this.count--;
  }

  /** Makes a forgotten ordinal reusable. There must be no more references to it. */
  release(ordinal: number): void {
    this.dictionary.release(ordinal);
  }
}
