import { type IdMap, type IdSet, NONE, type Ordinal } from '../plugin/index.ts';

/** Public identifiers and their ordinals, as the state assigns them. */
export interface NamesView {
  readonly given: number;
  /** The ordinals of all names after the first `given`. Undefined if too many to be remembered. */
  givenSince(given: number): Ordinal[] | undefined;
  find(id: string): Ordinal;
  /** '' if the name was forgotten. */
  id(ordinal: Ordinal): string;
}

/**
 * A map from identifiers to values that is read by ordinal. It is updated when names were assigned since the last
 * read.
 *
 * Identifiers stay in the map: an erased user may return with another ordinal, and the old ordinal may be reused.
 */
export class LiveIdMap<T> implements IdMap<T> {
  private readonly wanted: Map<string, T>;
  private readonly values = new Map<Ordinal, T>();
  /** The number of assigned names that are reflected. */
  private known = 0;

  /** @throws Error if an identifier is not a string */
  constructor(
    private readonly names: NamesView,
    entries: Iterable<readonly [string, T]>,
  ) {
    this.wanted = new Map(entries);
    for (const id of this.wanted.keys())
      if (typeof id !== 'string') throw new Error('identifiers must be texts');
  }

  get(ordinal: Ordinal): T | undefined {
    if (this.known !== this.names.given) this.update();
    return this.values.get(ordinal);
  }

  private update(): void {
    const { names, wanted, values } = this;
    const fresh = names.given - this.known > wanted.size ? undefined : names.givenSince(this.known);
    if (fresh === undefined) {
      values.clear();
      for (const [id, value] of wanted) values.set(names.find(id), value);
      values.delete(NONE);
    }
    for (const ordinal of fresh ?? []) {
      const value = wanted.get(names.id(ordinal));
      if (value === undefined) values.delete(ordinal);
      else values.set(ordinal, value);
    }
    this.known = names.given;
  }
}

export class LiveIdSet implements IdSet {
  private readonly members: LiveIdMap<true>;

  constructor(names: NamesView, ids: Iterable<string>) {
    this.members = new LiveIdMap(
      names,
      Array.from(ids, (id) => [id, true]),
    );
  }

  has(ordinal: Ordinal): boolean {
    return this.members.get(ordinal) === true;
  }
}
