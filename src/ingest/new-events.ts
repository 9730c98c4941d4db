import type { Fault } from '../errors.ts';
import type { Outcome } from './outcome.ts';
import type { Numbered } from './parse-all.ts';

/** What became of a record: what is wrong with it, or else what to warn of. */
export interface PreparedEvent {
  faults?: readonly Fault[];
  warnings?: readonly string[];
}

/**
 * Prepares records of follows, blocks and interactions; `outcome` learns what became of each.
 * @param prepare puts what a record changes into a batch
 * @param doubtsOf what to warn of, asked while there is room for warnings
 */
export function newEvents<R>(
  parsed: readonly Numbered<R>[],
  outcome: Outcome,
  prepare: (record: R) => PreparedEvent,
  doubtsOf: (record: R) => string[],
): void {
  for (const { record, index, warnings } of parsed) {
    const prepared = outcome.unlessFull(index, () => prepare(record));
    if (prepared === undefined) continue;
    const { faults = [], warnings: further = [] } = prepared;
    if (faults.length > 0) outcome.reject(index, faults);
    else if (outcome.has_all_warnings) outcome.accept(index, []);
    else outcome.accept(index, [...warnings, ...further, ...doubtsOf(record)]);
  }
}
