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
  private acts = 0;
  private guess = 0;

  count({ slots, origins, labels, pages }: ClosedPage): void {
    for (let at = 0; at < slots.length; at++) {
      if (origins[at] !== EXPLORED) continue;
      const group = groupOf(slots[at]);
      const guess = pages * guessOf(slots[at]);
      this.guessed[group] += guess;
      this.guess += guess;
      if (labels[at] <= 0) continue;
      this.acted[group] += pages;
      this.acts += pages;
    }
  }

  /** For slot 1 without acts: 1. */
  of(slot: number): number {
    return guessOf(slot) * this.correction(groupOf(slot));
  }

  /** The logarithms of `of` for some slots, without one for each. */
  logarithms(slots: Uint16Array): Float64Array {
    const corrections = new Float64Array(GROUPS);
    for (let group = 0; group < GROUPS; group++) corrections[group] = Math.log(this.correction(group));
    const logarithms = new Float64Array(slots.length);
    for (let at = 0; at < slots.length; at++) {
      const slot = Math.min(slots[at], SLOTS - 1);
      logarithms[at] = LOG_GUESSES[slot] + corrections[GROUP_OF[slot]];
    }
    return logarithms;
  }

  /** What acts say of a group of slots beyond the first guess, as a factor. */
  private correction(group: number): number {
    const { acted, guessed, acts, guess } = this;
    const expected = guess === 0 ? 0 : (acts * guessed[group]) / guess;
    return (acted[group] + PRIOR_ACTS) / (expected + PRIOR_ACTS);
  }
}

function groupOf(slot: number): number {
  return Math.min(GROUPS - 1, Math.floor(2 * Math.log2(slot)));
}

function guessOf(slot: number): number {
  return 1 / Math.log2(1 + slot);
}

/** Longer pages are rare, so later slots count as the last of these. */
const SLOTS = 1_024;
const LOG_GUESSES = Float64Array.from({ length: SLOTS }, (_, slot) => Math.log(guessOf(Math.max(1, slot))));
const GROUP_OF = Uint8Array.from({ length: SLOTS }, (_, slot) => groupOf(Math.max(1, slot)));
