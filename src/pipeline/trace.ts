import type { Ordinal } from '../plugin/index.ts';

/** Where the time of a feed request goes. */
export type Stage = 'compile' | 'candidates' | 'ranking' | 'visibility' | 'mixing' | 'answer';

/** Told how a request gets on: a handful of calls a request, never one per item. */
export interface Trace {
  /** From now on the time is this stage's. */
  enter(stage: Stage): void;
  /** A candidate source has been read to its end: the time since the last call was its. */
  proposed(source_id: string, items: number): void;
  /**
   * Only for whoever wants to explain a page: a batch of candidates, of which so many are new and kept by the
   * filters.
   * @param origin a source's id, `postings` or a rule's id for feeds that start from all they may show,
   * `tail` for the rest in the order of the feed's global ranking, or `exploration` for what is tried out
   */
  offered?(origin: string, items: readonly Ordinal[], kept: number): void;
  /** The same: how many items diversity was given, and how many the page has. */
  diversified?(given: number, kept: number): void;
}

/** For whoever does not want to know. */
export const NO_TRACE: Trace = { enter: () => {}, proposed: () => {} };
