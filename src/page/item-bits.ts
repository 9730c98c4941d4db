import { grown } from '../columns/growable.ts';
import type { Ordinal, Reached } from '../plugin/index.ts';
import { Accumulator, type Entries } from '../signals/accumulator.ts';

/** A reusable buffer for entries. Its content is valid until the next use. */
export class EntriesScratch {
  ordinals = new Int32Array(1024);
  weights = new Float64Array(1024);
  /** The bytes of `weights` as integers. */
  halves = new Int32Array(this.weights.buffer);

  reserve(length: number): void {
    if (length <= this.ordinals.length) return;
    this.ordinals = grown(this.ordinals, length);
    this.weights = grown(this.weights, this.ordinals.length);
    this.halves = new Int32Array(this.weights.buffer);
  }
}

/** A set of items as one bit per ordinal. It is small enough for the processor's cache. */
export class ItemBits {
  size = 0;
  private words = new Int32Array(32);

  /** @param scratch the buffer for results of `among`; may be shared */
  constructor(private readonly scratch: EntriesScratch) {}

  get bytes(): number {
    return this.words.byteLength;
  }

  has(item: Ordinal): boolean {
    const word = item >>> 5;
    return word < this.words.length && ((this.words[word] >>> (item & 31)) & 1) === 1;
  }

  put(item: Ordinal, is_in: boolean): void {
    if (this.has(item) === is_in) return;
    this.words = grown(this.words, (item >>> 5) + 1);
    this.words[item >>> 5] ^= 1 << (item & 31);
    this.size += is_in ? 1 : -1;
  }

  clear(): void {
    this.words.fill(0);
    this.size = 0;
  }

  /** All items of the set, by ordinal. O(all items / 32). */
  items(): Ordinal[] {
    const items: Ordinal[] = [];
    for (let word = 0; word < this.words.length; word++) {
      for (let bits = this.words[word]; bits !== 0; bits &= bits - 1) {
        items.push(32 * word + 31 - Math.clz32(bits & -bits));
      }
    }
    return items;
  }

  /** The reached items that are in the set, valid until the next use of the buffer. O(reached), 1 to 2 ns each. */
  among(reached: Reached): Entries {
    this.scratch.reserve(reached.size);
    const { ordinals, weights, halves } = this.scratch;
    let end = 0;
    if (reached instanceof Accumulator) {
      const all = reached.entries;
      for (let place = all.start; place < all.end; place++) {
        const item = all.ordinals[place];
        if (!this.has(item)) continue;
        ordinals[end] = item;
        weights[end++] = all.weights[place];
      }
    } else {
      reached.forEach((item, weight) => {
        if (!this.has(item)) return;
        ordinals[end] = item;
        weights[end++] = weight;
      });
    }
    return { ordinals, weights, halves, start: 0, end };
  }
}
