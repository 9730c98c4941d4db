import { ORIGINS } from '../../model/shown-page.ts';
import type { ClosedPage } from './open-pages.ts';

const EXPLORED = ORIGINS.indexOf('explored');
/** Groups of slots, two for each doubling: the last begins with slot 182. */
const GROUPS = 16;
/** How many acts the first guess counts as. */
const PRIOR_ACTS = 20;

/**
 * How likely an item is acted on by its slot alone, up to a factor. Learnt from items that were drawn for their slots,
 * because for others the slot depends on how good they are.
 */
export class SlotCurve {
  private readonly acted: Float64Array = new Float64Array(GROUPS);
  /** What the first guess expects of the shown ones, up to the same factor. */
  private readonly guessed: Float64Array = new Float64Array(GROUPS);

  count({ slots, origins, labels, pages }: ClosedPage): void {
    for (let at = 0; at < slots.length; at++) {
      if (origins[at] !== EXPLORED) continue;
      const group = groupOf(slots[at]);
      this.guessed[group] += pages * guessOf(slots[at]);
      if (labels[at] > 0) this.acted[group] += pages;
    }
  }

  /** For slot 1 without acts: 1. */
  of(slot: number): number {
    const { acted, guessed } = this;
    let [acts, guess] = [0, 0];
    for (let group = 0; group < GROUPS; group++) {
      acts += acted[group];
      guess += guessed[group];
    }
    const group = groupOf(slot);
    const expected = guess === 0 ? 0 : (acts * guessed[group]) / guess;
    return (guessOf(slot) * (acted[group] + PRIOR_ACTS)) / (expected + PRIOR_ACTS);
  }
}

function groupOf(slot: number): number {
  return Math.min(GROUPS - 1, Math.floor(2 * Math.log2(slot)));
}

function guessOf(slot: number): number {
  return 1 / Math.log2(1 + slot);
}
