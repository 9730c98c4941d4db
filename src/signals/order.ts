import type { Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/**
 * The order of equal scores: newer first, then by `item_id` ascending (by code unit). Negative if `one` comes first.
 *
 * It reads identifiers only for items of the same time.
 */
export function tieBreak(state: State, one: Ordinal, other: Ordinal): number {
  const newer = state.items.created_at(other) - state.items.created_at(one);
  if (newer !== 0) return newer;
  return byIdentifier(state, one, other);
}

/** `item_id` ascending, by code unit. */
export function byIdentifier({ items }: State, one: Ordinal, other: Ordinal): number {
  return items.names.compare(one, other);
}

/**
 * `tieBreak` as a function of two items. It ignores ordinals and keys, which differ between imports of the same data.
 */
export function newerFirst(state: State): (one: Ordinal, other: Ordinal) => number {
  return (one, other) => tieBreak(state, one, other);
}

/** The opposite of `tieBreak`. */
export function olderFirst(state: State): (one: Ordinal, other: Ordinal) => number {
  return (one, other) => tieBreak(state, other, one);
}
