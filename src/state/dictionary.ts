import { NONE } from './change.ts';
import { EncodedText } from './encoded-text.ts';
import { grown } from './growable.ts';
import { FIXED_HASH_KEY, type HashKey, halfSipHash } from './keyed-hash.ts';
import { TEXT_BYTES_MAX, TextArena, textBytes } from './text-arena.ts';

/** Strings that are kept ready: a power of two. */
const KEPT = 4096;
/** Strings at most: the table of twice as many slots fits into one array. */
const COUNT_MAX = 2 ** 28;

export interface DictionaryLimits {
  /** Strings, those whose ordinals were not released included. */
  count_max?: number;
  /** Of all strings, each as of `textBytes`. */
  bytes_max?: number;
}

/**
 * Strings ↔ dense ordinals: UTF-8 bytes in an arena, open addressing over 32-bit hashes. About 40 bytes
 * for an identifier of 20 characters, where a Map takes 140. An ordinal that was removed is not given out
 * again before it is released. Strings must be well-formed Unicode (the ingest API refuses others).
 */
export class Dictionary {
  static readonly transient = ['asked', 'kept', 'kept_of', 'count_max', 'bytes_max'];
  /** Ordinals below this were given out, removed and released ones included. */
  size = 0;
  private arena = new TextArena();
  private readonly free: number[] = [];
  /** Of each ordinal its string's position in the arena. */
  private position = new Uint32Array(64);
  private hash = new Int32Array(64);
  private length_bytes = new Uint16Array(64);
  /** ordinal + 1; 0 is empty. */
  private table = new Int32Array(128);
  private filled = 0;
  private readonly key_low: number;
  private readonly key_high: number;
  /** The string at hand. */
  private readonly asked = new EncodedText();
  /** Strings that were asked for lately, as a few are asked for again and again, and whose they are. */
  private readonly kept: string[] = new Array(KEPT).fill('');
  private readonly kept_of = new Int32Array(KEPT).fill(NONE);

  private readonly count_max: number;
  private readonly bytes_max: number;

  /** @param key what strings are hashed with: secret where strangers choose them */
  constructor([low, high]: HashKey = FIXED_HASH_KEY, limits: DictionaryLimits = {}) {
    this.key_low = low;
    this.key_high = high;
    this.count_max = limits.count_max ?? COUNT_MAX;
    this.bytes_max = limits.bytes_max ?? TEXT_BYTES_MAX;
  }

  /** Ordinals in use, those that were removed and not released included. */
  get count(): number {
    return this.size - this.free.length;
  }

  /** Bytes of all strings, each as of `textBytes`. */
  get live_bytes(): number {
    return this.arena.live_bytes;
  }

  /** The ordinal of `id`, NONE when it is not there. */
  find(id: string): number {
    this.asked.set(id);
    return this.lookup(this.hashOfAsked());
  }

  /** The ordinal of `id`, given out now when it is new. @throws RangeError when there is no room; nothing has changed then */
  intern(id: string): number {
    this.asked.set(id);
    const hash = this.hashOfAsked();
    const known = this.lookup(hash);
    if (known !== NONE) return known;
    this.requireRoom();
    if ((this.filled + 1) * 10 > this.table.length * 7) this.rehash();
    this.position = grown(this.position, this.size + 1);
    this.hash = grown(this.hash, this.size + 1);
    this.length_bytes = grown(this.length_bytes, this.size + 1);
    const position = this.store();
    const ordinal = this.free.pop() ?? this.size++;
    this.kept_of[ordinal & (KEPT - 1)] = NONE;
    this.position[ordinal] = position;
    this.length_bytes[ordinal] = this.asked.length_bytes;
    this.hash[ordinal] = hash;
    this.place(ordinal);
    return ordinal;
  }

  /** The string of an ordinal; '' when it was removed. */
  id(ordinal: number): string {
    const place = ordinal & (KEPT - 1);
    if (this.kept_of[place] !== ordinal) {
      const length = this.length_bytes[ordinal];
      this.kept[place] = length > 0 ? this.arena.text(this.position[ordinal], length) : '';
      this.kept_of[place] = ordinal;
    }
    return this.kept[place];
  }

  /**
   * The order of two strings by code unit, as `<` has it: negative when `one` comes first. Only strings that first differ
   * in what is not ASCII are decoded, so ties leave no strings behind.
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

  /** The ordinal has a string. */
  holds(ordinal: number): boolean {
    return this.length_bytes[ordinal] > 0;
  }

  /** Forgets the string of an ordinal for good and overwrites its bytes; the ordinal stays used. */
  remove(ordinal: number): void {
    if (!this.holds(ordinal)) return;
    this.arena.remove(this.position[ordinal], this.length_bytes[ordinal]);
    this.takeOut(ordinal);
    this.kept_of[ordinal & (KEPT - 1)] = NONE;
    this.kept[ordinal & (KEPT - 1)] = '';
    this.position[ordinal] = 0;
    this.length_bytes[ordinal] = 0;
    this.hash[ordinal] = 0;
  }

  /** An ordinal that was removed may be given out again: nothing refers to it any more. */
  release(ordinal: number): void {
    this.free.push(ordinal);
  }

  /** Ordinals that wait to be given out again. */
  get released(): number {
    return this.free.length;
  }

  /** Bytes that strings take, the unused and the dead included. */
  get size_bytes(): number {
    return this.arena.size_bytes;
  }

  private requireRoom(): void {
    const bytes = this.live_bytes + textBytes(this.asked.length_bytes);
    if (this.count + 1 > this.count_max || bytes > this.bytes_max)
      throw new RangeError(`${this.count} strings of ${this.live_bytes} bytes are as many as there may be`);
  }

  private hashOfAsked(): number {
    return halfSipHash(this.asked.words, this.asked.length_bytes, this.key_low, this.key_high);
  }

  /** The ordinal of the string at hand, NONE when it is not there. */
  private lookup(hash: number): number {
    const { table, asked } = this;
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const ordinal = table[slot] - 1;
      if (ordinal < 0) return NONE;
      if (this.hash[ordinal] !== hash || this.length_bytes[ordinal] !== asked.length_bytes) continue;
      if (this.arena.equals(this.position[ordinal], asked)) return ordinal;
    }
  }

  /** Puts the string at hand into the arena; where more of that is dead than alive, it is made anew before it grows. */
  private store(): number {
    const { arena, asked } = this;
    const grows = !arena.hasRoom(asked.length_words);
    if ((grows && arena.is_mostly_dead) || !arena.fits(asked.length_words)) this.compact();
    return this.arena.add(asked);
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

  /** Takes an ordinal out of the table and moves those that had to go past it back. O(1). */
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
