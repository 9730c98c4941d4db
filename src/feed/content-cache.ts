import { LRUCache } from 'lru-cache';

/**
 * Contents by the `seq` of their version, read from the store in bulk. A version never changes, so nothing is
 * ever invalidated.
 */
export class ContentCache<Content extends object> {
  private readonly kept: LRUCache<number, Content>;

  constructor(
    capacity: number,
    private readonly read: (seqs: readonly number[], given_up?: AbortSignal) => Promise<Map<number, Content>>,
  ) {
    this.kept = new LRUCache({ max: capacity });
  }

  /**
   * The contents of some versions; those that are gone are left out.
   * @param given_up aborted when nobody waits for them any more
   * @throws what reading fails with
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
}
