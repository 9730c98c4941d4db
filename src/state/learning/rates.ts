/** Words of an entry, and those of its weights. */
const WORDS = 4;
const SHOWN = 1;
const ACTED = 2;
/** Entries of an empty table. A power of two. */
const SMALLEST = 64;
/** Entries with less weight than this part of a page are dropped when the table is full. */
const NEGLIGIBLE = 0.01;

/**
 * How often things were shown, and how often that led to an act, by their keys: 16 bytes an entry, at most half of the
 * table is used. Weights are in a unit that the owner lets grow, so that older ones count less.
 */
export class Rates {
  /** Of each entry: key + 1 as 32 bits, or 0 if it is empty; and the bits of two weights. One cache line has all of it. */
  private entries: Int32Array = new Int32Array(0);
  /** The same memory: what was shown, and what was acted on. */
  private weights: Float32Array = new Float32Array(this.entries.buffer);
  private used = 0;

  /** The number of keys. */
  get size(): number {
    return this.used;
  }

  /** Not more than was shown. */
  acted(key: number): number {
    const at = this.find(key);
    return at < 0 ? 0 : Math.max(0, Math.min(this.weights[at + SHOWN], this.weights[at + ACTED]));
  }

  /**
   * The share of times shown that led to an act, as if `prior_weight` times with the rate `prior` came before.
   * @param unit the weight of one page now
   */
  rate(key: number, prior: number, prior_weight: number, unit: number): number {
    const at = this.find(key);
    if (at < 0) return prior;
    const shown = this.weights[at + SHOWN] / unit;
    const acted = Math.max(0, Math.min(shown, this.weights[at + ACTED] / unit));
    return (acted + prior * prior_weight) / (shown + prior_weight);
  }

  /** Amortised O(1). @param unit the weight of one page now */
  add(key: number, shown: number, acted: number, unit: number): void {
    let at = this.find(key);
    if (at < 0) {
      if (2 * WORDS * (this.used + 1) > this.entries.length) this.rebuild(unit);
      at = this.place(key);
      this.entries[at] = (key + 1) | 0;
      this.used++;
    }
    this.weights[at + SHOWN] += shown;
    this.weights[at + ACTED] += acted;
  }

  /** Forgets the weights of a key. The entry goes when the table is full. */
  clear(key: number): void {
    const at = this.find(key);
    if (at >= 0) this.weights.fill(0, at + SHOWN, at + WORDS);
  }

  /** Multiplies all weights. @param factor a power of two, so that nothing is rounded */
  scale(factor: number): void {
    for (let at = 0; at < this.weights.length; at += WORDS) {
      this.weights[at + SHOWN] *= factor;
      this.weights[at + ACTED] *= factor;
    }
  }

  /** The place of a key. Negative if there is none. */
  private find(key: number): number {
    const { entries } = this;
    if (entries.length === 0) return -1;
    const at = this.place(key);
    return entries[at] === 0 ? -1 : at;
  }

  /** The place of a key, or the free one where it belongs. */
  private place(key: number): number {
    const { entries } = this;
    const mask = entries.length - 1;
    const stored = (key + 1) | 0;
    let at = (Math.imul(key, 0x9e3779b1) >>> Math.clz32(mask)) & -WORDS;
    while (entries[at] !== 0 && entries[at] !== stored) at = (at + WORDS) & mask;
    return at;
  }

  private rebuild(unit: number): void {
    const { entries, weights } = this;
    const least = NEGLIGIBLE * unit;
    let kept = 0;
    for (let at = 0; at < entries.length; at += WORDS) if (weights[at + SHOWN] > least) kept++;
    let length = SMALLEST;
    while (length < 4 * kept) length *= 2;
    this.entries = new Int32Array(WORDS * length);
    this.weights = new Float32Array(this.entries.buffer);
    this.used = kept;
    for (let from = 0; from < entries.length; from += WORDS)
      if (weights[from + SHOWN] > least)
        this.entries.set(entries.subarray(from, from + WORDS), this.place(entries[from] - 1));
  }
}
