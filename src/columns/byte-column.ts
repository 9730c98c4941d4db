import { grown } from './growable.ts';

/** The size of a chunk in bytes. A longer list gets its own chunk. */
const CHUNK_BYTES = 1 << 20;
/** Positions count words of 4 bytes. */
const WORD_BYTES = 4;
const CHUNK_WORDS = CHUNK_BYTES / WORD_BYTES;
/** Each list has a header with its ordinal and its length in bytes. */
const HEADER_WORDS = 2;
/** A chunk is removed if more than this share of its used memory is dead. */
const DEAD_SHARE_MAX = 0.5;

interface Chunk {
  bytes: Buffer;
  /** The same memory as `bytes`. */
  words: Uint32Array;
  used_words: number;
  dead_words: number;
}

/**
 * A list of bytes per ordinal, in chunks that never move, so growing copies nothing and is unlimited.
 *
 * Takes 16 bytes a list besides its own, rounded up to a multiple of 4, and 8 bytes for an ordinal without one.
 * Replaced and cleared lists are overwritten at once. The live lists of a mostly dead chunk move to another one, so
 * dead memory never exceeds live memory.
 */
export class ByteColumn {
  static readonly transient: readonly string[] = ['bytes', 'start', 'end'];
  /** Where the list that `find` found is, until the next change. */
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  /** Position + 1 of each list's header in words; 0 without a list. A chunk spans `CHUNK_WORDS` positions. */
  private position = new Float64Array(64);
  private readonly chunks: (Chunk | undefined)[] = [];
  private readonly free: number[] = [];
  /** The index of the current chunk. -1 before the first. */
  private open = -1;
  /** Full chunks that may be mostly dead already. */
  private readonly closed: number[] = [];

  /** Finds the list of an ordinal: `bytes` from `start` to `end`. False without one. O(1). */
  find(ordinal: number): boolean {
    if (ordinal < 0 || ordinal >= this.position.length) return false;
    const position = this.position[ordinal] - 1;
    if (position < 0) return false;
    // Faster than a remainder of numbers that may exceed 32 bits.
    const index = Math.floor(position / CHUNK_WORDS);
    const { bytes, words } = this.chunks[index]!;
    const header = position - index * CHUNK_WORDS;
    this.bytes = bytes;
    this.start = (header + HEADER_WORDS) * WORD_BYTES;
    this.end = this.start + words[header + 1];
    return true;
  }

  /** Replaces the list of an ordinal. `write` gets the place of its new bytes; no bytes forget it. Amortised O(length). */
  replace(ordinal: number, length_bytes: number, write: (bytes: Buffer, start: number) => void): void {
    this.clear(ordinal);
    if (length_bytes === 0) return;
    this.position = grown(this.position, ordinal + 1);
    const position = this.take(ordinal, length_bytes);
    write(this.chunkAt(position).bytes, ((position % CHUNK_WORDS) + HEADER_WORDS) * WORD_BYTES);
    for (let full = this.closed.pop(); full !== undefined; full = this.closed.pop()) this.tidy(full);
  }

  clear(ordinal: number): void {
    if (ordinal >= this.position.length) return;
    const position = this.position[ordinal] - 1;
    if (position < 0) return;
    const chunk = this.chunkAt(position);
    const header = position % CHUNK_WORDS;
    const words = entryWords(chunk.words[header + 1]);
    chunk.words.fill(0, header + HEADER_WORDS, header + words);
    chunk.dead_words += words;
    this.position[ordinal] = 0;
    this.tidy(Math.floor(position / CHUNK_WORDS));
  }
  get size_bytes(): number {
    let bytes = this.position.byteLength;
    for (const chunk of this.chunks) bytes += chunk?.bytes.length ?? 0;
    return bytes;
  }

  private chunkAt(position: number): Chunk {
    return this.chunks[Math.floor(position / CHUNK_WORDS)]!;
  }

  private take(ordinal: number, length_bytes: number): number {
    const words = entryWords(length_bytes);
    let chunk = this.chunks[this.open];
    if (chunk === undefined || chunk.used_words + words > chunk.words.length) {
      if (chunk !== undefined) this.closed.push(this.open);
      chunk = this.openChunk(Math.max(CHUNK_BYTES, words * WORD_BYTES));
    }
    const header = chunk.used_words;
    chunk.used_words += words;
    chunk.words[header] = ordinal;
    chunk.words[header + 1] = length_bytes;
    const position = this.open * CHUNK_WORDS + header;
    this.position[ordinal] = position + 1;
    return position;
  }

  private openChunk(length_bytes: number): Chunk {
    const bytes = Buffer.alloc(length_bytes);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length_bytes / WORD_BYTES);
    const chunk = { bytes, words, used_words: 0, dead_words: 0 };
    this.open = this.free.pop() ?? this.chunks.length;
    this.chunks[this.open] = chunk;
    return chunk;
  }

  /** Removes a chunk if it is mostly dead. O(chunk), amortised by the removed texts. */
  private tidy(index: number): void {
    const chunk = this.chunks[index];
    if (chunk === undefined || index === this.open) return;
    if (chunk.dead_words <= chunk.used_words * DEAD_SHARE_MAX) return;
    this.chunks[index] = undefined;
    for (let header = 0; header < chunk.used_words; header += entryWords(chunk.words[header + 1])) {
      const ordinal = chunk.words[header];
      if (this.position[ordinal] !== index * CHUNK_WORDS + header + 1) continue;
      this.move(chunk, header, ordinal);
    }
    this.free.push(index);
  }

  private move(from: Chunk, header: number, ordinal: number): void {
    const position = this.take(ordinal, from.words[header + 1]);
    const end = header + entryWords(from.words[header + 1]);
    const into = this.chunkAt(position);
    into.words.set(from.words.subarray(header + HEADER_WORDS, end), (position % CHUNK_WORDS) + HEADER_WORDS);
  }
}

function entryWords(length_bytes: number): number {
  return HEADER_WORDS + Math.ceil(length_bytes / WORD_BYTES);
}
