import type { Ordinal, Reached } from '../plugin/index.ts';
import type { Entries } from '../signals/accumulator.ts';
import type { Strongest } from '../signals/strongest.ts';
import type { State } from '../state/state.ts';
import type { Admission } from './admission.ts';
import type { Test } from './compiled-feed.ts';
import type { ItemBits } from './item-bits.ts';
import { admittedOf, takeAdmitted } from './take-admitted.ts';

/** Of a global ranking at least so many are looked at for the best that may be shown. */
const LOOKED_AT = 512;

/** Of what was reached at least so many of the strongest are looked at, … */
const STRONGEST_LOOKED_AT = 32;
/** … and then so many times as many, of that or of what is wanted: whoever comes often has seen most of the strongest. */
const MORE_LOOKED_AT = 8;

/** How many items somebody asks for who computed it: none for what is no number above 0, and never more than there are. */
export function placesFor(wanted: number, { items }: State): number {
  return wanted > 0 ? Math.min(Math.ceil(wanted), items.names.count) : 0;
}

/**
 * The first `limit` of a ranking that are admitted, fewer when these do not come soon.
 * @param rankedUntil at least so many of the ranking, or all
 * @param within holds everything that is admitted
 */
export function firstAdmitted(
  rankedUntil: (length: number) => readonly Ordinal[],
  limit: number,
  admits: Test,
  within: ItemBits | undefined,
): Ordinal[] {
  const first: Ordinal[] = [];
  const length = Math.max(LOOKED_AT, limit * 2);
  const ranked = rankedUntil(length);
  const looked_at = Math.min(ranked.length, length);
  for (let at = 0; at < looked_at && first.length < limit; at++) {
    if (within?.has(ranked[at]) !== false && admits(ranked[at])) first.push(ranked[at]);
  }
  return first;
}

/** The greatest value of what has been offered for the page so far and is admitted; 0 without any above. O(that). */
export function greatestOffered(admission: Admission | undefined, value: (item: Ordinal) => number): number {
  let greatest = 0;
  admission?.forEachOffered((item) => {
    const found = value(item);
    if (found > greatest && admission.admits(item)) greatest = found;
  });
  return greatest;
}

/**
 * The strongest `limit` that are admitted of what was reached, strongest first.
 * @param within holds everything that is admitted
 */
export function strongestAdmitted(
  reached: Reached,
  limit: number,
  strongest: Strongest,
  state: State,
  admits: Test,
  within: ItemBits | undefined,
): Ordinal[] {
  return within === undefined
    ? strongestReached(reached, limit, strongest, state, admits)
    : strongestOf(within.among(reached), limit, strongest, state, admits);
}

/**
 * The strongest `limit` that are admitted of entries that mostly are: a few more than are wanted are looked at, and
 * then, again and again, four times as many.
 */
function strongestOf(
  entries: Entries,
  limit: number,
  strongest: Strongest,
  state: State,
  admits: Test,
): Ordinal[] {
  const size = entries.end - entries.start;
  for (let looked_at = limit + (limit >> 2); ; looked_at *= 4) {
    const best = takeAdmitted(strongest.of(entries, looked_at), limit, state, admits);
    if (best.length === limit || looked_at >= size) return best;
  }
}

/**
 * The strongest `limit` that are admitted of all that was reached: a few more are looked at than are wanted, then many
 * more, as some may not be admitted; at last all are.
 */
function strongestReached(
  reached: Reached,
  limit: number,
  strongest: Strongest,
  state: State,
  admits: Test,
): Ordinal[] {
  const first = Math.max(STRONGEST_LOOKED_AT, limit + (limit >> 2));
  for (const looked_at of [first, MORE_LOOKED_AT * Math.max(STRONGEST_LOOKED_AT, limit)]) {
    const best = takeAdmitted(strongest.of(reached, looked_at), limit, state, admits);
    if (best.length === limit || looked_at >= reached.size) return best;
  }
  return takeAdmitted(admittedOf(reached, state, admits), limit, state, () => true);
}
