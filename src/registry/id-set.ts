import { type IdSet, NONE, type Ordinal } from '../plugin/index.ts';

/** Public identifiers and their ordinals, as the state gives them out. */
export interface NamesView {
  /** Ordinals given out so far. */
  readonly size: number;
  find(id: string): Ordinal;
  /** '' for one that was forgotten. */
  id(ordinal: Ordinal): string;
}

/**
 * Ordinals of a set of identifiers, brought up to date whenever new names were given out since the last
 * look: identifiers stay wanted, since one that was erased may come back under another ordinal.
 */
export class LiveIdSet implements IdSet {
  private readonly wanted: Set<string>;
  private readonly ordinals = new Set<Ordinal>();
  /** Names below this have been looked at. */
  private known_size = 0;

  constructor(
    private readonly names: NamesView,
    ids: Iterable<string>,
  ) {
    this.wanted = new Set(ids);
    for (const id of this.wanted) if (typeof id !== 'string') throw new Error('identifiers must be texts');
  }

  has(ordinal: Ordinal): boolean {
    if (this.known_size !== this.names.size) this.catchUp();
    return this.ordinals.has(ordinal);
  }

  /** O(new names) or O(identifiers), whichever are fewer. */
  private catchUp(): void {
    const { names, wanted, ordinals } = this;
    if (names.size - this.known_size > wanted.size) {
      for (const id of wanted) ordinals.add(names.find(id));
      ordinals.delete(NONE);
    } else {
      for (let ordinal = this.known_size; ordinal < names.size; ordinal++) {
        if (wanted.has(names.id(ordinal))) ordinals.add(ordinal);
      }
    }
    this.known_size = names.size;
  }
}
