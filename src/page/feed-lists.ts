import type { Test } from '../feeds/compiled-feed.ts';
import { NONE, type Ordinal, type Reached, type RequestContext } from '../plugin/index.ts';
import { postingsOf } from '../signals/tastes.ts';
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

export interface FeedLists
  extends Pick<
    RequestContext,
    | 'page_length'
    | 'signal'
    | 'items_by'
    | 'newest'
    | 'best'
    | 'greatest_of_candidates'
    | 'greatest'
    | 'share'
  > {
  /** Restricts the lists to what one feed may show. @param within contains all of these items */
  restrictTo(tests: PageTests, within?: ItemBits): Admission;
}

interface Base {
  readonly engine: Engine;
  readonly page: PageSoFar;
  /** Whether the item may be listed as long as `restrictTo` was not called. */
  eligible: Test;
}

interface Own extends Pick<RequestContext, 'page_length' | 'signal'> {
  /** At least the `limit` best items of a signal that is the same for all viewers. */
  ranked(signal: string, limit: number): readonly Ordinal[];
  reach(signal: string): Reached;
}

/** Adds lists of what the feed of a request may show. Without a feed, they have all eligible items. */
export function withFeedLists<B extends Base>(base: B, own: Own): B & FeedLists {
  const { engine, page, eligible } = base;
  const { page_length, signal, ranked, reach } = own;
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
  const greatest = (reached: Reached): number =>
    greatest_weights?.get(reached) ?? noteGreatest(reached, strongest(reached, 1));
  return {
    ...base,
    page_length,
    signal,
    items_by: (column, value, limit) =>
      value === NONE ? [] : postingsOf(state, column).newest(value, limit, admits()),
    newest: (limit) => state.by_time.newest(0, limit, admits()),
    best(name, wanted) {
      const limit = placesFor(wanted, state);
      if (compiledSignal(engine, name).extension.depends_on !== 'viewer')
        return firstAdmitted((length) => ranked(name, length), limit, admits(), within);
      const reached = reach(name);
      const best = strongest(reached, limit);
      if (limit > 0) noteGreatest(reached, best);
      return best;
    },
    greatest_of_candidates(value) {
      page.refuseWhenEnded();
      return greatestOffered(admission, value);
    },
    greatest,
    share(reached) {
      if (reached.size === 0) return () => 0;
      let whole = 0;
      // Computed at the first scored item, because by then the sources have usually found the greatest value.
      return (item) => {
        whole ||= greatest(reached);
        return Math.min(1, reached.weight(item) / whole);
      };
    },
    restrictTo(tests, superset) {
      within = superset;
      admission = new Admission(scratch.accumulators.take(), tests);
      restricted = admission.admits;
      return admission;
    },
  };
}
