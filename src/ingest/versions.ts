/** A version that is on its way to the store; no content: a deletion. */
export interface Version<Content> {
  readonly content: Content | undefined;
}

/** The latest version of an identifier; undefined without one. */
export type Latest<Content> = (id: string) => Content | undefined;

/**
 * The latest version of every item's or user's content, including those that are on their way to the
 * store, which neither state nor store know yet: what the next version builds on.
 */
export class Versions<Content> {
  private readonly pending = new Map<string, Version<Content>>();
  /** Commits that failed: what was read before the last of them may build on what never came. */
  failures = 0;

  /** @param readApplied the applied versions of some identifiers; those without one are left out */
  constructor(private readonly readApplied: (ids: readonly string[]) => Promise<Map<string, Content>>) {}

  /** The version under way, if any. */
  get(id: string): Version<Content> | undefined {
    return this.pending.get(id);
  }

  /** Every version under way, by identifier. */
  entries(): Iterable<readonly [id: string, version: Version<Content>]> {
    return this.pending;
  }

  set(id: string, content: Content | undefined): Version<Content> {
    const version = { content };
    this.pending.set(id, version);
    return version;
  }

  /** A version has been applied; a newer one stays pending. */
  applied(id: string, version: Version<Content>): void {
    if (this.pending.get(id) === version) this.pending.delete(id);
  }

  /**
   * Reads what versions of these identifiers build on, and does `work` in the same turn. The caller lets nobody else
   * set versions before it has set its own; what is under way may be applied meanwhile, or fail, and both are
   * taken care of.
   */
  async withLatest<T>(ids: readonly string[], work: (latest: Latest<Content>) => T): Promise<T> {
    for (;;) {
      const { failures } = this;
      const captured = new Map<string, Version<Content>>();
      const applied: string[] = [];
      for (const id of ids) {
        const version = this.pending.get(id);
        if (version === undefined) applied.push(id);
        else captured.set(id, version);
      }
      const stored = await this.readApplied(applied);
      if (failures !== this.failures) continue;
      return work((id) => {
        const version = this.pending.get(id) ?? captured.get(id);
        return version === undefined ? stored.get(id) : version.content;
      });
    }
  }

  /** A commit failed: nothing that was pending will come. */
  reset(): void {
    this.pending.clear();
    this.failures++;
  }
}
