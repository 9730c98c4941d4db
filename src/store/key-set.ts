import type { Key } from '../state/change.ts';

/** A set of keys, a bit for each key up to the highest. */
export class KeySet {
  private bits = new Uint32Array(1024);
  size = 0;

  has(key: Key): boolean {
    return (((this.bits[key >>> 5] ?? 0) >>> (key & 31)) & 1) === 1;
  }

  add(key: Key): void {
    if (this.has(key)) return;
    const word = key >>> 5;
    if (word >= this.bits.length) {
      const larger = new Uint32Array(Math.max(word + 1, this.bits.length * 2));
      larger.set(this.bits);
      this.bits = larger;
    }
    this.bits[word] |= 1 << (key & 31);
    this.size++;
  }
}
