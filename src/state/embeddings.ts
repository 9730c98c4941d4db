import { grown } from '../columns/growable.ts';
import { NONE } from '../model/key.ts';

/** Slots are freed when fewer than this share of them is used. Smaller numbers of slots are kept. */
const USED_SHARE_MIN = 1 / 4;
const SLOTS_KEPT = 4_096;

interface Watcher {
  /** Called with the slot of an embedding that was set, replaced or removed. */
  onChange(slot: number): void;
  /** Called when embeddings got other slots. */
  onMove(): void;
}

/**
 * The embeddings of items, as 8-bit integers.
 *
 * Vectors lie in slots, one behind the other in one array, so items without an embedding take 4 bytes or nothing. The
 * slots of removed embeddings are reused, and freed when most embeddings were removed. All vectors have the same length, which the first one decides. When the last
 * one is removed, the next may have another length, for example that of another model.
 */
export class Embeddings {
  static readonly transient = ['watchers'];
  /** The numbers of each vector. 0 while no item has an embedding. */
  length = 0;
  /** The number of items with an embedding. */
  count = 0;
  /** All vectors. The one in slot s begins at s × `length`. Replaced when it grows. */
  vectors = new Int8Array(0);
  /** One over the length in space of each vector; 0 for an unused slot. */
  private inverse_norms = new Float32Array(0);
  /** The item in each slot + 1. */
  private item_in = new Int32Array(0);
  /** The slot of each item + 1. */
  private slot_of = new Int32Array(0);
  private readonly free: number[] = [];
  /** Slots below this have been used. */
  private slots_used = 0;
  private readonly watchers: Watcher[] = [];

  /** Slots below this have been used. Some may be unused now (`itemIn`). */
  get slots(): number {
    return this.slots_used;
  }

  slotOf(item: number): number {
    return item >= 0 && item < this.slot_of.length ? this.slot_of[item] - 1 : NONE;
  }

  itemIn(slot: number): number {
    return slot < this.slots_used ? this.item_in[slot] - 1 : NONE;
  }

  /** The cosine similarity of the vectors in two used slots, from -1 to 1. O(length). */
  similarity(slot: number, other: number): number {
    const { vectors, inverse_norms, length } = this;
    let at = slot * length;
    let to = other * length;
    const end = at + length;
    let even = 0;
    let odd = 0;
    // Two sums, so that additions need not wait for each other.
    for (const pairs_end = end - 1; at < pairs_end; at += 2, to += 2) {
      even = (even + Math.imul(vectors[at], vectors[to])) | 0;
      odd = (odd + Math.imul(vectors[at + 1], vectors[to + 1])) | 0;
    }
    if (at < end) even += vectors[at] * vectors[to];
    return (even + odd) * inverse_norms[slot] * inverse_norms[other];
  }

  /** The embedding of an item in base64. Undefined if it has none. O(length). */
  encoded(item: number): string | undefined {
    const slot = this.slotOf(item);
    if (slot === NONE) return undefined;
    const { vectors, length } = this;
    return Buffer.from(vectors.buffer, slot * length, length).toString('base64');
  }

  watch(onChange: Watcher['onChange'], onMove: Watcher['onMove'] = () => {}): () => void {
    const watcher = { onChange, onMove };
    this.watchers.push(watcher);
    return () => {
      this.watchers.splice(this.watchers.indexOf(watcher), 1);
    };
  }

  /**
   * Sets or replaces the embedding of an item. Undefined removes it.
   *
   * A vector of another length than the others is not kept. Ingest rejects such records, so a fold meets none.
   * @param encoded base64 of 8-bit integers that are not all 0
   */
  set(item: number, encoded: string | undefined): void {
    if (encoded === undefined) {
      this.clear(item);
      return;
    }
    const bytes = Buffer.from(encoded, 'base64');
    const vector = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const known = this.slotOf(item);
    if (known !== NONE && this.holds(known, vector)) return;
    this.clear(item);
    if (this.length === 0) this.length = vector.length;
    if (this.length === vector.length) this.put(item, vector);
  }

  clear(item: number): void {
    const slot = this.slotOf(item);
    if (slot === NONE) return;
    this.slot_of[item] = 0;
    this.item_in[slot] = 0;
    this.inverse_norms[slot] = 0;
    this.vectors.fill(0, slot * this.length, (slot + 1) * this.length);
    this.free.push(slot);
    this.count--;
    for (const { onChange } of this.watchers) onChange(slot);
    if (this.count === 0) this.reset();
    else if (this.slots_used > SLOTS_KEPT && this.count < USED_SHARE_MIN * this.slots_used)
      this.moveTogether();
  }

  private put(item: number, vector: Int8Array): void {
    const slot = this.free.pop() ?? this.slots_used++;
    this.vectors = grown(this.vectors, (slot + 1) * this.length);
    this.inverse_norms = grown(this.inverse_norms, slot + 1);
    this.item_in = grown(this.item_in, slot + 1);
    this.slot_of = grown(this.slot_of, item + 1);
    this.vectors.set(vector, slot * this.length);
    let squares = 0;
    for (const number of vector) squares += number * number;
    this.inverse_norms[slot] = 1 / Math.sqrt(squares);
    this.item_in[slot] = item + 1;
    this.slot_of[item] = slot + 1;
    this.count++;
    for (const { onChange } of this.watchers) onChange(slot);
  }

  private holds(slot: number, vector: Int8Array): boolean {
    if (vector.length !== this.length) return false;
    const start = slot * this.length;
    return vector.every((number, at) => this.vectors[start + at] === number);
  }

  private moveTogether(): void {
    const { vectors, inverse_norms, item_in, slot_of, length } = this;
    let to = 0;
    for (let slot = 0; slot < this.slots_used; slot++) {
      const item = item_in[slot] - 1;
      if (item === NONE) continue;
      vectors.copyWithin(to * length, slot * length, (slot + 1) * length);
      inverse_norms[to] = inverse_norms[slot];
      item_in[to] = item + 1;
      slot_of[item] = ++to;
    }
    this.vectors = vectors.slice(0, to * length);
    this.inverse_norms = inverse_norms.slice(0, to);
    this.item_in = item_in.slice(0, to);
    this.free.length = 0;
    this.slots_used = to;
    for (const { onMove } of this.watchers) onMove();
  }

  private reset(): void {
    this.length = 0;
    this.vectors = new Int8Array(0);
    this.inverse_norms = new Float32Array(0);
    this.item_in = new Int32Array(0);
    this.slot_of = new Int32Array(0);
    this.free.length = 0;
    this.slots_used = 0;
    for (const { onMove } of this.watchers) onMove();
  }
}
