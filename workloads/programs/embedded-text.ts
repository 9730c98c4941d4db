import type { Random } from '../../src/clock.ts';

/** Words of made-up syllables, all different. */
export class Words {
  private readonly made = new Set<string>();

  constructor(private readonly random: Random) {}

  some(count: number): string[] {
    return Array.from({ length: count }, () => this.word());
  }

  private word(): string {
    for (;;) {
      let word = '';
      const syllables = 2 + Math.floor(this.random() * 2);
      for (let at = 0; at < syllables; at++)
        word +=
          letterOf('bdfgklmnprstvz', this.random) +
          letterOf('aeiou', this.random) +
          letterOf('lnrst', this.random);
      if (this.made.has(word)) continue;
      this.made.add(word);
      return word;
    }
  }
}

function letterOf(letters: string, random: Random): string {
  return letters[Math.floor(random() * letters.length)];
}

/**
 * The embedding of a text by hashing its words and their groups of three letters into `length` numbers.
 *
 * It knows nothing of what words mean, so it is worse than any model, and anybody can compute it.
 */
export function hashedEmbedding(text: string, length: number): Int8Array {
  const sums = new Float64Array(length);
  const add = (part: string, amount: number): void => {
    const hash = Number(Bun.hash.xxHash32(part));
    sums[(hash >>> 1) % length] += (hash & 1) === 1 ? amount : -amount;
  };
  for (const word of text.split(' ')) {
    add(word, 2);
    const padded = ` ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) add(padded.slice(at, at + 3), 1);
  }
  const largest = sums.reduce((most, number) => Math.max(most, Math.abs(number)), 1);
  return Int8Array.from(sums, (number) => Math.round((127 * number) / largest));
}

/** As an item's content has it. */
export function encoded(embedding: Int8Array): string {
  return Buffer.from(embedding.buffer).toString('base64');
}
