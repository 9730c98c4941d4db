import { EncodedText, type HashKey, halfSipHash } from '../columns/keyed-hash.ts';
import { LIMITS } from '../limits.ts';
import type { Space } from '../model/key.ts';

/** The maximum number of remembered deletions of items, or of users. The oldest is dropped early. A power of two. */
const COUNT_MAX = 2 ** 26;
const CAPACITY_MIN = 64;

/** A remembered deletion. Times in seconds. */
export interface Tombstone {
  /** Acts and deletions with an earlier time are ignored. */
  deleted_at: number;
  /** Versions from this time on are accepted. 0: all versions and acts are accepted again. */
  versions_from: number;
}

/** A keyed hash of 64 bits as two signed 32-bit integers. */
export interface IdHash {
  low: number;
  high: number;
}

/** The inputs that the keys of each space are hashed from, and the number of keys per space. */
const KEY_INPUT = 16;
const KEYS_PER_SPACE = 4;
const SPACE_NUMBER: Readonly<Record<Space, number>> = { user: 0, item: 1 };

/**
 * Deletions of items or users, for deliveries out of order.
 *
 * A tombstone holds a keyed hash instead of the identifier. It takes 28 bytes, and 8 for its place in the hash table.
 * Tombstones are in a ring in the order in which they were set, so the oldest is at the head. If an identifier gets a
 * new tombstone, the old one is removed from the table, and from the ring when it reaches the head.
 */
export class Tombstones {
  static readonly transient = ['probe', 'keys', 'count_max'];
  private low = new Int32Array(CAPACITY_MIN);
  private high = new Int32Array(CAPACITY_MIN);
  private deleted_at = new Float64Array(CAPACITY_MIN);
  private versions_from = new Float64Array(CAPACITY_MIN);
  /** The time when each was set, in whole seconds. */
  private set_at = new Uint32Array(CAPACITY_MIN);
  /** Open addressing with linear probing: index in the ring + 1; 0 means empty. */
  private table = new Int32Array(2 * CAPACITY_MIN);
  private head = 0;
  /** Entries of the ring, including replaced ones. */
  private length = 0;
  size = 0;
  private readonly probe = new EncodedText();
  private readonly keys: readonly number[];

  /** @param count_max a power of two */
  constructor(
    hash_key: HashKey,
    space: Space,
    private readonly count_max: number = COUNT_MAX,
  ) {
    const [low, high] = hash_key;
    const first = KEY_INPUT + KEYS_PER_SPACE * SPACE_NUMBER[space];
    this.keys = Array.from({ length: KEYS_PER_SPACE }, (_, index) =>
      halfSipHash(new Int32Array([first + index]), 4, low, high),
    );
  }

  hash(id: string): IdHash {
    const { probe, keys } = this;
    probe.set(id);
    return {
      low: halfSipHash(probe.words, probe.length_bytes, keys[0], keys[1]),
      high: halfSipHash(probe.words, probe.length_bytes, keys[2], keys[3]),
    };
  }

  find(hash: IdHash, now: number): Tombstone | undefined {
    const at = this.table[this.slot(hash)] - 1;
    if (at < 0 || this.isOver(at, now)) return undefined;
    return { deleted_at: this.deleted_at[at], versions_from: this.versions_from[at] };
  }

  set(hash: IdHash, { deleted_at, versions_from }: Tombstone, applied_at: number): void {
    if (this.length === this.low.length) this.makeRoom();
    const at = (this.head + this.length++) & (this.low.length - 1);
    this.low[at] = hash.low;
    this.high[at] = hash.high;
    this.deleted_at[at] = deleted_at;
    this.versions_from[at] = versions_from;
    this.set_at[at] = applied_at;
    const slot = this.slot(hash);
    if (this.table[slot] === 0) this.size++;
    this.table[slot] = at + 1;
  }

  expire(now: number): void {
    while (this.length > 0 && this.isOver(this.head, now)) this.dropOldest();
  }

  private isOver(at: number, now: number): boolean {
    return this.set_at[at] + LIMITS.tombstone_seconds <= now;
  }

  private dropOldest(): void {
    const { head } = this;
    const slot = this.slot({ low: this.low[head], high: this.high[head] });
    if (this.table[slot] === head + 1) {
      this.vacate(slot);
      this.size--;
    }
    this.low[head] = 0;
    this.high[head] = 0;
    this.deleted_at[head] = 0;
    this.versions_from[head] = 0;
    this.set_at[head] = 0;
    this.head = (head + 1) & (this.low.length - 1);
    this.length--;
  }

  /** The slot of an identifier, or the free slot for it. */
  private slot({ low, high }: IdHash): number {
    const mask = this.table.length - 1;
    let slot = low & mask;
    for (; this.table[slot] !== 0; slot = (slot + 1) & mask) {
      const at = this.table[slot] - 1;
      if (this.low[at] === low && this.high[at] === high) break;
    }
    return slot;
  }

  /** Empties a slot, and moves up later entries that would not be found otherwise. */
  private vacate(emptied: number): void {
    const mask = this.table.length - 1;
    let hole = emptied;
    for (let slot = (hole + 1) & mask; this.table[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.low[this.table[slot] - 1] & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      this.table[hole] = this.table[slot];
      hole = slot;
    }
    this.table[hole] = 0;
  }

  private makeRoom(): void {
    if (this.low.length >= this.count_max) {
      this.dropOldest();
      return;
    }
    this.low = this.unrolled(this.low);
    this.high = this.unrolled(this.high);
    this.deleted_at = this.unrolled(this.deleted_at);
    this.versions_from = this.unrolled(this.versions_from);
    this.set_at = this.unrolled(this.set_at);
    this.head = 0;
    this.table = new Int32Array(2 * this.low.length);
    // A later tombstone of the same identifier replaces the former one.
    for (let at = 0; at < this.length; at++) {
      this.table[this.slot({ low: this.low[at], high: this.high[at] })] = at + 1;
    }
  }

  /** The columns of the ring with the head at 0, twice as long. */
  private unrolled<T extends Int32Array | Uint32Array | Float64Array>(column: T): T {
    const make = column.constructor as new (length: number) => T;
    const longer = new make(2 * column.length);
    longer.set(column.subarray(this.head));
    longer.set(column.subarray(0, this.head), column.length - this.head);
    return longer;
  }
}
