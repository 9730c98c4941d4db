import type { EncodedText } from './keyed-hash.ts';

/** Positions count words of 4 bytes: 32 bits reach 16 GiB. */
const WORD_BYTES = 4;
/** The maximum size of a chunk in words, 16 MiB. Growing never copies more than that. */
const CHUNK_BITS = 22;
const CHUNK_WORDS = 2 ** CHUNK_BITS;
const OFFSET_MASK = CHUNK_WORDS - 1;
const FIRST_WORDS = 256;
/** The number of chunks that positions can address. */
const CHUNKS_MAX = 2 ** (32 - CHUNK_BITS);

/** Maximum bytes of live texts: seven eighths of the memory, so that a compacted arena has an eighth to spare. */
export const TEXT_BYTES_MAX = (7 / 8) * CHUNKS_MAX * CHUNK_WORDS * WORD_BYTES;

/** The memory of a text of this length in bytes. */
export function textBytes(length_bytes: number): number {
  return wordsOf(length_bytes) * WORD_BYTES;
}

/**
 * Short texts as UTF-8, stored consecutively in chunks and aligned to words.
 *
 * The last chunk doubles until it is full. A removed text is overwritten at once. Its memory is reclaimed when the
 * owner of the positions copies the remaining texts into a new arena.
 */
export class TextArena {
  private readonly bytes: Buffer[] = [];
  /** The same memory as `bytes`. */
  private readonly words: Int32Array[] = [];
  /** Used words of the last chunk. */
  private last_words = 0;
  private live_words = 0;
  private dead_words = 0;

  /** @param first_words the capacity of the first chunk */
  constructor(first_words = FIRST_WORDS) {
    this.addChunk(first_words);
  }

  get size_bytes(): number {
    return this.bytes.reduce((sum, { length }) => sum + length, 0);
  }

  get live_bytes(): number {
    return this.live_words * WORD_BYTES;
  }

  get is_mostly_dead(): boolean {
    return this.dead_words > this.live_words;
  }

  get room_words(): number {
    return this.words[this.words.length - 1].length;
  }

  hasRoom(length_words: number): boolean {
    return this.last_words + length_words <= this.room_words;
  }

  fits(length_words: number): boolean {
    return this.words.length < CHUNKS_MAX || this.last_words + length_words <= CHUNK_WORDS;
  }

  /** Adds a text. Amortised O(length). @returns its position @throws RangeError if all chunks are full */
  add({ words, length_words }: EncodedText): number {
    return this.copyIn(words, 0, length_words);
  }

  /** Adds a text of another arena. @returns its position in this one @throws as `add` */
  addFrom(other: TextArena, position: number, length_bytes: number): number {
    return this.copyIn(other.words[position >>> CHUNK_BITS], position & OFFSET_MASK, wordsOf(length_bytes));
  }

  /** Overwrites a text with zeros. */
  remove(position: number, length_bytes: number): void {
    const start = position & OFFSET_MASK;
    const length_words = wordsOf(length_bytes);
    this.words[position >>> CHUNK_BITS].fill(0, start, start + length_words);
    this.live_words -= length_words;
    this.dead_words += length_words;
  }

  text(position: number, length_bytes: number): string {
    const start = (position & OFFSET_MASK) * WORD_BYTES;
    return this.bytes[position >>> CHUNK_BITS].toString('utf8', start, start + length_bytes);
  }

  /** Whether the text at a position equals a text of the same length. */
  equals(position: number, { words, length_words }: EncodedText): boolean {
    const chunk = this.words[position >>> CHUNK_BITS];
    const start = position & OFFSET_MASK;
    for (let at = 0; at < length_words; at++) if (chunk[start + at] !== words[at]) return false;
    return true;
  }

  bytesOf(position: number): Uint8Array {
    return this.bytes[position >>> CHUNK_BITS];
  }

  startOf(position: number): number {
    return (position & OFFSET_MASK) * WORD_BYTES;
  }

  private copyIn(words: Int32Array, first: number, length_words: number): number {
    if (!this.fits(length_words)) throw new RangeError('the text arena is full');
    if (this.last_words + length_words > CHUNK_WORDS) this.addChunk(FIRST_WORDS);
    const end = this.last_words + length_words;
    if (end > this.room_words) this.growLast(end);
    const index = this.words.length - 1;
    const start = this.last_words;
    const chunk = this.words[index];
    for (let at = 0; at < length_words; at++) chunk[start + at] = words[first + at];
    this.last_words = end;
    this.live_words += length_words;
    return index * CHUNK_WORDS + start;
  }

  private addChunk(room_words: number): void {
    const words = new Int32Array(room_words);
    this.words.push(words);
    this.bytes.push(Buffer.from(words.buffer));
    this.last_words = 0;
  }

  private growLast(length_words: number): void {
    const index = this.words.length - 1;
    const { buffer, length } = this.words[index];
    const larger = Math.min(CHUNK_WORDS, Math.max(2 * length, length_words));
    const words = new Int32Array((buffer as ArrayBuffer).transfer(larger * WORD_BYTES));
    this.words[index] = words;
    this.bytes[index] = Buffer.from(words.buffer);
  }
}

function wordsOf(length_bytes: number): number {
  return (length_bytes + WORD_BYTES - 1) >>> 2;
}
