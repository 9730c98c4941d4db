import type { Fault } from '../errors.ts';
import type { Outcome } from './outcome.ts';
import type { Numbered } from './parse-all.ts';

/**
 * Prepares records of follows, blocks and interactions; `outcome` learns what became of each.
 * @param prepare puts what a record changes into a batch, and returns what is wrong with it
 * @param doubtsOf what to warn of, asked while there is room for warnings
 */
export function newEvents<R>(
  parsed: readonly Numbered<R>[],
  outcome: Outcome,
  prepare: (record: R) => Fault[],
  doubtsOf: (record: R) => string[],
): void {
  for (const { record, index, warnings } of parsed) {
    const faults = outcome.unlessFull(index, () => prepare(record));
    if (faults === undefined) continue;
    if (faults.length > 0) outcome.reject(index, faults);
    else if (outcome.has_all_warnings) outcome.accept(index, []);
    else outcome.accept(index, [...warnings, ...doubtsOf(record)]);
  }
}
