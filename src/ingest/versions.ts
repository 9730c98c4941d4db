/** A queued version. A deletion has no content. */
export interface Version<Content> {
  readonly content: Content | undefined;
}

/** The latest version of an identifier; undefined if there is none. */
export type Latest<Content> = (id: string) => Content | undefined;

/**
 * The latest content of items or users, on which new versions build.
 *
 * It includes queued versions, which are in neither the state nor the store.
 */
export class Versions<Content> {
  private readonly pending = new Map<string, Version<Content>>();
  /** Number of failed commits. Content that was read before a failure may be wrong. */
  failures = 0;

  /** @param readApplied reads the applied versions of identifiers, and leaves out those without one */
  constructor(private readonly readApplied: (ids: readonly string[]) => Promise<Map<string, Content>>) {}

  /** The queued version, if there is one. */
  get(id: string): Version<Content> | undefined {
    return this.pending.get(id);
  }

  /** All queued versions, by identifier. */
  entries(): Iterable<readonly [id: string, version: Version<Content>]> {
    return this.pending;
  }

  set(id: string, content: Content | undefined): Version<Content> {
    const version = { content };
    this.pending.set(id, version);
    return version;
  }

  /** Notes an applied version. A newer one stays queued. */
  applied(id: string, version: Version<Content>): void {
    if (this.pending.get(id) === version) this.pending.delete(id);
  }

  /**
   * Reads the latest versions of identifiers, and runs `work` in the same turn.
   *
   * The caller must prevent other calls from setting versions until `work` has set its own. Versions that are applied
   * or fail meanwhile are handled.
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

  /** Forgets the queued versions after a failed commit. */
  reset(): void {
    this.pending.clear();
    this.failures++;
  }
}
