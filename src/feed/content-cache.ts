/**
 * Contents by the `seq` of their version, read from the store in bulk and kept while they are used: two
 * generations of at most `capacity` entries, the older dropped when the younger is full. A version never
 * changes, so nothing is ever invalidated.
 */
export class ContentCache<Content> {
  private young = new Map<number, Content>();
  private old = new Map<number, Content>();

  constructor(
    private readonly capacity: number,
    private readonly read: (seqs: readonly number[], given_up?: AbortSignal) => Promise<Map<number, Content>>,
  ) {}

  /**
   * The contents of some versions; those that are gone are left out.
   * @param given_up aborted when nobody waits for them any more
   * @throws what reading fails with
   */
  async get(seqs: readonly number[], given_up?: AbortSignal): Promise<Map<number, Content>> {
    const found = new Map<number, Content>();
    const missing: number[] = [];
    for (const seq of seqs) {
      const content = this.young.get(seq) ?? this.old.get(seq);
      if (content === undefined) missing.push(seq);
      else this.keep(seq, content, found);
    }
    if (missing.length === 0) return found;
    for (const [seq, content] of await this.read(missing, given_up)) this.keep(seq, content, found);
    return found;
  }

  private keep(seq: number, content: Content, found: Map<number, Content>): void {
    found.set(seq, content);
    if (this.young.size >= this.capacity) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(seq, content);
  }
}
