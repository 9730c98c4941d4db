/** The part of a node of a cluster in serving feeds. Absent: one process has the data to itself. */
export interface Consistency {
  /**
   * Resolves when the state has every change that any node acknowledged before the call.
   * @throws ServiceError `store_unavailable` if that cannot be found out
   */
  current(given_up?: AbortSignal): Promise<void>;
}
