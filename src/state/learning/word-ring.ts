const CHUNK_BITS = 16;
/** 256 kB. */
const CHUNK_WORDS = 1 << CHUNK_BITS;

/**
 * A queue of records of 32-bit words, each with its length first, in chunks that come and go. A position is valid until
 * its record is dropped.
 */
export class WordRing {
  private readonly chunks = new Map<number, Int32Array>();
  /** The positions of the oldest record and of the next one. */
  first = 0;
  private end = 0;
  count = 0;

  constructor(private readonly chunks_max: number) {}

  get size_bytes(): number {
    return this.chunks.size * CHUNK_WORDS * 4;
  }

  static readonly MASK: number = CHUNK_WORDS - 1;
  static readonly LONGEST: number = CHUNK_WORDS;

  /** The words around a position, which is at `at & WordRing.MASK`. */
  words(at: number): Int32Array {
    return this.chunks.get(at >>> CHUNK_BITS)!;
  }

  /** Whether a record fits before older ones are dropped. */
  fits(length: number): boolean {
    return this.count === 0 || this.isInChunk(length) || !this.chunks.has(this.next_chunk);
  }

  /** Appends a record of zeros but for its length. It must fit. @returns its position */
  add(length: number): number {
    if (this.count === 0) {
      this.chunks.clear();
      this.first = 0;
      this.end = 0;
    }
    if (!this.isInChunk(length)) {
      const chunk = this.next_chunk;
      this.chunks.set(chunk, new Int32Array(CHUNK_WORDS));
      this.end = chunk << CHUNK_BITS;
    }
    const at = this.end;
    this.words(at)[at & WordRing.MASK] = length;
    this.end = at + length;
    if ((this.end & WordRing.MASK) === 0)
      this.end = ((this.end >>> CHUNK_BITS) % this.chunks_max) << CHUNK_BITS;
    this.count++;
    return at;
  }

  /** Drops the oldest record. */
  drop(): void {
    const { first } = this;
    const words = this.words(first);
    const next = first + words[first & WordRing.MASK];
    this.first = next;
    if (--this.count === 0 || ((next & WordRing.MASK) !== 0 && words[next & WordRing.MASK] !== 0)) return;
    const chunk = first >>> CHUNK_BITS;
    this.chunks.delete(chunk);
    this.first = ((chunk + 1) % this.chunks_max) << CHUNK_BITS;
  }

  /** Whether a record fits behind the last one, in its chunk. */
  private isInChunk(length: number): boolean {
    const used = this.end & WordRing.MASK;
    return used > 0 && used + length <= CHUNK_WORDS;
  }

  private get next_chunk(): number {
    const chunk = this.end >>> CHUNK_BITS;
    return (this.end & WordRing.MASK) === 0 ? chunk : (chunk + 1) % this.chunks_max;
  }
}
