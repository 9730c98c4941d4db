import { NONE } from './change.ts';
import { grown } from './growable.ts';

/** Strings that are kept ready: a power of two. */
const KEPT = 4096;

/**
 * Strings ↔ dense ordinals: UTF-8 bytes in one arena, open addressing over 32-bit hashes. About 40 bytes
 * for an identifier of 20 characters, where a Map takes 140. An ordinal that was removed is not given out
 * again before it is released. Strings must be well-formed Unicode (the ingest API refuses others).
 */
export class Dictionary {
  static readonly transient = ['scratch', 'kept', 'kept_of'];
  /** Ordinals below this were given out, removed and released ones included. */
  size = 0;
  private bytes = Buffer.alloc(1024);
  private bytes_used = 0;
  /** Of these, bytes of removed strings. */
  private bytes_dead = 0;
  private readonly free: number[] = [];
  private start = new Uint32Array(64);
  private hash = new Int32Array(64);
  private length_bytes = new Uint16Array(64);
  /** ordinal + 1; 0 is empty. */
  private table = new Int32Array(128);
  private filled = 0;
  private scratch = Buffer.alloc(1024);
  /** Strings that were asked for lately, as a few are asked for again and again, and whose they are. */
  private readonly kept: string[] = new Array(KEPT).fill('');
  private readonly kept_of = new Int32Array(KEPT).fill(NONE);

  /** The ordinal of `id`, NONE when it is not there. */
  find(id: string): number {
    const length = this.encode(id);
    return this.lookup(hashBytes(this.scratch, length), length);
  }

  /** The ordinal of `id`, given out now when it is new. */
  intern(id: string): number {
    const length = this.encode(id);
    const hash = hashBytes(this.scratch, length);
    const known = this.lookup(hash, length);
    if (known !== NONE) return known;
    if ((this.filled + 1) * 10 > this.table.length * 7) this.rehash();
    const ordinal = this.free.pop() ?? this.size++;
    this.kept_of[ordinal & (KEPT - 1)] = NONE;
    this.start = grown(this.start, this.size);
    this.hash = grown(this.hash, this.size);
    this.length_bytes = grown(this.length_bytes, this.size);
    this.store(length);
    this.start[ordinal] = this.bytes_used - length;
    this.length_bytes[ordinal] = length;
    this.hash[ordinal] = hash;
    this.place(ordinal);
    return ordinal;
  }

  /** The string of an ordinal; '' when it was removed. */
  id(ordinal: number): string {
    const place = ordinal & (KEPT - 1);
    if (this.kept_of[place] !== ordinal) {
      const start = this.start[ordinal];
      this.kept[place] = this.bytes.toString('utf8', start, start + this.length_bytes[ordinal]);
      this.kept_of[place] = ordinal;
    }
    return this.kept[place];
  }

  /**
   * The order of two strings by code unit, as `<` has it: negative when `one` comes first. Only strings that first differ
   * in what is not ASCII are decoded, so ties leave no strings behind.
   */
  compare(one: number, other: number): number {
    const { bytes, start, length_bytes } = this;
    const of_one = start[one];
    const of_other = start[other];
    const length = Math.min(length_bytes[one], length_bytes[other]);
    for (let at = 0; at < length; at++) {
      const byte = bytes[of_one + at];
      const that = bytes[of_other + at];
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
    const start = this.start[ordinal];
    this.bytes.fill(0, start, start + this.length_bytes[ordinal]);
    this.bytes_dead += this.length_bytes[ordinal];
    this.takeOut(ordinal);
    this.kept_of[ordinal & (KEPT - 1)] = NONE;
    this.kept[ordinal & (KEPT - 1)] = '';
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
    return this.bytes.length;
  }

  private lookup(hash: number, length: number): number {
    const mask = this.table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const ordinal = this.table[slot] - 1;
      if (ordinal < 0) return NONE;
      if (
        this.hash[ordinal] === hash &&
        this.length_bytes[ordinal] === length &&
        this.matches(ordinal, length)
      ) {
        return ordinal;
      }
    }
  }

  private matches(ordinal: number, length: number): boolean {
    const start = this.start[ordinal];
    for (let at = 0; at < length; at++) {
      if (this.bytes[start + at] !== this.scratch[at]) return false;
    }
    return length > 0;
  }

  /** Writes `id` into the scratch buffer as UTF-8 and returns its length in bytes. */
  private encode(id: string): number {
    const length = id.length;
    if (length * 3 > this.scratch.length) this.scratch = Buffer.alloc(length * 6);
    const scratch = this.scratch;
    for (let at = 0; at < length; at++) {
      const code = id.charCodeAt(at);
      if (code > 127) return scratch.write(id, 'utf8');
      scratch[at] = code;
    }
    return length;
  }

  private store(length: number): void {
    if (this.bytes_used + length > this.bytes.length) this.makeRoom(length);
    this.scratch.copy(this.bytes, this.bytes_used, 0, length);
    this.bytes_used += length;
  }

  /** Twice as many bytes; or as many without the dead, where those are more than half. O(bytes). */
  private makeRoom(length: number): void {
    const { bytes, bytes_used } = this;
    if (this.bytes_dead * 2 <= bytes_used) {
      this.bytes = Buffer.alloc(bytes.length * 2 + length);
      bytes.copy(this.bytes, 0, 0, bytes_used);
      return;
    }
    this.bytes = Buffer.alloc(Math.max(bytes.length, bytes_used - this.bytes_dead + length));
    this.bytes_used = 0;
    this.bytes_dead = 0;
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      if (!this.holds(ordinal)) continue;
      const start = this.start[ordinal];
      this.start[ordinal] = this.bytes_used;
      this.bytes_used += bytes.copy(this.bytes, this.bytes_used, start, start + this.length_bytes[ordinal]);
    }
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

/** FNV-1a with a final mix, as a signed 32-bit integer. */
function hashBytes(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
