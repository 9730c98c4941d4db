import type { Meanings } from '../signals/meanings.ts';
import type { Walk } from '../signals/walk.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import type { State } from '../state/state.ts';

/** The size of a piece in words: 256 KB. Copying one takes less than a millisecond. */
const PIECE_WORDS = 65_536;
/** The number of lists to build between two slices. */
const BUILT_AT_ONCE = 16;

/** Takes the neighbour lists of a community and its index of embeddings apart, to be stored beside a checkpoint, and puts them together again. */
export class StoredLists {
  /** @param missed changes that were applied since the stored lists were taken apart */
  constructor(
    private readonly state: State,
    private readonly walk: Walk,
    private readonly meanings: Meanings,
    private readonly missed: MissedChanges,
  ) {}

  /**
   * Whether the lists reflect every change up to `seq` that makes lists invalid.
   *
   * If not, one step of the missing work is done.
   */
  reflect(seq: number): boolean {
    return this.state.seq >= seq && !this.state.is_settling && !this.walk.forgetSome();
  }

  /** Builds all missing and outdated lists. @param slice awaited at intervals */
  async complete(slice: () => Promise<void>): Promise<void> {
    for (const build of [() => this.walk.warmUp(), () => this.meanings.step()])
      for (let built = 1; build(); built++) if (built % BUILT_AT_ONCE === 0) await slice();
  }

  /** The lists in pieces. A piece is valid until the next one, and changes may be applied in between. */
  *pieces(): Generator<Int32Array<ArrayBuffer>> {
    const words = new Int32Array(PIECE_WORDS);
    for (const part of [this.walk, this.meanings]) {
      for (let from = 0; ; ) {
        const { next, used } = part.pack(from, words);
        if (used === 0) break;
        yield words.subarray(0, used);
        from = next;
      }
    }
  }

  add(piece: Int32Array): void {
    const part = this.meanings.wrote(piece) ? this.meanings : this.walk;
    part.unpack(piece, this.missed);
  }

  clear(): void {
    this.walk.clear();
    this.meanings.clear();
  }
}
