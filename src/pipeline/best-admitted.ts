import type { Ordinal, Reached } from '../plugin/index.ts';
import type { Entries } from '../signals/accumulator.ts';
import { tieBreak } from '../signals/order.ts';
import type { Strongest } from '../signals/strongest.ts';
import type { State } from '../state/state.ts';
import type { Test } from './compiled-feed.ts';
import type { ItemBits } from './item-bits.ts';
import type { Request } from './request.ts';
import { admittedOf, takeAdmitted } from './take-admitted.ts';

/** Of a global ranking at least so many are looked at for the best that may be shown, … */
const LOOKED_AT = 512;
/** … and, as long as none may, four times as many again and again, up to so many. */
const LOOKED_AT_MAX = 8192;
/** Of what was reached at least so many of the strongest are looked at before many more are. */
const STRONGEST_LOOKED_AT = 64;

/**
 * The first `limit` of the ranking by an item-only signal that are admitted, fewer when these do not come soon. When
 * none does it is read on until one comes, or until a feed that shows less is better looked through as a whole: the best
 * of a feed of what is slow elsewhere is told, too.
 * @param within holds everything that is admitted
 */
export function firstAdmitted(
  request: Request,
  signal: string,
  limit: number,
  admits: Test,
  within: ItemBits | undefined,
): Ordinal[] {
  let wanted = limit * 2;
  for (let looked_at = Math.max(LOOKED_AT, wanted); ; looked_at *= 4) {
    const ranked = request.ranked(signal, wanted);
    const first: Ordinal[] = [];
    const end = Math.min(ranked.length, looked_at);
    for (let at = 0; at < end && first.length < limit; at++) {
      if (within?.has(ranked[at]) !== false && admits(ranked[at])) first.push(ranked[at]);
    }
    if (first.length > 0 || ranked.length < wanted || looked_at >= LOOKED_AT_MAX) return first;
    wanted = looked_at * 4;
    if (within !== undefined && within.size <= wanted) return bestOf(within, request, signal, admits);
  }
}

/** The best that is admitted of a few items, by a signal; empty without any. O(items). */
function bestOf(items: ItemBits, request: Request, signal: string, admits: Test): Ordinal[] {
  const score = request.signal(signal);
  const { state } = request.engine;
  let best: { item: Ordinal; score: number } | undefined;
  for (const item of items.items()) {
    if (!admits(item)) continue;
    const value = score(item);
    const before = best === undefined ? -1 : best.score - value || tieBreak(state, item, best.item);
    if (before < 0) best = { item, score: value };
  }
  return best === undefined ? [] : [best.item];
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

/**
 * The strongest `limit` that are admitted of all that was reached: a few more are looked at than are wanted, then many
 * more, as some may not be admitted; at last all are.
 */
export function strongestReached(
  reached: Reached,
  limit: number,
  strongest: Strongest,
  state: State,
  admits: Test,
): Ordinal[] {
  const first = Math.max(STRONGEST_LOOKED_AT, limit + (limit >> 2));
  for (const looked_at of [first, 4 * Math.max(STRONGEST_LOOKED_AT, limit)]) {
    const best = takeAdmitted(strongest.of(reached, looked_at), limit, state, admits);
    if (best.length === limit || looked_at >= reached.size) return best;
  }
  return takeAdmitted(admittedOf(reached, state, admits), limit, state, () => true);
}
