import type { Ordinal } from '../plugin/index.ts';
import type { Entries } from '../signals/accumulator.ts';
import type { Strongest } from '../signals/strongest.ts';
import type { State } from '../state/state.ts';
import type { Test } from './compiled-feed.ts';
import { takeAdmitted } from './take-admitted.ts';

/** Of a global ranking at least so many are looked at for the best that may be shown. */
const LOOKED_AT = 512;

/** The first `limit` of a ranking that are admitted, fewer when these do not come soon. */
export function firstAdmitted(ranked: readonly Ordinal[], limit: number, admits: Test): Ordinal[] {
  const first: Ordinal[] = [];
  const looked_at = Math.min(ranked.length, Math.max(LOOKED_AT, limit * 2));
  for (let at = 0; at < looked_at && first.length < limit; at++) {
    if (admits(ranked[at])) first.push(ranked[at]);
  }
  return first;
}

/**
 * The strongest `limit` that are admitted of entries that mostly are: a few more than are wanted are looked at, and
 * then, again and again, four times as many.
 */
export function strongestOf(
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
