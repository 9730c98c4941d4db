import { NONE } from '../plugin/index.ts';
import { grown } from './growable.ts';
import { EncodedText, FIXED_HASH_KEY, type HashKey, halfSipHash } from './keyed-hash.ts';
import { TEXT_BYTES_MAX, TextArena, textBytes } from './text-arena.ts';

/** The number of cached strings. A power of two. */
const CACHED = 4096;
/** The maximum number of strings. A table with twice as many slots fits into one array. */
const COUNT_MAX = 2 ** 28;

export interface DictionaryLimits {
  /** Maximum number of strings, including those with unreleased ordinals. */
  count_max?: number;
  /** Maximum bytes of all strings, measured by `textBytes`. */
  bytes_max?: number;
}

/**
 * Maps strings to dense ordinals and back.
 *
 * It stores UTF-8 bytes in an arena, with open addressing over 32-bit hashes. An identifier of 20 characters takes
 * about 40 bytes, in a Map 140. A removed ordinal is reused only after its release. Strings must be well-formed Unicode
 * (the ingest API rejects others).
 */
export class Dictionary {
  static readonly transient = ['probe', 'cached', 'cached_of', 'count_max', 'bytes_max'];
  size = 0;
  private arena = new TextArena();
  private readonly free: number[] = [];
  /** For each ordinal, the position of its string in the arena. */
  private position = new Uint32Array(64);
  private hash = new Int32Array(64);
  private length_bytes = new Uint16Array(64);
  /** ordinal + 1; 0 means empty. */
  private table = new Int32Array(128);
  private filled = 0;
  private readonly key_low: number;
  private readonly key_high: number;
  private readonly probe = new EncodedText();
  /** A cache of recently read strings and their ordinals, since a few are read very often. */
  private readonly cached: string[] = new Array(CACHED).fill('');
  private readonly cached_of = new Int32Array(CACHED).fill(NONE);

  private readonly count_max: number;
  private readonly bytes_max: number;

  /** @param key the key of the hashes; must be secret if untrusted clients choose strings */
  constructor([low, high]: HashKey = FIXED_HASH_KEY, limits: DictionaryLimits = {}) {
    this.key_low = low;
    this.key_high = high;
    this.count_max = limits.count_max ?? COUNT_MAX;
    this.bytes_max = limits.bytes_max ?? TEXT_BYTES_MAX;
  }

  get count(): number {
    return this.size - this.free.length;
  }

  get live_bytes(): number {
    return this.arena.live_bytes;
  }

  find(id: string): number {
    this.probe.set(id);
    return this.lookup(this.hashOfProbe());
  }

  /**
   * The ordinal of `id`, assigned now if `id` is new.
   * @throws RangeError if a limit is reached; nothing has changed then
   */
  intern(id: string): number {
    this.probe.set(id);
    const hash = this.hashOfProbe();
    const known = this.lookup(hash);
    if (known !== NONE) return known;
    this.requireRoom();
    if ((this.filled + 1) * 10 > this.table.length * 7) this.rehash();
    this.position = grown(this.position, this.size + 1);
    this.hash = grown(this.hash, this.size + 1);
    this.length_bytes = grown(this.length_bytes, this.size + 1);
    const position = this.store();
    const ordinal = this.free.pop() ?? this.size++;
    this.cached_of[ordinal & (CACHED - 1)] = NONE;
    this.position[ordinal] = position;
    this.length_bytes[ordinal] = this.probe.length_bytes;
    this.hash[ordinal] = hash;
    this.place(ordinal);
    return ordinal;
  }

  id(ordinal: number): string {
    const place = ordinal & (CACHED - 1);
    if (this.cached_of[place] !== ordinal) {
      const length = this.length_bytes[ordinal];
      this.cached[place] = length > 0 ? this.arena.text(this.position[ordinal], length) : '';
      this.cached_of[place] = ordinal;
    }
    return this.cached[place];
  }

  /**
   * Compares two strings by code unit, as `<` does. Negative if `one` comes first.
   *
   * It decodes only strings whose first difference is not ASCII, so most ties allocate no strings.
   */
  compare(one: number, other: number): number {
    const { arena, position, length_bytes } = this;
    const [of_one, of_other] = [arena.bytesOf(position[one]), arena.bytesOf(position[other])];
    const [start, other_start] = [arena.startOf(position[one]), arena.startOf(position[other])];
    const length = Math.min(length_bytes[one], length_bytes[other]);
    for (let at = 0; at < length; at++) {
      const byte = of_one[start + at];
      const that = of_other[other_start + at];
      if (byte === that) continue;
      if ((byte | that) < 128) return byte - that;
      return this.id(one) < this.id(other) ? -1 : 1;
    }
    return length_bytes[one] - length_bytes[other];
  }

