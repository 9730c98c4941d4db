import type { Test } from '../feeds/compiled-feed.ts';
import { isOfViewer } from '../plugin/depends-on.ts';
import type { Ordinal, Reached, RequestContext } from '../plugin/index.ts';
import {
  Admission,
  firstAdmitted,
  greatestOffered,
  type PageTests,
  placesFor,
  strongestAdmitted,
} from './admission.ts';
import { compiledSignal, type Engine } from './engine.ts';
import type { ItemBits } from './item-bits.ts';
import type { PageSoFar } from './page-so-far.ts';

/** Lists of what one feed may show. Without a feed, they have all eligible items. */
export interface FeedLists extends Pick<RequestContext, 'signal' | 'greatest'> {
  /** The number of items on the page. */
  readonly page_length: number;
  /** Up to `limit` items, newest first. */
  newest(limit: number): Ordinal[];
  /**
   * Up to `limit` items with the highest values of a signal, best first.
   *
   * The signal must be ranked globally or have `reaches`; throws for others. Of a ranking, the first 512 or 2 × `limit`
   * items are examined. A fractional limit is rounded up. Empty if the limit is not above 0.
   */
  best(signal: string, limit: number): Ordinal[];
  /** Whether the community has what a signal needs. */
  applies(signal: string): boolean;
  /** Restricts the lists to what one feed may show. @param within contains all of these items */
  restrictTo(tests: PageTests, within?: ItemBits): Admission;
}

interface Base {
  readonly engine: Engine;
  readonly page: PageSoFar;
  /** Whether the item may be listed as long as `restrictTo` was not called. */
  readonly eligible: Test;
}

interface Own {
  readonly page_length: number;
  /** The values of a signal. @param shareOf makes the values of one that reaches items */
  value(signal: string, shareOf: (reached: Reached) => (item: Ordinal) => number): (item: Ordinal) => number;
  /** At least the `limit` best items of a signal that is the same for all viewers. */
  ranked(signal: string, limit: number): readonly Ordinal[];
  /** The items that a signal of the viewer reaches; undefined if the community lacks what it needs. */
  reach(signal: string): Reached | undefined;
}

export function createFeedLists({ engine, page, eligible }: Base, own: Own): FeedLists {
  const { page_length, value, ranked, reach } = own;
  const { state, scratch } = engine;
  let restricted: Test = eligible;
  let admission: Admission | undefined;
  let within: ItemBits | undefined;
  let greatest_weights: Map<Reached, number> | undefined;
  const admits = (): Test => {
    page.refuseWhenEnded();
    return restricted;
  };
  const strongest = (reached: Reached, limit: number): Ordinal[] =>
    strongestAdmitted(reached, limit, scratch.strongest.take(), state, admits(), within);
  /** @param best the best reached and admitted item; without one, no share is visible */
  const noteGreatest = (reached: Reached, [best]: readonly Ordinal[]): number => {
    const weight = best === undefined ? reached.max : reached.weight(best);
    greatest_weights ??= new Map();
    greatest_weights.set(reached, weight);
    return weight;
  };
  const needsReach = (name: string): boolean => isOfViewer(compiledSignal(engine, name).extension);
  const best = (name: string, wanted: number): Ordinal[] => {
    const limit = placesFor(wanted, state);
    if (!needsReach(name)) return firstAdmitted((length) => ranked(name, length), limit, admits(), within);
    const reached = reach(name);
    if (reached === undefined) return [];
    const strongest_reached = strongest(reached, limit);
    if (limit > 0) noteGreatest(reached, strongest_reached);
    return strongest_reached;
  };
  /** Weights divided by the greatest of an item that the feed may show, at most 1. */
  const shareOf = (reached: Reached): ((item: Ordinal) => number) => {
    if (reached.size === 0) return () => 0;
    let whole = 0;
    // Computed at the first scored item, because by then the sources have usually found the greatest value.
    return (item) => {
      whole ||= greatest_weights?.get(reached) ?? noteGreatest(reached, strongest(reached, 1));
      return Math.min(1, reached.weight(item) / whole);
    };
  };
  return {
    page_length,
    signal: (name) => value(name, shareOf),
    newest: (limit) => state.by_time.newest(0, limit, admits()),
    best,
    greatest(name, measure) {
      const [item] = best(name, 1);
      return item === undefined ? greatestOffered(admission, measure) : measure(item);
    },
    applies: (name) => !needsReach(name) || reach(name) !== undefined,
    restrictTo(tests, superset) {
      within = superset;
      admission = new Admission(scratch.accumulators.take(), tests);
      restricted = admission.admits;
      return admission;
    },
  };
}
