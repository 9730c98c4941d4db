import type { Test } from '../feeds/compiled-feed.ts';
import type { Ordinal, Reached } from '../plugin/index.ts';
import type { Entries } from '../signals/accumulator.ts';
import type { Strongest } from '../signals/strongest.ts';
import type { State } from '../state/state.ts';
import type { Admission } from './admission.ts';
import type { ItemBits } from './item-bits.ts';
import { admittedOf, takeAdmitted } from './take-admitted.ts';

/** Minimum number of ranked items to examine for the best visible ones. */
const LOOKED_AT = 512;

/** Minimum number of the strongest reached items to examine first. */
const STRONGEST_LOOKED_AT = 32;
/** The growth factor of further rounds. Returning viewers have seen most of the strongest items. */
const MORE_LOOKED_AT = 8;

/** Rounds a requested number of items up. 0 for invalid numbers, and at most the number of all items. */
export function placesFor(wanted: number, { items }: State): number {
  return wanted > 0 ? Math.min(Math.ceil(wanted), items.names.count) : 0;
}

/**
 * The first `limit` admitted items of a ranking. Fewer if not enough are found near the top.
 * @param rankedUntil returns at least the given number of ranked items, or all
 * @param within contains all admitted items
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

/** The greatest value among the admitted candidates so far. 0 if none is greater. O(candidates). */
export function greatestOffered(admission: Admission | undefined, value: (item: Ordinal) => number): number {
  let greatest = 0;
  admission?.forEachOffered((item) => {
    const found = value(item);
    if (found > greatest && admission.admits(item)) greatest = found;
  });
  return greatest;
}

/**
 * The `limit` strongest admitted items among reached items, strongest first.
 * @param within contains all admitted items
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
 * Like `strongestAdmitted` for entries that are mostly admitted.
 *
 * Examines a few more than `limit`, then four times as many per round.
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
 * Like `strongestAdmitted` for all reached items.
 *
 * Examines a few more than `limit`, then many more, and finally all.
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
