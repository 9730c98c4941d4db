/** A set of integers from 0. Memory: one bit per integer up to the largest. */
export class BitSet {
  private words = new Uint32Array(64);

  has(member: number): boolean {
    const word = member >>> 5;
    return word < this.words.length && ((this.words[word] >>> (member & 31)) & 1) === 1;
  }

  add(member: number): void {
    const word = member >>> 5;
    if (word >= this.words.length) {
      const larger = new Uint32Array(Math.max(word + 1, this.words.length * 2));
      larger.set(this.words);
      this.words = larger;
    }
    this.words[word] |= 1 << (member & 31);
  }

  /** O(the largest member). */
  clear(): void {
    this.words.fill(0);
  }
}
