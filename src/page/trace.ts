import type { Bound, Test } from '../feeds/compiled-feed.ts';
import type { Ordinal } from '../plugin/index.ts';

/** The stages of a feed request whose time is measured. */
export type Stage = 'compile' | 'candidates' | 'ranking' | 'visibility' | 'mixing' | 'answer';

type Score = (item: Ordinal) => number;

/** Receives the progress of a request: a few calls per request, never one per item. */
export interface Trace {
  /** From now on time counts for this stage. */
  enter(stage: Stage): void;
  /** A candidate source has been read completely. The time since the last call counts for it. */
  proposed(source_id: string, items: number): void;
  /** The record of the list that is being built. Only for explained pages. */
  readonly record?: ListTrace;
}

/** Receives what happens to single items. Building a list is several times slower with it. */
export interface ListTrace {
  /** The number of candidates that the page intends to score. */
  limited(candidates: number): void;
  /**
   * A batch of candidates, and how many of them are new and pass the filters.
   * @param origin the id of a source; `postings` or the id of a rule if a feed starts from all visible items; `tail`
   * for other items, usually in the order of the feed's global ranking; or `exploration`
   */
  offered(origin: string, items: readonly Ordinal[], kept: number): void;
  /** Returns a filter or rule that counts its calls. */
  tested(bound: Bound<Test>, test: Test): Test;
  /** Returns a scoring function that counts its calls. */
  scored(score: Score): Score;
  /** The number of items before diversity, and on the page. */
  diversified(given: number, kept: number): void;
}

/** Ignores all calls. */
export const NO_TRACE: Trace = { enter: () => {}, proposed: () => {} };
