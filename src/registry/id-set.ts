import { type IdMap, type IdSet, NONE, type Ordinal } from '../plugin/index.ts';

/** Public identifiers and their ordinals, as the state gives them out. */
export interface NamesView {
  /** Ordinals given out so far. */
  readonly size: number;
  find(id: string): Ordinal;
  /** '' for one that was forgotten. */
  id(ordinal: Ordinal): string;
}

/**
 * Values by identifier, found by ordinal; brought up to date whenever new names were given out since the last
 * look: identifiers stay wanted, since one that was erased may come back under another ordinal.
 */
export class LiveIdMap<T> implements IdMap<T> {
  private readonly wanted: Map<string, T>;
  private readonly values = new Map<Ordinal, T>();
  /** Names below this have been looked at. */
  private known_size = 0;

  constructor(
    private readonly names: NamesView,
    entries: Iterable<readonly [string, T]>,
  ) {
    this.wanted = new Map(entries);
    for (const id of this.wanted.keys())
      if (typeof id !== 'string') throw new Error('identifiers must be texts');
  }

  get(ordinal: Ordinal): T | undefined {
    if (this.known_size !== this.names.size) this.catchUp();
    return this.values.get(ordinal);
  }

  /** O(new names) or O(identifiers), whichever are fewer. */
  private catchUp(): void {
    const { names, wanted, values } = this;
    if (names.size - this.known_size > wanted.size) {
      for (const [id, value] of wanted) values.set(names.find(id), value);
      values.delete(NONE);
    } else {
      for (let ordinal = this.known_size; ordinal < names.size; ordinal++) {
        const value = wanted.get(names.id(ordinal));
        if (value !== undefined) values.set(ordinal, value);
      }
    }
    this.known_size = names.size;
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
