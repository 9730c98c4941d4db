import type { View } from '../ingest/views.ts';

/** The part of a node of a cluster in serving feeds. Absent: one process has the data to itself. */
export interface Consistency {
  /**
   * Resolves when the state has every change that any node acknowledged before the call.
   * @throws ServiceError `store_unavailable` if that cannot be found out
   */
  current(given_up?: AbortSignal): Promise<void>;
  /** Records impressions at the node that leads. Undefined while this node leads. */
  readonly recorder: Recorder | undefined;
}

export interface Recorder {
  /** All changes up to this `seq` are in the state. */
  readonly applied_seq: number;
  /**
   * Records a page as seen, unless the log has a later change about its viewer than the page reflects. Resolves when
   * this node has applied the impression, or that later change.
   * @param built_seq `applied_seq` when the page was built
   * @param account that requested the page; undefined without a key
   * @returns whether it was recorded
   * @throws ServiceError
   */
  record(view: View, built_seq: number, account: string | undefined): Promise<boolean>;
}

/** The page has to be built by the leader, because its viewer acts at several nodes at once. */
export class BuiltByLeader extends Error {}
