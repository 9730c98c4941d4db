/** Where the time of a feed request goes. */
export type Stage = 'compile' | 'candidates' | 'ranking' | 'visibility' | 'mixing' | 'answer';

/** Told how a request gets on: a handful of calls a request, never one per item. */
export interface Trace {
  /** From now on the time is this stage's. */
  enter(stage: Stage): void;
  /** A candidate source has been read to its end: the time since the last call was its. */
  proposed(source_id: string, items: number): void;
}

/** For whoever does not want to know. */
export const NO_TRACE: Trace = { enter: () => {}, proposed: () => {} };
