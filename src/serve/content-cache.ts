import { LRUCache } from 'lru-cache';

/** Maximum size of all cached contents as JSON text. In memory they need two to three times as much. */
const CACHED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Caches contents by the `seq` of their version, read from the store in bulk.
 *
 * Versions never change, so it needs no invalidation.
 */
export class ContentCache<Content extends object> {
  private readonly kept: LRUCache<number, Content>;
  private readonly bytes = new WeakMap<Content, number>();

  constructor(
    capacity: number,
    private readonly read: (seqs: readonly number[], given_up?: AbortSignal) => Promise<Map<number, Content>>,
    bytes_max: number = CACHED_BYTES_MAX,
  ) {
    // Counting each content as at least its share limits their number. With `max`, the cache would allocate all places.
    const share = Math.ceil(bytes_max / capacity);
    this.kept = new LRUCache({
      maxSize: bytes_max,
      sizeCalculation: (content) => Math.max(share, this.bytesOf(content)),
    });
  }

  /**
   * The contents of some versions. Missing versions are left out.
   * @param given_up aborted when the client has disconnected
   */
  async get(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, Content>> {
    const found = new Map<number, Content>();
    const missing: number[] = [];
    for (const seq of seqs) {
      const content = this.kept.get(seq);
      if (content === undefined) missing.push(seq);
      else found.set(seq, content);
    }
    if (missing.length === 0) return found;
    for (const [seq, content] of await this.read(missing, given_up)) {
      this.kept.set(seq, content);
      found.set(seq, content);
    }
    return found;
  }

  bytesOf(content: Content): number {
    const known = this.bytes.get(content);
    if (known !== undefined) return known;
    const bytes = Buffer.byteLength(JSON.stringify(content));
    this.bytes.set(content, bytes);
    return bytes;
  }
}
