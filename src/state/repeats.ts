import { grown } from '../columns/growable.ts';
import { EVENT_KINDS_MAX } from './vocabulary.ts';

/** Marks are below this, so a mark with its bits fits a small integer. */
const MARKS_END = 2 ** 31;

/**
 * Detects repeated acts: within each set of event types, the first act of each ordinal counts, further ones repeat it.
 *
 * Types outside the sets never repeat. Starting again clears nothing: each ordinal stores the mark of the pass that
 * visited it last, with a bit for each set.
 */
export class Repeats {
  /** The bit of each type's set; 0 without a set. */
  private readonly bit_of = new Int32Array(EVENT_KINDS_MAX);
  /** For each ordinal: a mark, and the sets visited since. */
  private visited = new Int32Array(64);
  private readonly step: number;
  /** The types of all sets, as bits by code. Other types need no check. */
  readonly kinds: number;

  /** @param sets the types of each set, as bits by code */
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

  /** Starts a new pass. Amortised O(1). @param size above every ordinal of the pass */
  begin(size: number): void {
    this.visited = grown(this.visited, size);
    if (this.mark + 2 * this.step > MARKS_END) {
      this.visited.fill(0);
      this.mark = 0;
    }
    this.mark += this.step;
  }

  again(ordinal: number, event_type: number): boolean {
    const bit = this.bit_of[event_type];
    if (bit === 0) return false;
    const known = Math.max(this.visited[ordinal], this.mark);
    this.visited[ordinal] = known | bit;
    return (known & bit) !== 0;
  }
}