  /** Whether the string of an ordinal begins with this text in UTF-8. False if it was removed. */
  startsWith(ordinal: number, prefix: Uint8Array): boolean {
    const { length } = prefix;
    const length_bytes = this.length_bytes[ordinal];
    if (length_bytes === 0 || length_bytes < length) return false;
    const position = this.position[ordinal];
    const bytes = this.arena.bytesOf(position);
    const start = this.arena.startOf(position);
    for (let at = 0; at < length; at++) if (bytes[start + at] !== prefix[at]) return false;
    return true;
  }

  holds(ordinal: number): boolean {
    return this.length_bytes[ordinal] > 0;
  }

  /** Forgets the string of an ordinal and overwrites its bytes. The ordinal stays reserved. */
  remove(ordinal: number): void {
    if (!this.holds(ordinal)) return;
    this.arena.remove(this.position[ordinal], this.length_bytes[ordinal]);
    this.takeOut(ordinal);
    this.cached_of[ordinal & (CACHED - 1)] = NONE;
    this.cached[ordinal & (CACHED - 1)] = '';
    this.position[ordinal] = 0;
    this.length_bytes[ordinal] = 0;
    this.hash[ordinal] = 0;
  }

  /** Makes a removed ordinal reusable. There must be no more references to it. */
  release(ordinal: number): void {
    this.free.push(ordinal);
  }

  get released(): number {
    return this.free.length;
  }

  get size_bytes(): number {
    return this.arena.size_bytes;
  }

  /** With the columns and the hash table. */
  get memory_bytes(): number {
    const { arena, position, hash, length_bytes, table } = this;
    return (
      arena.size_bytes + position.byteLength + hash.byteLength + length_bytes.byteLength + table.byteLength
    );
  }

  private requireRoom(): void {
    const bytes = this.live_bytes + textBytes(this.probe.length_bytes);
    if (this.count + 1 > this.count_max || bytes > this.bytes_max)
      throw new RangeError(`the dictionary is full: ${this.count} strings with ${this.live_bytes} bytes`);
  }

  private hashOfProbe(): number {
    return halfSipHash(this.probe.words, this.probe.length_bytes, this.key_low, this.key_high);
  }

  private lookup(hash: number): number {
    const { table, probe } = this;
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const ordinal = table[slot] - 1;
      if (ordinal < 0) return NONE;
      if (this.hash[ordinal] !== hash || this.length_bytes[ordinal] !== probe.length_bytes) continue;
      if (this.arena.equals(this.position[ordinal], probe)) return ordinal;
    }
  }

  /** Adds the string in `probe` to the arena. Compacts the arena first if it must grow and is mostly dead. */
  private store(): number {
    const { arena, probe } = this;
    const grows = !arena.hasRoom(probe.length_words);
    if ((grows && arena.is_mostly_dead) || !arena.fits(probe.length_words)) this.compact();
    return this.arena.add(probe);
  }

  /** O(all strings). */
  private compact(): void {
    const compacted = new TextArena(this.arena.room_words);
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      if (!this.holds(ordinal)) continue;
      this.position[ordinal] = compacted.addFrom(
        this.arena,
        this.position[ordinal],
        this.length_bytes[ordinal],
      );
    }
    this.arena = compacted;
  }

  private place(ordinal: number): void {
    const mask = this.table.length - 1;
    let slot = this.hash[ordinal] & mask;
    while (this.table[slot] !== 0) slot = (slot + 1) & mask;
    this.table[slot] = ordinal + 1;
    this.filled++;
  }

  /** Removes an ordinal from the table and moves displaced entries back. O(1). */
  private takeOut(ordinal: number): void {
    const mask = this.table.length - 1;
    let hole = this.hash[ordinal] & mask;
    while (this.table[hole] !== ordinal + 1) hole = (hole + 1) & mask;
    for (let slot = (hole + 1) & mask; this.table[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.hash[this.table[slot] - 1] & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      this.table[hole] = this.table[slot];
      hole = slot;
    }
    this.table[hole] = 0;
    this.filled--;
  }

  private rehash(): void {
    this.table = new Int32Array(this.table.length * 4);
    this.filled = 0;
    for (let ordinal = 0; ordinal < this.size; ordinal++) if (this.holds(ordinal)) this.place(ordinal);
  }
}
