/** Entries of an empty table. A power of two. */
const SMALLEST = 64;
/** Entries with less weight than this part of a page are dropped when the table is full. */
const NEGLIGIBLE = 0.01;

/**
 * How often things were shown, and how often that led to an act, by their keys: 20 bytes an entry, at most half of the
 * table is used. Weights are in a unit that the owner lets grow, so that older ones count less.
 */
export class Rates {
  /** key + 1, as 32 bits; 0: empty. */
  private keys: Int32Array = new Int32Array(0);
  /** For each entry what was shown, and what was acted on. */
  private weights: Float64Array = new Float64Array(0);
  private used = 0;

  /** The number of keys. */
  get size(): number {
    return this.used;
  }

  get size_bytes(): number {
    return this.keys.byteLength + this.weights.byteLength;
  }

  shown(key: number): number {
    const at = this.find(key);
    return at < 0 ? 0 : this.weights[2 * at];
  }

  /** Not more than was shown. */
  acted(key: number): number {
    const at = this.find(key);
    return at < 0 ? 0 : Math.max(0, Math.min(this.weights[2 * at], this.weights[2 * at + 1]));
  }

  /**
   * The share of times shown that led to an act, as if `prior_weight` times with the rate `prior` came before.
   * @param unit the weight of one page now
   */
  rate(key: number, prior: number, prior_weight: number, unit: number): number {
    const at = this.find(key);
    if (at < 0) return prior;
    const shown = this.weights[2 * at] / unit;
    const acted = Math.max(0, Math.min(shown, this.weights[2 * at + 1] / unit));
    return (acted + prior * prior_weight) / (shown + prior_weight);
  }

  /** Amortised O(1). @param unit the weight of one page now */
  add(key: number, shown: number, acted: number, unit: number): void {
    let at = this.find(key);
    if (at < 0) {
      if (2 * (this.used + 1) > this.keys.length) this.rebuild(unit);
      at = this.free(key);
      this.keys[at] = (key + 1) | 0;
      this.used++;
    }
    this.weights[2 * at] += shown;
    this.weights[2 * at + 1] += acted;
  }

  /** Forgets the weights of a key. The entry goes when the table is full. */
  clear(key: number): void {
    const at = this.find(key);
    if (at >= 0) this.weights.fill(0, 2 * at, 2 * at + 2);
  }

  /** Multiplies all weights. @param factor a power of two, so that nothing is rounded */
  scale(factor: number): void {
    for (let at = 0; at < this.weights.length; at++) this.weights[at] *= factor;
  }

  /** The place of a key. Negative if there is none. */
  private find(key: number): number {
    const { keys } = this;
    if (keys.length === 0) return -1;
    const at = this.free(key);
    return keys[at] === 0 ? -1 : at;
  }

  /** The place of a key, or the free one where it belongs. */
  private free(key: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    const stored = (key + 1) | 0;
    let at = Math.imul(key, 0x9e3779b1) >>> Math.clz32(mask);
    while (keys[at] !== 0 && keys[at] !== stored) at = (at + 1) & mask;
    return at;
  }

  private rebuild(unit: number): void {
    const { keys, weights } = this;
    const least = NEGLIGIBLE * unit;
    let kept = 0;
    for (let at = 0; at < keys.length; at++) if (weights[2 * at] > least) kept++;
    let length = SMALLEST;
    while (length < 4 * kept) length *= 2;
    this.keys = new Int32Array(length);
    this.weights = new Float64Array(2 * length);
    this.used = kept;
    for (let from = 0; from < keys.length; from++) {
      if (!(weights[2 * from] > least)) continue;
      const at = this.free(keys[from] - 1);
      this.keys[at] = keys[from];
      this.weights.set(weights.subarray(2 * from, 2 * from + 2), 2 * at);
    }
  }
}
