/** A queued version. A deletion has no content. */
export interface Version<Content> {
  readonly content: Content | undefined;
}

export type Latest<Content> = (id: string) => Content | undefined;

/**
 * The latest content of items or users, on which new versions build.
 *
 * It includes queued versions, which are in neither the state nor the store.
 */
export class Versions<Content> {
  private readonly pending = new Map<string, Version<Content>>();
  /** Number of failed commits. Content that was read before a failure may be wrong, and must be read again. */
  failures = 0;

  /** @param readApplied reads the applied versions of identifiers, and leaves out those without one */
  constructor(private readonly readApplied: (ids: readonly string[]) => Promise<Map<string, Content>>) {}

  get(id: string): Version<Content> | undefined {
    return this.pending.get(id);
  }

  entries(): Iterable<readonly [id: string, version: Version<Content>]> {
    return this.pending;
  }

  /** Queues a version. @returns what to call when it has been applied */
  set(id: string, content: Content | undefined): () => void {
    const version = { content };
    this.pending.set(id, version);
    return () => {
      // A newer one stays queued.
      if (this.pending.get(id) === version) this.pending.delete(id);
    };
  }

  /**
   * Reads the latest versions of identifiers. Shows versions that are set later, too.
   *
   * Nothing else may set versions until the caller has set its own. Versions that are applied meanwhile are handled;
   * after a failure the caller reads again.
   */
  async read(ids: readonly string[]): Promise<Latest<Content>> {
    const captured = new Map<string, Version<Content>>();
    const applied: string[] = [];
    for (const id of ids) {
      const version = this.pending.get(id);
      if (version === undefined) applied.push(id);
      else captured.set(id, version);
    }
    const stored = applied.length === 0 ? new Map<string, Content>() : await this.readApplied(applied);
    return (id) => {
      const version = this.pending.get(id) ?? captured.get(id);
      return version === undefined ? stored.get(id) : version.content;
    };
  }

  reset(): void {
    this.pending.clear();
    this.failures++;
  }
}
