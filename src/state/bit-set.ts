import { grown } from './growable.ts';

/** A set of small integers, a bit for each up to the largest. */
export class BitSet {
  private words = new Uint32Array(64);

  has(member: number): boolean {
    const word = member >>> 5;
    return word < this.words.length && ((this.words[word] >>> (member & 31)) & 1) === 1;
  }

  add(member: number): void {
    const word = member >>> 5;
    this.words = grown(this.words, word + 1);
    this.words[word] |= 1 << (member & 31);
  }

  /** O(the largest member). */
  clear(): void {
    this.words.fill(0);
  }
}
