import { valuesById } from '../plugin/host-rules.ts';
import { type IdMap, type IdSet, NONE, type Ordinal } from '../plugin/index.ts';

/** Public identifiers and their ordinals, as the state gives them out. */
export interface NamesView {
  /** Names given so far. */
  readonly given: number;
  /** The ordinals of all names but the first `given`; undefined when those are too many to be remembered. */
  givenSince(given: number): Ordinal[] | undefined;
  find(id: string): Ordinal;
  /** '' for one that was forgotten. */
  id(ordinal: Ordinal): string;
}

/**
 * Values by identifier, found by ordinal; brought up to date whenever names were given since the last look:
 * identifiers stay wanted, since one that was erased may come back under another ordinal, and its former
 * ordinal may be given to another.
 */
export class LiveIdMap<T> implements IdMap<T> {
  private readonly wanted: Map<string, T>;
  private readonly values = new Map<Ordinal, T>();
  /** So many of the names that were given have been looked at. */
  private known = 0;

  constructor(
    private readonly names: NamesView,
    entries: Iterable<readonly [string, T]>,
  ) {
    this.wanted = valuesById(entries);
  }

  get(ordinal: Ordinal): T | undefined {
    if (this.known !== this.names.given) this.catchUp();
    return this.values.get(ordinal);
  }

  /** O(new names) or O(identifiers), whichever are fewer. */
  private catchUp(): void {
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

/** The ordinals of a set of identifiers. */
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
