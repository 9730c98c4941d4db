import type { Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal, type Reached } from '../plugin/index.ts';
import { blaming } from '../registry/plugin-failed.ts';
import { Accumulator, type Entries } from '../signals/accumulator.ts';
import { newerFirst } from '../signals/order.ts';
import { ScoredQueue } from '../signals/scored-queue.ts';
import type { Strongest } from '../signals/strongest.ts';
import type { State } from '../state/state.ts';
import type { ItemBits } from './item-bits.ts';
import { reachedItems } from './reached-items.ts';

/** The item passed the feed's filters and rules. */
const ADMITTED = 1;
/** The item is a candidate of the page. */
const OFFERED = 2;

export interface PageTests {
  /** Whether the item is eligible and passes the feed's filters. */
  filtered: Test;
  /** Whether the item passes the feed's rules. */
  visible: Test;
  /** Contains all items that pass the filters. It is checked first, because that is cheap. */
  pool?: ItemBits;
}

/** What one page may show. Remembers test results and candidates, so that hardly any item is tested twice. */
export class Admission {
  readonly filtered: Test;
  readonly admits: Test;
  readonly shows: Test;
  private readonly both: Test;
  private readonly pool: ItemBits | undefined;

  /** @param known bits by item; must be empty */
  constructor(
    private readonly known: Accumulator,
    { filtered, visible, pool }: PageTests,
  ) {
    this.filtered = filtered;
    this.both = (item) => filtered(item) && visible(item);
    this.pool = pool;
    this.admits = (item) => {
      if (this.isAdmitted(item)) return true;
      if (!this.both(item)) return false;
      known.add(item, ADMITTED);
      return true;
    };
    this.shows = (item) => this.isAdmitted(item) || visible(item);
  }

  forEachOffered(visit: (item: Ordinal) => void): void {
    this.known.forEach((item, known) => {
      if ((known & OFFERED) !== 0) visit(item);
    });
  }

  /** Makes an item that passes the filters a candidate. Returns false if it is one already or does not pass. */
  offer(item: Ordinal): boolean {
    return this.take(item, this.filtered, OFFERED);
  }

  /** Makes an item that passes the filters and rules a candidate. Returns false as `offer`. */
  offerAdmitted(item: Ordinal): boolean {
    return this.take(item, this.both, ADMITTED | OFFERED);
  }

  private isAdmitted(item: Ordinal): boolean {
    return (this.known.weight(item) & ADMITTED) !== 0;
  }

  private take(item: Ordinal, passes: Test, marks: number): boolean {
    if (this.pool?.has(item) === false) return false;
    const known = this.known.weight(item);
    if ((known & OFFERED) !== 0 || ((known & ADMITTED) === 0 && !passes(item))) return false;
    this.known.add(item, marks & ~known);
    return true;
  }
}

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

/** The `limit` best admitted items of a queue. Fewer if the queue ends. */
export function takeAdmitted(queue: ScoredQueue, limit: number, state: State, admits: Test): Ordinal[] {
  const best: Ordinal[] = [];
  const { items, start, end } = queue.left;
  // Most records are not in the processor's cache. A loop that only reads them lets the processor fetch many at once.
  state.items.readAhead(items, start, end);
  for (let item = queue.pop(); item !== NONE && best.length < limit; item = queue.pop()) {
    if (admits(item)) best.push(item);
  }
  return best;
}

/**
 * A queue of all reached and admitted items. Reads the records ahead of the tests. O(reached).
 *
 * It is for filters that keep few items, where a search from the strongest down would visit nearly all.
 */
export function admittedOf(reached: Reached, state: State, admits: Test): ScoredQueue {
  const visible: Ordinal[] = [];
  reached.forEach((item) => {
    if (state.live(item)) visible.push(item);
  });
  const admitted = new ScoredQueue(newerFirst(state));
  for (const item of visible) if (admits(item)) admitted.add(item, reached.weight(item));
  return admitted;
}

/**
 * The items that a signal reaches. Errors name the signal. Undefined if the community lacks what it needs.
 *
 * What a plugin made is copied: buffers are allocated by the size, and a plugin may return other weights the second
 * time.
 */
export function reachedBy(signal: string, reach: () => unknown): Reached | undefined {
  return blaming(signal, () => {
    const reached = reach();
    return reached === undefined || reached instanceof Accumulator ? reached : reachedItems(reached);
  });
}
