import { grown } from './growable.ts';
import { EVENT_KINDS_MAX } from './vocabulary.ts';

/** Marks are below this, so that a mark and what was met since fit a number that processors add quickly. */
const MARKS_END = 2 ** 31;

/**
 * Tells what is done again from what is done for the first time: of some sets of kinds of act, each ordinal's first act
 * counts, and whatever else it does of the same set repeats it. Kinds of no set repeat nothing. Beginning anew clears
 * nothing: each ordinal has the mark of the beginning after which it was met last, with a bit for each set.
 */
export class Repeats {
  /** The bit of each kind's set; 0: of none. */
  private readonly bit_of = new Int32Array(EVENT_KINDS_MAX);
  /** Of each ordinal a mark and the bits met since it was given. */
  private met = new Int32Array(64);
  private readonly step: number;
  /** Those of all sets, as bits by code: of other kinds there is no need to ask. */
  readonly kinds: number;

  /**
   * @param sets of each set its kinds, as bits by code
   * @param mark given before, of which none is known any more
   */
  constructor(
    sets: readonly number[],
    private mark = 0,
  ) {
    this.step = 2 ** sets.length;
    this.kinds = sets.reduce((all, kinds) => all | kinds, 0);
    for (const [index, kinds] of sets.entries()) {
      for (let code = 0; code < EVENT_KINDS_MAX; code++) {
        if (((kinds >> code) & 1) === 1) this.bit_of[code] = 1 << index;
      }
    }
  }

  /** Nobody has done anything yet. Amortised O(1). @param size above every ordinal that will be met */
  begin(size: number): void {
    this.met = grown(this.met, size);
    if (this.mark + 2 * this.step > MARKS_END) {
      this.met.fill(0);
      this.mark = 0;
    }
    this.mark += this.step;
  }

  /** Takes in an act by its ordinal and the code of its kind. @returns whether it repeats one since `begin` */
  again(ordinal: number, event_type: number): boolean {
    const bit = this.bit_of[event_type];
    if (bit === 0) return false;
    const known = Math.max(this.met[ordinal], this.mark);
    this.met[ordinal] = known | bit;
    return (known & bit) !== 0;
  }
}
